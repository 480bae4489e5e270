"""What a branch does besides computing: output, warnings, files, calls of the host, errors that it catches."""

from __future__ import annotations

import builtins
import contextlib
import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from types import FrameType
from typing import TYPE_CHECKING, Any

from . import _record_calls
from ._record_places import is_users
from ._record_source import calls_method, running

if TYPE_CHECKING:
    from ._record import Recorder
    from ._record_state import Snapshot


@contextlib.contextmanager
def watched(recorder: Recorder, state: Snapshot | None) -> Iterator[None]:
    """Notes what a branch does besides computing, and keeps its output back.

    Calls of the host's functions and single statements are looked at where `state` says that the code may reach one of
    interest: it costs time. Without it they are not.
    """

    def noted(name: str) -> Callable[..., None]:
        return lambda *args, **kwargs: recorder.effect("output", name)

    handle = logging.Logger.handle
    with ExitStack() as stack:
        for stream, redirect in (("standard output", redirect_stdout), ("standard error", redirect_stderr)):
            stack.enter_context(redirect(_Stream(noted(stream))))
        logging.Logger.handle = lambda logger, record: (  # type: ignore[method-assign,assignment]
            None if logger.name.split(".")[0] == "torch" else recorder.effect("output", f"logger {logger.name}")
        )
        stack.callback(setattr, logging.Logger, "handle", handle)
        enabled = logging.Logger.isEnabledFor

        def is_enabled_for(logger: logging.Logger, level: int) -> bool:
            # User code, or one of the methods that log: torch.export stops there whether there is anything to say or not.
            asked_by: FrameType | None = sys._getframe(1)
            if asked_by is not None and asked_by.f_code.co_filename == logging.__file__:
                asked_by = asked_by.f_back
            if asked_by is not None and is_users(asked_by.f_code.co_filename):
                recorder.effect("output", f"logger {logger.name}")
                return False
            return enabled(logger, level)

        logging.Logger.isEnabledFor = is_enabled_for  # type: ignore[method-assign,assignment]
        stack.callback(setattr, logging.Logger, "isEnabledFor", enabled)
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("always")

        def warned(*args: Any, **kwargs: Any) -> None:
            frame: FrameType | None = sys._getframe(1)
            while frame is not None and frame.f_globals.get("__name__") == "warnings":
                frame = frame.f_back
            # Operators of torch warn as if the line that calls them did.
            if frame is not None and is_users(frame.f_code.co_filename) and (warnings.warn in running(frame) or calls_method(frame, "warn")):
                recorder.effect("output", "warnings.warn")

        warnings.showwarning = warned
        opened = builtins.open

        def open_file(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
            if is_users(sys._getframe(1).f_code.co_filename):
                recorder.effect("output" if set(mode) & set("wax+") else "input", str(file))
            return opened(file, mode, *args, **kwargs)

        printed = builtins.print

        def print_into(*args: Any, file: Any = None, **kwargs: Any) -> None:
            # What goes to the standard streams is seen there.
            if file not in (None, sys.stdout, sys.stderr) and is_users(sys._getframe(1).f_code.co_filename):
                recorder.effect("output", "print")
            printed(*args, file=file, **kwargs)

        builtins.print = print_into
        stack.callback(setattr, builtins, "print", printed)
        builtins.open = open_file
        stack.callback(setattr, builtins, "open", opened)
        if state is not None:
            statements = state.statements

            def called(name: str, at: Any = None) -> None:
                if not recorder.silent:
                    recorder.effect("call", name, at)

            note = called if state.asks_host else None
            stack.enter_context(_record_calls.watched(note, statements.watcher(recorder.until), lambda: recorder.until))
            stack.enter_context(statements.watched(recorder.until, called, recorder.failed))
        yield


class _Stream:
    """Takes what is written, and says so."""

    def __init__(self, note: Callable[..., None]) -> None:
        self._note = note
        self.encoding = "utf-8"

    def write(self, text: str) -> int:
        if text.strip():
            self._note()
        return len(text)

    def flush(self) -> None:
        """Nothing is kept."""

    def isatty(self) -> bool:
        """It is no terminal."""
        return False
