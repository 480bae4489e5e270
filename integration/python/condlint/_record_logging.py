"""What a branch asks of the module `logging`: torch.export drops what its functions say, and stops at loggers and the rest."""

from __future__ import annotations

import contextlib
import functools
import logging
import sys
from collections.abc import Callable, Iterator
from types import FrameType, FunctionType
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_patches import patched
from ._record_places import here, is_users
from ._record_uses import is_computed_with

if TYPE_CHECKING:
    from ._record import Recorder

# Methods of loggers that say something.
_LOGS = frozenset("critical debug error exception fatal handle info log warn warning".split())
# Functions of the module that do, and those that torch.export stops at.
_SAYS = ("critical", "debug", "error", "exception", "fatal", "info", "log", "warning")
_REFUSED = ("addLevelName", "basicConfig", "captureWarnings", "disable", "shutdown", "warn")
# Classes of which torch.export makes no objects.
_MADE = (logging.Handler, logging.LogRecord)
_STOPS = "at which torch.export stops unless it is strict"


@contextlib.contextmanager
def watched(recorder: Recorder) -> Iterator[None]:
    """Notes what user code asks of the module: each method of a logger, whether there is anything to say or not."""
    own: list[tuple[Any, str, Any]] = [
        (logging.Logger, name, _method(recorder, name, method))
        for name, method in vars(logging.Logger).items() if name[0] != "_" and isinstance(method, FunctionType)
    ]
    own += [(logging, name, _says(recorder, name, getattr(logging, name))) for name in _SAYS]
    own += [(logging, name, _refused(recorder, f"logging.{name}", getattr(logging, name))) for name in _REFUSED if hasattr(logging, name)]
    own += [(cls, "__init__", _refused(recorder, f"logging.{cls.__name__}", cls.__init__)) for cls in _MADE]
    own += [(logging.Logger, "__getattribute__", _read(recorder)), (logging.Logger, "__setattr__", _written(recorder))]
    with patched(own):
        yield


def is_dropped(recorder: Recorder, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether torch.export drops a function that says something of these, as `print` and `logging.info`, and does not stop at it."""
    torch = recorder.torch
    known = (torch.Tensor, str, int, float, complex, bool, type(None), bytes, torch.dtype, torch.device)
    fine = all(isinstance(value, known) or type(value).__module__ == "numpy" for value in (*args, *kwargs.values())) and not (kwargs and compat.refuses_print_with_names())
    return fine or compat.exports_strictly()


def _method(recorder: Recorder, name: str, inherited: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a logger."""

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
            recorder.effect_once("call", f"logging.Logger.{name}, {_STOPS}", here(recorder.until))
        if name == "isEnabledFor":
            return False
        return None if name in _LOGS else inherited(logger, *args, **kwargs)

    return method


def _says(recorder: Recorder, name: str, inherited: Callable[..., Any]) -> Callable[..., Any]:
    """`logging.info(…)`: what it is given decides."""

    @functools.wraps(inherited)
    def function(*args: Any, **kwargs: Any) -> Any:
        if not is_users(sys._getframe(1).f_code.co_filename) or is_dropped(recorder, args, kwargs):
            return inherited(*args, **kwargs)
        words = f"logging.{name} of what is no tensor, number or text, or with extra= and the like: torch.export stops at it unless it is strict"
        return recorder.effect_once("call", words, here(recorder.until))

    return function


def _refused(recorder: Recorder, name: str, inherited: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(inherited)
    def function(*args: Any, **kwargs: Any) -> Any:
        if _by_user(sys._getframe(1)):
            recorder.effect_once("call", name, here(recorder.until))
            if name == "logging.shutdown":
                return None  # it would close what is still written to
        return inherited(*args, **kwargs)

    return function


def _read(recorder: Recorder) -> Callable[..., Any]:
    """`log.level` and the like: torch.export holds on to it, and stops where something is made of it."""
    inherited = logging.Logger.__getattribute__

    def read(logger: logging.Logger, name: str) -> Any:
        if name in ("level", "disabled", "propagate", "handlers", "name"):
            frame = sys._getframe(1)
            if is_users(frame.f_code.co_filename) and is_computed_with(frame) and not compat.exports_strictly():
                recorder.effect_once("call", f"logging.Logger.{name}, {_STOPS}", here(recorder.until))
        return inherited(logger, name)

    return read


def _written(recorder: Recorder) -> Callable[..., None]:
    """`log.level = 10`."""
    inherited = logging.Logger.__setattr__

    def written(logger: logging.Logger, name: str, value: Any) -> None:
        if is_users(sys._getframe(1).f_code.co_filename):
            recorder.write_state(name, "member")
        inherited(logger, name, value)

    return written


def _by_user(frame: FrameType | None) -> bool:
    """Whether user code calls, itself or by other functions of the module."""
    while frame is not None and frame.f_code.co_filename == logging.__file__:
        if isinstance(frame.f_locals.get("self"), logging.Logger):
            return False  # a logger that says something makes a record of it
        frame = frame.f_back
    return frame is not None and is_users(frame.f_code.co_filename)


def _is_asked(frame: FrameType | None) -> bool:
    """Whether user code calls a logger's method, itself or by an adapter."""
    while frame is not None and frame.f_code.co_filename == logging.__file__ and isinstance(frame.f_locals.get("self"), logging.LoggerAdapter):
        frame = frame.f_back
    return frame is not None and is_users(frame.f_code.co_filename)
