"""The outcome of a check, with the names of the JSON report (docs/report.schema.json)."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ._errors import CondlintError, FindingsError, InputError

SEVERITIES = ("note", "warning", "error")


@dataclass(frozen=True)
class Location:
    """A place in the user's source, counted from 1; the end is exclusive in columns."""

    path: str
    line: int
    column: int | None = None
    endLine: int | None = None
    endColumn: int | None = None
    function: str | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" + (f":{self.column}" if self.column else "")


@dataclass(frozen=True)
class Related:
    """Another place that belongs to a finding: the other branch, what is written, where it is called from."""

    message: str
    location: Location | None = None
    graphPath: str | None = None


@dataclass(frozen=True)
class Fix:
    """A repair; `edits` are those of C++ sources, in the words of the JSON report."""

    description: str
    edits: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Finding:
    """A rule that is broken, or may be."""

    rule: str
    severity: str
    verdict: str
    target: str
    message: str
    input: str
    help: str | None = None
    conditional: str | None = None
    location: Location | None = None
    graphPath: str | None = None
    related: tuple[Related, ...] = ()
    witness: Mapping[str, int] | None = None
    fixes: tuple[Fix, ...] = ()
    fingerprint: str = ""
    output: int | None = None
    evidence: str | None = None

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else f"{self.input}: {self.graphPath or ''}: "
        return f"{place}{self.severity}: {self.message} [{self.rule}]"


@dataclass(frozen=True)
class Conditional:
    """A conditional with what was decided of it for one target."""

    input: str
    path: str
    target: str
    location: Location | None = None
    predicate: Mapping[str, Any] = field(default_factory=dict)
    operands: tuple[Mapping[str, Any], ...] = ()
    branches: tuple[Mapping[str, Any], ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Input:
    """What was given, and whether it could be analysed."""

    path: str
    kind: str | None
    status: str
    reason: str | None = None
    targets: tuple[str, ...] = ()
    conditionals: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Summary:
    """Sums over a report."""

    exitCode: int
    inputs: Mapping[str, int] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    conditionals: Mapping[str, int] = field(default_factory=dict)
    untypedOperators: Mapping[str, int] = field(default_factory=dict)


class Report:
    """What condlint found.

    Parameters
    ----------
    data : mapping
        The report as `condlint check --output json` writes it.
    text : str, optional
        The report as the program prints it; without it, it is made of `data`.
    page : callable, optional
        Makes the page of the format `html`, whose drawings a notebook shows.

    Attributes
    ----------
    findings : tuple of Finding
    conditionals : tuple of Conditional
    inputs : tuple of Input
    summary : Summary
    notes : tuple of str
        What to know of how the input was read or recorded.
    """

    def __init__(
        self, data: Mapping[str, Any], text: str | None = None, page: Callable[[], str] | None = None
    ) -> None:
        self._data = dict(data)
        self._text = text
        self._page = page
        self.findings = tuple(_finding(f) for f in data["findings"])
        self.conditionals = tuple(_conditional(c) for c in data["conditionals"])
        self.inputs = tuple(_of(Input, i, targets=tuple, notes=tuple) for i in data["inputs"])
        self.summary = _of(Summary, data["summary"])
        self.notes = tuple(note for i in self.inputs for note in i.notes)

    @property
    def ok(self) -> bool:
        """True when there is no error and everything could be analysed."""
        return not any(f.severity == "error" for f in self.findings) and all(i.status == "ok" for i in self.inputs)

    def at_least(self, severity: str) -> tuple[Finding, ...]:
        """The findings of that severity or above: "note", "warning" or "error"."""
        if severity not in SEVERITIES:
            raise InputError(f"{severity!r} is no severity; expected one of {', '.join(map(repr, SEVERITIES))}")
        least = SEVERITIES.index(severity)
        return tuple(f for f in self.findings if SEVERITIES.index(f.severity) >= least)

    def raise_for_findings(self, severity: str = "error") -> Report:
        """Raises `FindingsError` when there is a finding of that severity or above; else returns the report."""
        if self.at_least(severity):
            raise FindingsError(self)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The report as a dict; docs/report.schema.json describes it."""
        return dict(json.loads(json.dumps(self._data)))

    def to_json(self, indent: int | None = None) -> str:
        """The report as JSON."""
        return json.dumps(self._data, indent=indent)

    def to_text(self) -> str:
        """The report as the program prints it, without colours."""
        return self._text if self._text is not None else "\n".join(self._lines())

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        counts = ", ".join(f"{number} {kind}s" for kind, number in self.summary.findings.items() if number)
        return f"<condlint.Report: {self.summary.conditionals.get('total', 0)} conditionals; {counts or 'no findings'}>"

    def __rich__(self) -> Any:
        from rich.text import Text  # only rich calls this

        styles = {"error": "bold red", "warning": "bold yellow", "note": "cyan"}
        text = Text(self.to_text())
        for severity, style in styles.items():
            text.highlight_regex(rf"\b{severity}:", style)
        return text

    def _repr_html_(self) -> str:
        from ._html import report_to_html

        page = ""
        if self._page is not None and self.findings:
            # A file that is gone by now has no drawing.
            with contextlib.suppress(CondlintError):
                page = self._page()
        return report_to_html(self, page)

    def _lines(self) -> Iterable[str]:
        for f in self.findings:
            yield str(f)
            yield f"    in {f.input}" + (f": {f.conditional}" if f.conditional else "")
            for r in f.related:
                path = f" ({r.graphPath})" if r.graphPath and r.location else ""
                yield f"    {r.location or r.graphPath}: note: {r.message}{path}"
            if f.witness:
                yield "    for example: " + ", ".join(f"{k} = {v}" for k, v in f.witness.items())
            if f.help:
                yield f"    help: {f.help}"
            yield f"    target: {f.target}"
        for i in self.inputs:
            if i.status != "ok":
                yield f"{i.path}: {i.status}: {i.reason}"
            yield from (f"{i.path}: {note}" for note in i.notes)
        c, n = self.summary.conditionals, self.summary.findings
        yield ""
        yield (
            f"{_counted(c.get('total', 0), 'conditional')}: {c.get('proved', 0)} proved, {c.get('violated', 0)} violated, "
            f"{c.get('possible', 0)} possible, {c.get('unknown', 0)} unknown; "
            + ", ".join(_counted(n.get(severity, 0), severity) for severity in ("error", "warning", "note"))
        )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _location(data: Mapping[str, Any] | None) -> Location | None:
    return None if data is None else _of(Location, data)


def _of(cls: Any, data: Mapping[str, Any], **convert: Any) -> Any:
    """A dataclass of the keys that it knows; a newer report may have more."""
    known = {f.name for f in fields(cls)}
    return cls(**{k: convert[k](v) if k in convert and v is not None else v for k, v in data.items() if k in known})


def _related(items: Iterable[Mapping[str, Any]]) -> tuple[Related, ...]:
    return tuple(_of(Related, item, location=_location) for item in items)


def _finding(data: Mapping[str, Any]) -> Finding:
    found: Finding = _of(
        Finding,
        data,
        location=_location,
        related=_related,
        fixes=lambda items: tuple(_of(Fix, item, edits=tuple) for item in items),
    )
    return found


def _conditional(data: Mapping[str, Any]) -> Conditional:
    found: Conditional = _of(Conditional, data, location=_location, operands=tuple, branches=tuple)
    return found
