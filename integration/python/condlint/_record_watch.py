"""What a branch does besides computing: output, warnings, files, calls of the host, errors that it catches."""

from __future__ import annotations

import builtins
import contextlib
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from types import FrameType
from typing import TYPE_CHECKING, Any

from . import _record_calls, _record_logging
from . import _torch_compat as compat
from ._record_logging import is_dropped
from ._record_places import here, is_users
from ._record_source import calls_method, running, warns_by_text

if TYPE_CHECKING:
    from ._record import Recorder
    from ._record_state import Snapshot

@contextlib.contextmanager
def watched(recorder: Recorder, state: Snapshot | None) -> Iterator[None]:
    """Notes what a branch does besides computing, and keeps its output back.

    Calls of the host's functions and single statements are looked at where `state` says that the code may reach one of
    interest: it costs time. Without it they are not.
    """

    with ExitStack() as stack:
        for name, said, redirect in (("stdout", "standard output", redirect_stdout), ("stderr", "standard error", redirect_stderr)):
            stack.callback(_exchanged, recorder, name, stack.enter_context(redirect(_Stream(recorder, name, said))))
        stack.enter_context(_record_logging.watched(recorder))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("always")

        def warned(*args: Any, **kwargs: Any) -> None:
            frame: FrameType | None = sys._getframe(1)
            if frame is not None and calls_method(frame, "showwarning"):
                return recorder.effect_once("call", "warnings.showwarning", here(recorder.until))
            while frame is not None and frame.f_globals.get("__name__") == "warnings":
                frame = frame.f_back
            # Operators of torch warn as if the line that calls them did.
            if frame is not None and is_users(frame.f_code.co_filename) and (warnings.warn in running(frame) or calls_method(frame, "warn")):
                if warns_by_text(frame) or compat.exports_strictly():
                    recorder.effect("output", "warnings.warn")
                else:
                    words = "warnings.warn with more than a text, at which torch.export stops unless it is strict"
                    recorder.effect_once("call", words, here(recorder.until))

        warnings.showwarning = warned
        opened = builtins.open

        def open_file(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
            if is_users(sys._getframe(1).f_code.co_filename):
                recorder.effect("call", "open")
            return opened(file, mode, *args, **kwargs)

        printed = builtins.print

        def print_into(*args: Any, **kwargs: Any) -> None:
            if not is_users(sys._getframe(1).f_code.co_filename):
                printed(*args, **kwargs)
            elif _prints(recorder, args, kwargs):
                # What goes to the standard streams is seen there.
                if kwargs.get("file") not in (None, sys.stdout, sys.stderr):
                    recorder.effect("output", "print")
                printed(*args, **kwargs)

        builtins.print = print_into
        stack.callback(setattr, builtins, "print", printed)
        builtins.open = open_file
        stack.callback(setattr, builtins, "open", opened)
        if state is not None:
            statements = state.statements

            def called(name: str, at: Any = None) -> None:
                if not recorder.silent:
                    recorder.effect("call", name, at)

            def entered(what: str, name: str, at: Any) -> None:
                if what == "call":
                    called(name, at)
                else:
                    recorder.effect_once(what, name, at)

            note = called if state.asks_host else None
            stack.enter_context(_record_calls.watched(note, statements.watcher(recorder.until), lambda: recorder.until))
            stack.enter_context(statements.watched(recorder.until, entered, recorder.failed))
        yield


def _exchanged(recorder: Recorder, name: str, ours: Any) -> None:
    """A branch has run; whether it left another standard stream behind."""
    if getattr(sys, name) is not ours:
        recorder.write_state(f"sys.{name}", "global")


def _prints(recorder: Recorder, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether torch.export drops a `print`; where it stops at it instead, that is noted."""
    if is_dropped(recorder, args, kwargs):
        return True
    words = "print of what is no tensor, number or text, or with file= and the like: torch.export stops at it unless it is strict"
    recorder.effect_once("call", words, here(recorder.until))
    return False


class _Stream:
    """Stands for a standard stream: takes what is written, and notes what user code asks of it itself, at which torch.export stops."""

    def __init__(self, recorder: Recorder, name: str, said: str) -> None:
        self._recorder, self._name, self._said = recorder, name, said
        self._stream = getattr(sys, name) or sys.__stdout__

    def write(self, text: str) -> int:
        """What is written is told, and goes nowhere."""
        if not self._asked("write") and text.strip():
            self._recorder.effect("output", self._said)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """The same of several lines."""
        self._asked("writelines")

    def flush(self) -> None:
        """Nothing is kept."""
        self._asked("flush")

    def _asked(self, method: str) -> bool:
        asked = is_users(sys._getframe(2).f_code.co_filename)
        if asked:
            self._recorder.effect_once("call", f"sys.{self._name}.{method}", here(self._recorder.until))
        return asked

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._stream, name)
        if not callable(found):
            return found

        def method(*args: Any, **kwargs: Any) -> Any:
            self._asked(name)
            return found(*args, **kwargs)

        return method
