"""The package is `py.typed`: mypy finds nothing in it, and users of it see the types that it promises."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("mypy", reason="mypy is not installed: types are not checked")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def mypy(folder, *what):
    package = os.path.join(ROOT, "integration", "python")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.path.join(ROOT, "pyproject.toml"),
               "--cache-dir", os.path.join(folder, "cache"), *what]
    return subprocess.run(command, cwd=package, env={**os.environ, "MYPYPATH": package}, capture_output=True, text=True)


def test_package_is_typed(tmp_path):
    got = mypy(tmp_path, "-p", "condlint")
    assert got.returncode == 0, got.stdout + got.stderr


def test_user_sees_types(tmp_path):
    source = tmp_path / "user.py"
    source.write_text(
        "import condlint\n\n\ndef first(path: str) -> str:\n    report = condlint.check(path, target='torch@2.13')\n"
        "    report.raise_for_findings(severity='warning')\n    return report.findings[0].rule if not report.ok else str(report)\n\n\n"
        "wrong: int = condlint.check('m.onnx').findings[0].message\n"
    )
    got = mypy(tmp_path, str(source))
    errors = [line for line in got.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1 and "user.py:10: error: Incompatible types in assignment" in errors[0], got.stdout + got.stderr
