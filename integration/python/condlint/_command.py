"""`condlint check` for inputs that only Python can read: `package.module:factory` and `model.py`."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ._check import check
from ._errors import InputError
from ._record_places import place_of_traceback, said, spelt
from ._report import SEVERITIES, Report

CLEAN, FINDINGS, USAGE, UNANALYSED = 0, 1, 2, 3


def check_command(arguments: Sequence[str]) -> int:
    """Runs `condlint check` on live modules and Python sources, and returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="condlint check",
        description="Checks live modules (package.module:factory) and Python sources (model.py, for nnscaler).",
    )
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    parser.add_argument("--target", action="append", help="a system that will run the model; repeatable")
    parser.add_argument("--output", action="append", default=[], metavar="FORMAT[=FILE]", help="text or json")
    parser.add_argument("--fail-on", choices=[*reversed(SEVERITIES), "never"], default="error")
    parser.add_argument("--select", help="rules to check, separated by commas")
    parser.add_argument("--ignore", help="rules to leave out")
    parser.add_argument("--config", help="a configuration")
    parser.add_argument("--no-config", action="store_true", help="as it is: a model in memory has none")
    parser.add_argument("--quiet", "-q", action="store_true", help="one line a finding")
    parser.add_argument("--color", choices=["auto", "always", "never"], default="auto", help="for the program's sake")
    chosen = parser.parse_args(list(arguments))
    reports = [_check(name, chosen) for name in chosen.inputs]
    for output in chosen.output or ["text"]:
        form, _, path = output.partition("=")
        if form not in ("text", "json"):
            raise InputError(f"--output {form}: for inputs that Python reads there are 'text' and 'json'")
        text = _merged(reports).to_json() if form == "json" else _text(reports, chosen.quiet)
        if path:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text + "\n")
        else:
            print(text)
    if any(i.status != "ok" for report in reports for i in report.inputs):
        return UNANALYSED
    failed = chosen.fail_on != "never" and any(report.at_least(chosen.fail_on) for report in reports)
    return FINDINGS if failed else CLEAN


def _check(name: str, chosen: argparse.Namespace) -> Report:
    options: dict[str, Any] = {"select": chosen.select, "ignore": chosen.ignore, "config": chosen.config}
    if name.endswith(".py"):
        if not chosen.target or [t.split("@")[0] for t in chosen.target] != ["nnscaler"]:
            raise InputError(
                f"{name}: a Python source is read for nnscaler (--target nnscaler); a module is checked by running it: "
                f"python -m condlint check {os.path.splitext(os.path.basename(name))[0]}:FACTORY, where FACTORY returns the "
                "module and its inputs"
            )
        return check(name, target=chosen.target, **options)
    if ":" not in name:
        return check(name, target=chosen.target, **options)
    print(f"condlint: importing {name.split(':')[0]} and running {name}", file=sys.stderr)
    module, args, kwargs, shapes = load_factory(name)
    return check(module, args, kwargs, dynamic_shapes=shapes, target=chosen.target, **options)


def load_factory(name: str) -> tuple[Any, tuple[Any, ...], dict[str, Any], Any]:
    """Imports `package.module:factory`, calls the factory, and returns module, args, kwargs, dynamic_shapes."""
    module_name, _, attribute = name.partition(":")
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise InputError(f"{name}: {module_name} cannot be imported: {error}{_where(error)}") from error
        raise InputError(
            f"{name}: there is no module {error.name!r} to import; run condlint in the folder that holds it, or add that to PYTHONPATH"
        ) from error
    except (Exception, SystemExit) as error:
        raise InputError(f"{name}: importing {module_name} raised {said(error)}{_where(error)}") from error
    factory = getattr(module, attribute, None)
    if not callable(factory):
        reason = f"{attribute!r} of {module_name} cannot be called" if hasattr(module, attribute) else f"{module_name} has no {attribute!r}"
        raise InputError(f"{name}: {reason}; {_FACTORY}")
    try:
        made = factory()
    except (Exception, SystemExit) as error:
        where = _where(error)
        what_it_is = "" if where else f"; {_FACTORY}"  # it was called wrongly
        raise InputError(f"{name}() raised {said(error)}{where}{what_it_is}") from error
    parts = made if isinstance(made, tuple) else (made,)
    if len(parts) < 2 or len(parts) > 4 or not callable(parts[0]):
        raise InputError(f"{name}() returned {_kinds(made)}; {_FACTORY}")
    if not isinstance(parts[1], (tuple, list)):
        raise InputError(f"{name}() returned {_kinds(made)}; the inputs are a tuple, (x,) for a single one: {_FACTORY}")
    kwargs = parts[2] if len(parts) > 2 and parts[2] is not None else {}
    if not isinstance(kwargs, Mapping):
        raise InputError(f"{name}() returned {_kinds(made)}; kwargs is a dict from the names of inputs to their values: {_FACTORY}")
    return parts[0], tuple(parts[1]), dict(kwargs), parts[3] if len(parts) > 3 else None


_FACTORY = (
    "a factory takes nothing and returns (module, args), (module, args, kwargs) or (module, args, kwargs, dynamic_shapes)"
)


def _where(error: BaseException) -> str:
    """The line of the user's code at which an error was raised, as far as there is one."""
    place, _, _ = place_of_traceback(error.__traceback__)
    return f" ({spelt(place).removesuffix(': ')})" if place is not None else ""


def _kinds(made: Any) -> str:
    """What a factory returned."""
    return f"({', '.join(type(part).__name__ for part in made)})" if isinstance(made, tuple) else type(made).__name__


def _text(reports: list[Report], quiet: bool) -> str:
    if quiet:
        return "\n".join(str(finding) for report in reports for finding in report.findings)
    return "\n".join(report.to_text().rstrip("\n") for report in reports)


def _merged(reports: list[Report]) -> Report:
    """Several reports as one."""
    first = reports[0].to_dict()
    for other in (report.to_dict() for report in reports[1:]):
        for key in ("inputs", "conditionals", "findings"):
            first[key] += other[key]
        for part in ("inputs", "findings", "conditionals", "untypedOperators"):
            for name, number in other["summary"][part].items():
                first["summary"][part][name] = first["summary"][part].get(name, 0) + number
        first["summary"]["exitCode"] = max(first["summary"]["exitCode"], other["summary"]["exitCode"])
    return Report(first)
