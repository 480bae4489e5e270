"""condlint: finds conditionals whose two branches do not fit together.

>>> import condlint
>>> report = condlint.check("model.onnx", target="tensorrt@10.3")
>>> print(report)

`check` takes files, models in memory and live modules; docs/python.md shows all of it. Nothing of torch or onnx is
imported before it is needed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._check import check, dump, explain, rules, run, targets, version
    from ._errors import CondlintError, EngineError, FindingsError, InputError, MissingPackageError
    from ._explain_export import explain_export
    from ._headers import get_include
    from ._report import Conditional, Finding, Fix, Input, Location, Related, Report, Summary

__all__ = [
    "CondlintError",
    "Conditional",
    "EngineError",
    "Finding",
    "FindingsError",
    "Fix",
    "Input",
    "InputError",
    "Location",
    "MissingPackageError",
    "Related",
    "Report",
    "Summary",
    "check",
    "dump",
    "explain",
    "explain_export",
    "get_include",
    "rules",
    "run",
    "targets",
    "version",
]

_PLACES = {
    **dict.fromkeys(("check", "dump", "explain", "rules", "run", "targets", "version"), "_check"),
    **dict.fromkeys(("CondlintError", "EngineError", "FindingsError", "InputError", "MissingPackageError"), "_errors"),
    **dict.fromkeys(
        ("Conditional", "Finding", "Fix", "Input", "Location", "Related", "Report", "Summary"), "_report"
    ),
    "explain_export": "_explain_export",
    "get_include": "_headers",
}
_MODULES = ("torch", "onnx", "pytest_plugin")


def __getattr__(name: str) -> Any:
    # Importing condlint costs next to nothing: its parts are loaded when they are used.
    if name == "__version__":
        return importlib.import_module("._check", __name__).version()
    if name in _PLACES:
        value = getattr(importlib.import_module(f".{_PLACES[name]}", __name__), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'condlint' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "torch", "onnx", "__version__"])
