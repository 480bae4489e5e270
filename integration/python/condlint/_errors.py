"""What condlint raises: every exception says what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._report import Report

__all__ = ["CondlintError", "EngineError", "FindingsError", "InputError", "MissingPackageError"]


class CondlintError(Exception):
    """The root of what condlint raises."""


class InputError(CondlintError, ValueError):
    """What was given cannot be analysed; the message says what can be."""


class MissingPackageError(CondlintError, ImportError):
    """A package that is needed for this is not installed, or is too old."""


class EngineError(CondlintError, RuntimeError):
    """The analysis itself could not be run: no program and no library, or it failed."""


class FindingsError(CondlintError):
    """Raised by `Report.raise_for_findings`: prints as the program does.

    Attributes
    ----------
    report : Report
        Everything that was found.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report.to_text())
        self.report = report


# Users know them by where they import them from.
for _error in (CondlintError, EngineError, FindingsError, InputError, MissingPackageError):
    _error.__module__ = "condlint"
