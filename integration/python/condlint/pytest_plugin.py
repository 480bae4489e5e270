"""pytest: `--condlint` collects models as tests, and the fixture `condlint_check` asserts that a module is sound."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

_SUFFIXES = (".pt2", ".onnx")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("condlint", "conditionals whose branches do not fit together")
    group.addoption("--condlint", action="store_true", help="check each .pt2 and .onnx that is collected")
    group.addoption("--condlint-target", action="append", default=[], help="a system that will run the models; repeatable")
    group.addoption(
        "--condlint-fail-on", choices=["error", "warning", "note"], default="error", help="which findings fail a test"
    )
    parser.addini("condlint_target", "systems that will run the models", type="args", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A model is a test where `--condlint` is given."""
    if parent.config.getoption("--condlint") and file_path.suffix in _SUFFIXES:
        collected: pytest.Collector = ModelFile.from_parent(parent, path=file_path)
        return collected
    return None


class ModelFile(pytest.File):
    """A file with a model."""

    def collect(self) -> Iterable[pytest.Item]:
        """The one test of the file."""
        yield ModelItem.from_parent(self, name="condlint")


class ModelItem(pytest.Item):
    """The check of one model."""

    def runtest(self) -> None:
        """Checks the model."""
        import condlint

        condlint.check(self.path, target=_targets(self.config)).raise_for_findings(
            self.config.getoption("--condlint-fail-on")
        )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What condlint says, and no traceback."""
        import condlint

        if isinstance(excinfo.value, condlint.CondlintError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """How the test is called in a report."""
        return self.path, None, f"condlint: {self.path.name}"


@pytest.fixture
def condlint_check(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """A function like `condlint.check` that fails the test where there are findings.

    Besides the arguments of `condlint.check` it takes `fail_on` ("error", "warning" or "note"), and returns the report.
    """
    config = request.config

    def checked(*args: Any, fail_on: str | None = None, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        import condlint

        kwargs.setdefault("target", _targets(config))
        try:
            report = condlint.check(*args, **kwargs)
        except condlint.CondlintError as error:
            pytest.fail(str(error), pytrace=False)
        if report.at_least(fail_on or config.getoption("--condlint-fail-on")):
            pytest.fail(str(report), pytrace=False)
        return report

    return checked


def _targets(config: pytest.Config) -> list[str] | None:
    return list(config.getoption("--condlint-target")) or list(config.getini("condlint_target")) or None
