"""`python -m condlint`: the program, and the inputs that only Python can read.

`condlint check package.module:factory` imports the user's module and runs it; `condlint check model.py --target
nnscaler` reads Python source. Everything else is the program's.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from ._errors import CondlintError

_FACTORY = re.compile(r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$")
# What is meant for one: the path of a source, a call, no name at all.
_NEARLY = re.compile(r"^[\w./-]+:([A-Za-z_]\w*)?(\(\))?$")
USAGE, UNANALYSED = 2, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    inputs = [a for a in given[1:] if not a.startswith("-")] if given[:1] == ["check"] else []
    ours = [i for i in inputs if is_python_input(i)]
    if ours:
        from ._command import check_command

        try:
            return check_command(given[1:])
        except CondlintError as error:
            print(f"condlint: {error}", file=sys.stderr)
            return UNANALYSED
    if wrong := [i for i in inputs if _NEARLY.match(i) and not os.path.exists(i)]:
        print(f"condlint: {wrong[0]}: {_meant(wrong[0])}", file=sys.stderr)
        return UNANALYSED
    return _program(given)


def is_python_input(text: str) -> bool:
    """Whether an input is a factory (`package.module:factory`) or a Python source."""
    is_factory = bool(_FACTORY.match(text)) and not text.partition(":")[0].endswith(".py") and not os.path.exists(text)
    return is_factory or text.endswith(".py")


def _meant(text: str) -> str:
    """What to write in place of an input that is nearly a factory."""
    path, _, name = text.partition(":")
    folder, file = os.path.split(path.removesuffix(".py"))
    where = f" in the folder {folder}" if folder not in ("", ".") else ""
    return (
        f"no such file; a live module is given as package.module:factory, here{where} python -m condlint check "
        f"{file or 'MODULE'}:{name.removesuffix('()') or 'FACTORY'}"
    )


def _program(arguments: list[str]) -> int:
    from ._engine import find_program

    path = find_program()
    if path is None:
        print(
            "condlint: the program is not part of this installation; install the wheel (pip install condlint), or set "
            "CONDLINT_PROGRAM to a condlint that was built",
            file=sys.stderr,
        )
        return USAGE
    sys.stdout.flush()
    if sys.platform == "win32":
        import subprocess

        return subprocess.call([path, *arguments])
    os.execv(path, [path, *arguments])


if __name__ == "__main__":
    sys.exit(main())
