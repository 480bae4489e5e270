"""A report for notebooks: findings, and the two branches drawn side by side, readable without scripts."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._report import Conditional, Finding, Report

_COLOURS = {"error": "#b3261e", "warning": "#8a5a00", "note": "#30597a"}
_BOX = "border:1px solid #999;border-radius:4px;padding:4px 8px;vertical-align:top"


# In the page that the program writes: the conditional that is talked of, and a branch of it that is drawn.
_DRAWN = re.compile(
    r'<h3 id="c\d+-title">(?P<path>.*?) <small>(?P<input>.*?)</small></h3>'
    r'|<figcaption><code>(?P<branch>.*?)</code>|(?P<svg><svg class="graph".*?</svg>)',
    re.DOTALL,
)
Drawings = dict[tuple[str, str, str], str]


def drawings_of(page: str) -> Drawings:
    """The drawings on the program's page, by input, path of the conditional, and branch."""
    found: Drawings = {}
    at = ("", "")
    branch = ""
    for match in _DRAWN.finditer(page):
        if match["svg"] is not None:
            found.setdefault((*at, branch), match["svg"])
        elif match["branch"] is not None:
            branch = unescape(match["branch"])
        else:
            at = unescape(match["input"]), unescape(match["path"])
    return found


def report_to_html(report: Report, page: str = "") -> str:
    """The report as a piece of HTML; `page` is that of the program, whose drawings are shown."""
    drawings = drawings_of(page)
    drawn: set[tuple[str, str]] = set()
    parts = [f"<p><b>condlint</b>: {escape(repr(report).removeprefix('<condlint.Report: ').rstrip('>'))}</p>"]
    by_place = {(c.input, c.path, c.target): c for c in report.conditionals}
    for finding in report.findings:
        conditional = by_place.get((finding.input, finding.conditional or "", finding.target))
        # The first finding of a conditional shows its branches drawn.
        key = (finding.input, finding.conditional or "")
        parts.append(_finding(finding, conditional, {} if key in drawn else drawings))
        drawn.add(key)
    parts += [f"<p>{escape(note)}</p>" for note in report.notes]
    return '<div class="condlint">' + "\n".join(parts) + "</div>"


def _finding(finding: Finding, conditional: Conditional | None, drawings: Drawings) -> str:
    colour = _COLOURS[finding.severity]
    place = str(finding.location) if finding.location else f"{finding.input}: {finding.graphPath or ''}"
    lines = [
        f'<summary><code>{escape(place)}</code>: <b style="color:{colour}">{finding.severity}</b>: '
        f"{escape(finding.message)} <code>[{escape(finding.rule)}]</code></summary>"
    ]
    if conditional is not None:
        lines.append(_branches(conditional, finding, drawings))
    for related in finding.related:
        where = related.location or related.graphPath or ""
        lines.append(f"<div>note: {escape(related.message)} (<code>{escape(str(where))}</code>)</div>")
    if finding.help:
        lines.append(f"<div>help: {escape(finding.help)}</div>")
    lines.append(f"<div>target: <code>{escape(finding.target)}</code></div>")
    opened = " open" if finding.severity == "error" else ""
    return f"<details{opened}>{''.join(lines)}</details>"


def _branches(conditional: Conditional, finding: Finding, drawings: Drawings) -> str:
    heads, cells, pictures = [], [], []
    for branch in conditional.branches:
        heads.append(f'<th style="{_BOX};text-align:left">{escape(str(branch["name"]))}</th>')
        outputs = [
            f"<b>{_type(output)}</b>" if finding.output == position else _type(output)
            for position, output in enumerate(branch["outputs"])
        ]
        cells.append(f'<td style="{_BOX};text-align:left">{"<br>".join(outputs) or "nothing"}</td>')
        if svg := drawings.get((conditional.input, conditional.path, str(branch["name"]))):
            pictures.append(f'<td style="{_BOX};text-align:left;background:#fff">{svg}</td>')
    operands = ", ".join(_type(operand) for operand in conditional.operands) or "no operands"
    predicate = _type(conditional.predicate)
    return (
        f'<table style="border-collapse:separate;margin:4px 0"><caption style="text-align:left">if {predicate}, '
        f"given {operands}</caption><tr>{''.join(heads)}</tr><tr>{''.join(cells)}</tr>"
        f"{'<tr>' + ''.join(pictures) + '</tr>' if pictures else ''}</table>"
    )


def _type(signature: Any) -> str:
    if not signature:
        return "?"
    if signature.get("kind") != "tensor":
        return escape(str(signature.get("kind") or "?"))
    shape = signature.get("shape")
    sizes = "..." if shape is None else ", ".join("?" if size is None else str(size) for size in shape)
    return f"<code>{escape(str(signature.get('dtype') or '?'))}[{escape(sizes)}]</code>"
