"""Calls of the host's own functions: their answers would be frozen, and torch.export traces none of them."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import types
from collections.abc import Callable, Iterator, Set
from types import CodeType, FrameType
from typing import Any

from . import _torch_compat as compat
from ._record_places import HERE, is_of, is_stdlib, is_users

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
    "sys": frozenset(
        {"_getframe", "displayhook", "getdefaultencoding", "getrefcount", "getsizeof", "gettrace", "is_finalizing", "setrecursionlimit", "settrace"}
    ),
    "_bisect": None,
    "_bz2": None,
    "_csv": None,
    "_hashlib": None,
    "_heapq": None,
    "_io": None,
    "io": None,
    "_locale": None,
    "_lzma": None,
    "_pickle": None,
    "_posixsubprocess": None,
    "_queue": None,
    "_socket": None,
    "_thread": frozenset({"allocate_lock", "get_ident", "get_native_id", "lock.acquire", "lock.release", "RLock.acquire"}),
    "_sqlite3": None,
    "_uuid": None,
    "atexit": None,
    "binascii": None,
    "cmath": None,
    "marshal": None,
    "mmap": None,
    "zlib": None,
    "_contextvars": frozenset({"ContextVar.get", "ContextVar.set", "ContextVar.reset"}),
    "contextvars": frozenset({"ContextVar.get", "ContextVar.set", "ContextVar.reset"}),
    "unicodedata": None,
    "_operator": frozenset({"truth"}),  # of some versions
    "_warnings": frozenset({"warn_explicit"}),
    "torch._C": frozenset({"set_num_threads", "set_num_interop_threads", "get_num_threads", "get_num_interop_threads"}),
}
# Of Python's own functions and types in C, where the user's code itself calls them: of bytes it follows `decode` alone.
_BUILTINS = frozenset(
    {"__build_class__", "compile", "dir", "exec", "globals", "float.fromhex", "int.from_bytes", "int.to_bytes", "str.maketrans"}
    | {f"bytes.{name}" for name in dir(bytes) if name[0] != "_" and name != "decode"}
)
_NAMES_OF_BUILTINS = frozenset(name.rsplit(".", 1)[-1] for name in _BUILTINS)
_FINE = frozenset({"fspath", "_path_splitroot", "_path_normpath", "_path_isabs", "text_encoding"})
# Modules of the standard library that lead to no such function.
_PURE = frozenset(
    """__future__ abc builtins collections contextlib copy dataclasses enum functools inspect itertools
    keyword logging math numbers operator re string textwrap types typing warnings weakref""".split()
)


_OF_TORCH = _HOST["torch._C"] or frozenset()
# Functions in Python that torch.export refuses as a whole; of a module that nothing imported nothing is called.
_IN_PYTHON = tuple(
    """argparse.ArgumentParser.__init__ ast.literal_eval ast.parse calendar.timegm calendar.weekday configparser.RawConfigParser.__init__
    contextlib.ExitStack.enter_context copy.copy
    inspect.currentframe inspect.getfile inspect.getsource inspect.stack ipaddress.ip_address
    ipaddress.ip_network json.dump json.dumps json.load json.loads logging.getLogger pprint.pformat pprint.pprint queue.Queue.__init__
    random.Random.getstate random.Random.setstate statistics.correlation statistics.covariance statistics.geometric_mean statistics.harmonic_mean
    statistics.linear_regression statistics.mean statistics.median_grouped statistics.pstdev
    statistics.pvariance statistics.stdev statistics.variance string.Template.substitute
    threading.Condition.__init__ threading.Event.__init__ threading.Thread.__init__ threading.current_thread
    traceback.extract_stack traceback.format_stack traceback.print_exc traceback.print_stack warnings.filterwarnings warnings.formatwarning warnings.resetwarnings warnings.simplefilter
    numpy.load numpy.loadtxt numpy.save numpy.savetxt numpy.savez torch.autograd.set_detect_anomaly.__init__
    torch.backends.cudnn.is_available torch.backends.mkl.is_available torch.backends.mkldnn.is_available
    torch.cuda.device_count torch.cuda.manual_seed torch.cuda.manual_seed_all torch.get_rng_state torch.hub.get_dir torch.initial_seed torch.load
    torch.random.fork_rng torch.save torch.set_printoptions torch.set_rng_state torch.Tensor.__deepcopy__ torch.nn.Parameter.__deepcopy__ torch.Tensor.is_shared torch.Tensor.storage torch.testing.assert_close torch.typename
    torch.utils.data.DataLoader.__init__ torch.utils.data.TensorDataset.__init__""".split()
)
# The same, whether user code calls them itself or through others of torch: a layer that is made in a branch makes parameters.
_THROUGH_TORCH = tuple(
    """torch.autograd.backward torch.autograd.grad torch.nn.GRU.forward torch.nn.LSTM.forward torch.nn.Parameter.__new__
    torch.nn.RNN.forward torch.utils.checkpoint.checkpoint torch.utils.checkpoint.checkpoint_sequential""".split()
)
_UNSAID = (".__init__", ".__new__", ".forward")  # the class is what is named


def _said(name: str) -> str:
    return next((name.removesuffix(end) for end in _UNSAID if name.endswith(end)), name)


# What code says that may lead to one; `torch.autograd.functional` is made of `torch.autograd.grad`.
_NAMES_IN_PYTHON = frozenset(_said(name).rsplit(".", 1)[1] for name in (*_IN_PYTHON, *_THROUGH_TORCH)) | {
    "deepcopy", "hessian", "hvp", "jacobian", "jvp", "vhp", "vjp", "warn_explicit",
}


@functools.singledispatch
def _DISPATCHED(value: Any) -> None:
    """All functions that go by the type of their first argument share the code that chooses."""


def _codes() -> dict[CodeType, tuple[str, bool]]:
    """The code of those functions, what to call them, and whether others of torch may lead there."""
    found = {}
    for name in (*_IN_PYTHON, *_THROUGH_TORCH):
        if name.startswith("torch.utils.checkpoint.") and compat.follows_checkpoints():
            continue
        parts = name.split(".")
        at = next((i for i in range(len(parts) - 1, 0, -1) if ".".join(parts[:i]) in sys.modules), 0)
        function: Any = sys.modules.get(".".join(parts[:at]))
        for part in parts[at:]:
            function = getattr(function, part, None)
        while (wrapped := getattr(function, "__wrapped__", None)) is not None:
            function = wrapped
        if isinstance(function, types.FunctionType):
            found[function.__code__] = _said(name), name in _THROUGH_TORCH
    found[_DISPATCHED.dispatch.__code__] = "functools.singledispatch", False
    return found


@functools.lru_cache(maxsize=1)
def _layers() -> frozenset[str]:
    """The names of torch's layers: one that is made makes parameters, but for those that have none."""
    return frozenset(name for name, held in vars(sys.modules["torch.nn"]).items() if isinstance(held, type))


def mentions(names: Set[str], space: dict[str, Any]) -> bool:
    """Whether code that mentions these names may reach such a function."""
    if "__qualname__" in names:
        return True  # the body of a class, which is made there
    if "truth" in names or not names.isdisjoint(_NAMES_OF_BUILTINS | _NAMES_IN_PYTHON | _layers()):
        return True
    for name in names:
        if name in space:
            if leads_to_host(space[name]) or hasattr(space[name], "named_modules"):
                return True
        elif name in _OF_TORCH or (name in sys.stdlib_module_names and name not in _PURE):
            return True  # imported within the function, perhaps
    return False


def leads_to_host(value: Any) -> bool:
    """Whether a value is a module of the standard library through which the host is asked, or something of one."""
    if isinstance(value, types.ModuleType):
        root = value.__name__
    else:
        if getattr(value, "__name__", None) in _NAMES_IN_PYTHON or isinstance(value, functools.singledispatchmethod):
            return True
        if hasattr(value, "dispatch") and hasattr(value, "registry"):
            return True
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
    if module == "builtins":
        return {"__build_class__": "class"}.get(own, own) if own in _BUILTINS else ""
    if module == "_operator" and not compat.refuses_truth_by_operator():
        return ""
    known = _HOST.get(module, frozenset())
    if own in _FINE or (known is not None and own not in known):
        return ""
    spelt = {"posix": "os", "nt": "os", "torch._C": "torch", "_thread": "threading", "_operator": "operator"}.get(module, module.lstrip("_"))
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


# Files of torch that stand between user code and what it asks of torch.
_BETWEEN = tuple(
    part.replace("/", os.sep)
    for part in ("/torch/nn/", "/torch/autograd/", "/torch/_tensor.py", "/torch/utils/checkpoint.py", "/torch/_compile.py",
                 "/torch/_dynamo/eval_frame.py", "/torch/_dynamo/external_utils.py", "/torch/_dynamo/decorators.py")
)


def _led_by_user(frame: FrameType | None, name: str, until: FrameType | None) -> bool:
    """Whether user code leads there, through what of torch makes of a call another."""
    while frame is not None and any(part in frame.f_code.co_filename for part in _BETWEEN):
        frame = frame.f_back
    if frame is not None and frame.f_code.co_filename.startswith(HERE):
        return True  # the branch itself is one of torch
    return _asked_by_user(frame, name, until)


def _is_constant(value: Any) -> bool:
    """Whether a copy of a value is the value itself: of a number, a symbol or a text."""
    torch = sys.modules["torch"]
    return isinstance(value, (int, float, str, tuple, torch.SymInt, torch.SymFloat, torch.SymBool))


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
            if note is not None and (found := codes.get(frame.f_code)) is not None:
                name, through = found
                if name == "copy.copy" and _is_constant(frame.f_locals.get("x")):
                    return
                if (_led_by_user if through else _asked_by_user)(frame.f_back, name, until()):
                    note(name)
            return
        if calls is not None and event != "return":
            calls(frame, event, function)
        if note is not None and event == "c_call" and (name := name_of(function)):
            # What the standard library does with bytes and the like is followed, or refused by its own name.
            own = function.__name__ in _BUILTINS or name in _BUILTINS
            if is_users(frame.f_code.co_filename) if own else _asked_by_user(frame, name, until()):
                note(name)

    old = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(old)
