"""Calls of the host's own functions: their answers would be frozen, and torch.export traces none of them."""

from __future__ import annotations

import contextlib
import os
import sys
import types
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

from ._record_places import is_of, is_stdlib, is_users

# Modules that are written in C, as a function's `__module__` or that of its object's type names them, with the functions
# that torch.export refuses; None is all of them. Others of their kind it computes while it traces (`os.fspath`).
_HOST: dict[str, frozenset[str] | None] = {
    "time": None,
    "posix": None,
    "nt": None,
    "datetime": frozenset({"datetime.now", "datetime.utcnow", "datetime.today", "date.today"}),
    "decimal": frozenset({"getcontext", "setcontext", "localcontext"}),
    "gc": None,
    "fcntl": None,
    "resource": None,
    "select": None,
    "signal": None,
    "pwd": None,
    "sys": frozenset({"_getframe", "getrefcount", "getsizeof", "setrecursionlimit"}),
    "_bisect": None,
    "_bz2": None,
    "_csv": None,
    "_hashlib": None,
    "_heapq": None,
    "_io": None,
    "_locale": None,
    "_lzma": None,
    "_pickle": None,
    "_posixsubprocess": None,
    "_queue": None,
    "_socket": None,
    "_thread": frozenset({"get_ident", "get_native_id", "lock.acquire", "lock.release", "RLock.acquire"}),
    "_sqlite3": None,
    "_uuid": None,
    "atexit": None,
    "binascii": None,
    "marshal": None,
    "mmap": None,
    "zlib": None,
    "_contextvars": frozenset({"ContextVar.get", "ContextVar.set", "ContextVar.reset"}),
    "contextvars": frozenset({"ContextVar.get", "ContextVar.set", "ContextVar.reset"}),
    "torch._C": frozenset({"set_num_threads", "set_num_interop_threads", "get_num_threads", "get_num_interop_threads"}),
}
_FINE = frozenset({"fspath", "_path_splitroot", "_path_normpath", "_path_isabs", "text_encoding"})
# Modules of the standard library that lead to no such function.
_PURE = frozenset(
    """__future__ abc builtins cmath collections contextlib copy dataclasses enum functools inspect itertools
    keyword logging math numbers operator re string textwrap types typing warnings weakref""".split()
)


_OF_TORCH = _HOST["torch._C"] or frozenset()
# Functions in Python that torch.export refuses as a whole; of a module that nothing imported nothing is called.
_IN_PYTHON = tuple(
    """copy.copy json.dump json.dumps json.load json.loads warnings.filterwarnings warnings.resetwarnings warnings.simplefilter
    numpy.load numpy.loadtxt numpy.save numpy.savetxt numpy.savez torch.get_rng_state torch.initial_seed torch.load
    torch.random.fork_rng torch.save torch.set_printoptions torch.set_rng_state""".split()
)
_NAMES_IN_PYTHON = frozenset(name.rsplit(".", 1)[1] for name in _IN_PYTHON)


def _codes() -> dict[CodeType, str]:
    """The code of those functions."""
    found = {}
    for name in _IN_PYTHON:
        module, own = name.rsplit(".", 1)
        function = getattr(sys.modules.get(module), own, None)
        function = getattr(function, "__wrapped__", function)
        if isinstance(function, types.FunctionType):
            found[function.__code__] = name
    return found


def mentions(names: set[str], space: dict[str, Any]) -> bool:
    """Whether code that mentions these names may reach such a function."""
    for name in names:
        if name in space:
            if leads_to_host(space[name]) or name in _NAMES_IN_PYTHON:
                return True
        elif name in _OF_TORCH or name in _NAMES_IN_PYTHON or (name in sys.stdlib_module_names and name not in _PURE):
            return True  # imported within the function, perhaps
    return False


def leads_to_host(value: Any) -> bool:
    """Whether a value is a module of the standard library through which the host is asked, or something of one."""
    if isinstance(value, types.ModuleType):
        root = value.__name__
    else:
        owner = value if isinstance(value, (type, types.BuiltinFunctionType, types.FunctionType)) else type(value)
        root = str(getattr(owner, "__module__", "") or "")
    root = root.split(".", 1)[0]
    return root in _HOST or (root in sys.stdlib_module_names and root not in _PURE)


def name_of(function: Any) -> str:
    """What such a function is called where user code calls it; nothing for any other."""
    owner = getattr(function, "__self__", None)
    own = str(getattr(function, "__name__", ""))
    if owner is None or isinstance(owner, types.ModuleType):
        module = owner.__name__ if owner is not None else str(getattr(function, "__module__", ""))
    else:
        cls = owner if isinstance(owner, type) else type(owner)
        module, own = cls.__module__, f"{cls.__qualname__}.{own}"
    known = _HOST.get(module, frozenset())
    if own in _FINE or (known is not None and own not in known):
        return ""
    spelt = {"posix": "os", "nt": "os", "torch._C": "torch", "_thread": "threading"}.get(module, module.lstrip("_"))
    return f"{spelt}.{own}"


# Parts of the standard library whose effects are seen otherwise.
_SEEN = tuple(f"{os.sep}{part}" for part in (f"logging{os.sep}__init__.py", "warnings.py", "linecache.py", "traceback.py"))
_SEEN_NAMES = frozenset({"os.putenv", "os.unsetenv"})  # of os.environ


def _asked_by_user(frame: FrameType | None, name: str, until: FrameType | None) -> bool:
    """Whether user code calls, itself or through the standard library, and no implementation of an operator does."""
    while frame is not None and (is_stdlib(frame.f_code.co_filename) or is_of("numpy", frame.f_code.co_filename)):
        if frame.f_code.co_filename.endswith(_SEEN) or name in _SEEN_NAMES:
            return False
        frame = frame.f_back
    if frame is None or not is_users(frame.f_code.co_filename):
        return False
    while frame is not None and frame is not until:
        if frame.f_code.co_filename.endswith(("fake_tensor.py", "_ops.py", "fake_impls.py", "custom_ops.py", "fake_impl.py")):
            return False
        frame = frame.f_back
    return True


@contextlib.contextmanager
def watched(
    note: Callable[[str], None] | None,
    calls: Callable[[FrameType, str, Any], None] | None,
    until: Callable[[], FrameType | None],
) -> Iterator[None]:
    """Hands the name of each such function that user code calls to `note`, and every call of a function in C to `calls`."""
    if note is None and calls is None:
        yield
        return

    codes = _codes() if note is not None else {}

    def profile(frame: FrameType, event: str, function: Any) -> None:
        if event == "call":
            if note is not None and (name := codes.get(frame.f_code)) and _asked_by_user(frame.f_back, name, until()):
                note(name)
            return
        if calls is not None and event != "return":
            calls(frame, event, function)
        if note is not None and event == "c_call" and (name := name_of(function)) and _asked_by_user(frame, name, until()):
            note(name)

    old = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(old)
