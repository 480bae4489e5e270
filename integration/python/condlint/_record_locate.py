"""The lines of a branch that write what outlives it: it is run again, line by line."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ._record_places import Place, is_users, place_of_statement, user_frames
from ._record_slots import Slot, same


@dataclass
class Change:
    """A slot that a branch wrote, and the lines that did it."""

    slot: Slot
    name: str = ""  # what of it was written
    places: list[tuple[Place, list[Place]]] = field(default_factory=list)


def describe(change: Change) -> str:
    """What of a slot was written: the attribute or key where it is one."""
    before, after = change.slot.before, change.slot.read()
    if isinstance(before, dict) and isinstance(after, dict):
        for key in after:
            if key not in before or not same(before[key], after[key]):
                return _key_of(change.slot, key)
        for key in before:
            if key not in after:
                return _key_of(change.slot, key)
    return change.slot.name


def _key_of(slot: Slot, key: Any) -> str:
    if isinstance(key, str) and slot.kind == "member" and key.isidentifier():
        return key
    return f"{slot.name}[{key!r}]" if slot.name else repr(key)


def statement_at(frame: types.FrameType | None, until: types.FrameType | None) -> tuple[Place, list[Place]] | None:
    """The statement of user code that runs in `frame`, and the calls that led there."""
    frames = user_frames(frame, until)
    if not frames:
        return None
    code = frames[0].f_code
    inner = place_of_statement(code.co_filename, frames[0].f_lineno, getattr(code, "co_qualname", code.co_name))
    calls = [place_of_statement(f.f_code.co_filename, f.f_lineno, f.f_code.co_name) for f in reversed(frames[1:])]
    return inner, calls


def locate(changes: list[Change], run: Callable[[], None], until: types.FrameType | None) -> None:
    """Runs the branch again, line by line, and notes which lines write."""
    last: list[Any] = [None]
    known = [change.slot.read() for change in changes]

    def look() -> None:
        for at, change in enumerate(changes):
            now = change.slot.read()
            if same(known[at], now):
                continue
            known[at] = now
            if last[0] is not None and last[0] not in change.places:
                change.places.append(last[0])

    def note(frame: types.FrameType) -> None:
        last[0] = statement_at(frame, until) or last[0]

    def local(frame: types.FrameType, event: str, arg: Any) -> Any:
        if event != "return" or not frame.f_code.co_flags & inspect.CO_GENERATOR:
            look()  # a step of a generator is its caller's
        if event == "line":
            note(frame)
        elif event == "return" and frame.f_back is not None and is_users(frame.f_back.f_code.co_filename):
            note(frame.f_back)
        return local

    def trace(frame: types.FrameType, event: str, arg: Any) -> Any:
        return local if is_users(frame.f_code.co_filename) else None

    old = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(old)
    look()
