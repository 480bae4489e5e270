"""What a branch does besides computing: output, warnings, files, calls of the host, errors that it catches."""

from __future__ import annotations

import builtins
import contextlib
import functools
import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from types import FrameType, FunctionType
from typing import TYPE_CHECKING, Any

from . import _record_calls
from . import _torch_compat as compat
from ._record_places import here, is_users
from ._record_source import calls_method, running, warns_by_text

if TYPE_CHECKING:
    from ._record import Recorder
    from ._record_state import Snapshot

# Methods of loggers that say something.
_LOGS = frozenset("critical debug error exception fatal handle info log warn warning".split())


@contextlib.contextmanager
def watched(recorder: Recorder, state: Snapshot | None) -> Iterator[None]:
    """Notes what a branch does besides computing, and keeps its output back.

    Calls of the host's functions and single statements are looked at where `state` says that the code may reach one of
    interest: it costs time. Without it they are not.
    """

    def noted(name: str) -> Callable[..., None]:
        return lambda *args, **kwargs: recorder.effect("output", name)

    with ExitStack() as stack:
        for stream, redirect in (("standard output", redirect_stdout), ("standard error", redirect_stderr)):
            stack.enter_context(redirect(_Stream(noted(stream))))
        stack.enter_context(_loggers(recorder))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("always")

        def warned(*args: Any, **kwargs: Any) -> None:
            frame: FrameType | None = sys._getframe(1)
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
                recorder.effect("output" if set(mode) & set("wax+") else "input", str(file))
            return opened(file, mode, *args, **kwargs)

        printed = builtins.print

        def print_into(*args: Any, file: Any = None, **kwargs: Any) -> None:
            # What goes to the standard streams is seen there.
            if is_users(sys._getframe(1).f_code.co_filename) and _keeps_print(recorder, args, {**kwargs, **({} if file is None else {"file": file})}):
                return None
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

            def entered(what: str, name: str, at: Any) -> None:
                if what == "call":
                    called(name, at)
                else:
                    recorder.effect_once(what, name, at)

            note = called if state.asks_host else None
            stack.enter_context(_record_calls.watched(note, statements.watcher(recorder.until), lambda: recorder.until))
            stack.enter_context(statements.watched(recorder.until, entered, recorder.failed))
        yield


def _keeps_print(recorder: Recorder, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether torch.export stops at a `print` instead of dropping it; it is noted then."""
    torch = recorder.torch
    known = (torch.Tensor, str, int, float, complex, bool, type(None), bytes, torch.dtype, torch.device, torch.SymInt, torch.SymFloat, torch.SymBool)
    fine = all(isinstance(value, known) for value in (*args, *kwargs.values())) and not (kwargs and compat.refuses_print_with_names())
    if fine or compat.exports_strictly():
        return False
    words = "print of what is no tensor, number or text, or with file= and the like: torch.export stops at it unless it is strict"
    recorder.effect_once("call", words, here(recorder.until))
    return True


@contextlib.contextmanager
def _loggers(recorder: Recorder) -> Iterator[None]:
    """Notes what code asks of loggers: torch.export stops at each method, whether there is anything to say or not, unless it is strict."""
    own = {name: method for name, method in vars(logging.Logger).items() if name[0] != "_" and isinstance(method, FunctionType)}

    def watching(name: str, inherited: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(inherited)
        def method(logger: logging.Logger, *args: Any, **kwargs: Any) -> Any:
            if not _is_asked(sys._getframe(1)):
                if name != "handle":
                    return inherited(logger, *args, **kwargs)
                # By functions of the module `logging`, which torch.export drops.
                return None if logger.name.split(".")[0] == "torch" else recorder.effect("output", f"logger {logger.name}")
            if compat.drops_logging(inherited, getattr(logger, name)):
                recorder.effect("output", f"logger {logger.name}")
            else:
                words = f"logging.Logger.{name}, at which torch.export stops unless it is strict"
                recorder.effect_once("call", words, here(recorder.until))
            if name == "isEnabledFor":
                return False
            return None if name in _LOGS else inherited(logger, *args, **kwargs)

        return method

    for name, inherited in own.items():
        setattr(logging.Logger, name, watching(name, inherited))
    try:
        yield
    finally:
        for name, inherited in own.items():
            setattr(logging.Logger, name, inherited)


def _is_asked(frame: FrameType | None) -> bool:
    """Whether user code calls a logger's method, itself or by an adapter."""
    while frame is not None and frame.f_code.co_filename == logging.__file__ and isinstance(frame.f_locals.get("self"), logging.LoggerAdapter):
        frame = frame.f_back
    return frame is not None and is_users(frame.f_code.co_filename)


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
