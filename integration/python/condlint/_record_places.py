"""Where in the user's own source something happens."""

from __future__ import annotations

import ast
import functools
import linecache
import os
import sys
import sysconfig
from dataclasses import dataclass
from types import CodeType, FrameType, TracebackType
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STDLIB = tuple(
    os.path.abspath(path) + os.sep for key in ("stdlib", "platstdlib") if (path := sysconfig.get_paths().get(key))
)
_SITE = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
# torch, and what it calls while a module runs.
_INTERNAL_PACKAGES = (
    "torch", "sympy", "mpmath", "numpy", "networkx", "optree", "typing_extensions.py", "jinja2", "filelock", "fsspec",
    "condlint",
)
_internal: dict[str, bool] = {}
_spelt: dict[int, tuple[Place, str, dict[str, Any]]] = {}


@dataclass(frozen=True)
class Place:
    """A part of a file: lines and columns count from 1, columns are 0 where they are not known."""

    path: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    function: str = ""

    def to_json(self) -> dict[str, Any]:
        """The place as graph JSON has it, which nobody changes: the calls that lead to an operator lead to others, too."""
        known = _spelt.get(id(self))
        folder = os.getcwd()
        if known is not None and known[0] is self and known[1] == folder:
            return known[2]
        out = self._as_json()
        if len(_spelt) > 10_000:
            _spelt.clear()
        _spelt[id(self)] = self, folder, out
        return out

    def _as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"path": _shown(self.path), "line": self.line}
        if self.function:
            out["function"] = self.function
        if self.column:
            out.update({"column": self.column, "endLine": self.end_line, "endColumn": self.end_column})
        return out


def _shown(path: str) -> str:
    """The path as a user would write it: what lies below the working folder, from there."""
    here = os.getcwd() + os.sep
    return path[len(here) :] if path.startswith(here) else path


def is_users(path: str) -> bool:
    """Whether the file is not part of torch, of the standard library or of condlint."""
    known = _internal.get(path)
    if known is None:
        known = _internal[path] = _is_internal(path)
    return not known


def is_stdlib(path: str) -> bool:
    """Whether the file is part of Python's standard library."""
    if path.startswith("<frozen"):
        return True
    return path.startswith(_STDLIB) and not is_installed(path)


def is_of(package: str, path: str) -> bool:
    """Whether the file belongs to that installed package."""
    return any(f"{site}{package}{os.sep}" in path for site in _SITE)


@functools.lru_cache(maxsize=10_000)
def is_installed(path: str) -> bool:
    """Whether the file belongs to an installed package."""
    return any(site in path for site in _SITE)


def _is_internal(path: str) -> bool:
    if path.startswith("<") and not path.startswith(("<stdin>", "<ipython")):
        return True
    full = os.path.abspath(path)
    if full.startswith(HERE):
        return True
    for site in _SITE:
        at = full.rfind(site)
        if at >= 0:
            return full[at + len(site) :].split(os.sep, 1)[0] in _INTERNAL_PACKAGES
    return full.startswith(_STDLIB)


def place_in(code: CodeType, instruction: int, line: int) -> Place:
    """The place of an instruction of `code`."""
    return _place_in(code, code.co_filename, instruction, line)


# Code that is equal may be of two files.
@functools.lru_cache(maxsize=10_000)
def _place_in(code: CodeType, path: str, instruction: int, line: int) -> Place:
    name = getattr(code, "co_qualname", code.co_name)
    if hasattr(code, "co_positions") and instruction >= 0:
        positions = _positions(code)
        at = instruction // 2
        if at < len(positions):
            first, last, start, end = positions[at]
            if first is not None and start is not None and last is not None and end is not None:
                # Columns are counted in UTF-8.
                return Place(path, first, _column(path, first, start), last, _column(path, last, end), name)
    return Place(path, line, function=name)


_cached_positions: dict[CodeType, list[tuple[int | None, int | None, int | None, int | None]]] = {}


def _positions(code: CodeType) -> list[tuple[int | None, int | None, int | None, int | None]]:
    found = _cached_positions.get(code)
    if found is None:
        if len(_cached_positions) > 10_000:
            _cached_positions.clear()
        found = _cached_positions[code] = list(code.co_positions())
    return found


def _column(path: str, line: int, offset: int) -> int:
    text = linecache.getline(path, line)
    if text.isascii():
        return offset + 1
    return len(text.encode("utf-8")[:offset].decode("utf-8", "replace")) + 1


def columns(path: str, node: ast.expr) -> tuple[int, int]:
    """The columns at which a part of a source begins and ends, as a place has them."""
    last = node.end_lineno or node.lineno
    return _column(path, node.lineno, node.col_offset), _column(path, last, node.end_col_offset or 0)


def user_frames(frame: FrameType | None, until: FrameType | None = None) -> list[FrameType]:
    """The frames of user code from `frame` outwards, innermost first; those below `until` only."""
    out = []
    while frame is not None and frame is not until:
        if is_users(frame.f_code.co_filename):
            out.append(frame)
        frame = frame.f_back
    return out


def at_user(frame: FrameType | None) -> tuple[int, int] | None:
    """Which instruction of user code is running, as far as it is another than the last."""
    frame = user_frame(frame)
    return (id(frame), frame.f_lasti) if frame is not None else None


def user_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame of user code, from `frame` outwards."""
    while frame is not None and not is_users(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def caller() -> FrameType | None:
    """The user code that calls, itself or by what stands in for a function; none where other code does."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(HERE):
        frame = frame.f_back
    return frame if frame is not None and is_users(frame.f_code.co_filename) else None


def spelt(place: Place | None) -> str:
    """A place in front of what is said of it."""
    return f"{_shown(place.path)}:{place.line}: " if place is not None else ""


def may_catch(code: CodeType) -> bool:
    """Whether code has a handler of exceptions somewhere; before Python 3.11 it does not say so, and may."""
    return bool(getattr(code, "co_exceptiontable", b"?"))


def said(error: BaseException) -> str:
    """An exception's name, and the first line of what it says."""
    lines = str(error).strip().splitlines()
    return type(error).__name__ + (f": {lines[0]}" if lines else "")


def here(until: FrameType | None = None) -> tuple[Place | None, list[Place]]:
    """The innermost place in user code that is running, and the calls that led there, outermost first.

    `until` is a frame beyond which calls are of no interest; where nothing of the user's runs within it, the innermost
    place outside of it is given.
    """
    frame: FrameType | None = sys._getframe(1)
    inside = user_frames(frame, until)
    if not inside:
        outside = user_frames(until)
        return (place_of(outside[0]) if outside else None), []
    return place_of(inside[0]), [place_of(f) for f in reversed(inside[1:])]


def place_of(frame: FrameType) -> Place:
    """The place that a frame is at."""
    return place_in(frame.f_code, frame.f_lasti, frame.f_lineno)


def place_of_expression(within: Place, node: ast.expr) -> Place:
    """The place of a part of the source that `within` is in."""
    first, last = columns(within.path, node)
    return Place(within.path, node.lineno, first, node.end_lineno or node.lineno, last, within.function)


def place_of_traceback(traceback: TracebackType | None) -> tuple[Place | None, list[Place], bool]:
    """Where an exception left user code, the calls that led there, and whether it was raised there itself."""
    places: list[Place] = []
    raised_there = False
    while traceback is not None:
        code = traceback.tb_frame.f_code
        raised_there = is_users(code.co_filename)
        if raised_there:
            places.append(place_in(code, traceback.tb_lasti, traceback.tb_lineno))
        traceback = traceback.tb_next
    if not places:
        return None, [], False
    return places[-1], places[:-1], raised_there


def place_of_statement(path: str, line: int, function: str = "") -> Place:
    """The line as a whole, without its indentation."""
    text = linecache.getline(path, line).rstrip("\n")
    stripped = text.split("#")[0].rstrip() or text.rstrip()
    column = len(text) - len(text.lstrip()) + 1
    if not stripped.strip():
        return Place(path, line, function=function)
    return Place(path, line, column, line, len(stripped) + 1, function)
