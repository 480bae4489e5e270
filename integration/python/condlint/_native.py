"""The C interface of libcondlint.so (docs/c-api.md), by ctypes.

What needs the shared library is here, and nothing else: models as bytes or paths and options as a dict go in, a `Result` comes out. ctypes gives the
interpreter's lock back while a function runs, so threads check at the same time.
"""
import ctypes
import json
import os

CLEAN, FINDINGS, USAGE, UNANALYSED, INTERNAL = range(5)  #: how a call ended: the exit codes of the program
ABI_VERSION = 1

#: Where the shared libraries of the package lie.
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib")

_library = None


class NativeError(OSError):
    """The shared library is not there, or is of another version."""


def _load():
    # Another build may be tried without installing it.
    path = os.environ.get("CONDLINT_LIBRARY") or os.path.join(FOLDER, "libcondlint.so")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise NativeError(f"condlint's library cannot be loaded: {error}; install condlint again: pip install --force-reinstall condlint") from None
    if library.condlint_abi_version() != ABI_VERSION:
        raise NativeError(f"{path} has version {library.condlint_abi_version()} of the interface, expected {ABI_VERSION}")
    text, result = ctypes.c_char_p, ctypes.c_void_p
    bytes_ = [ctypes.c_void_p, ctypes.c_size_t, text, text, text]
    for name, returned, arguments in (
            ("version", text, []),
            ("check_bytes", result, bytes_), ("check_path", result, [text, text]),
            ("run_bytes", result, bytes_), ("run_path", result, [text, text]),
            ("dump_bytes", result, bytes_), ("dump_path", result, [text, text]),
            ("explain", result, [text]), ("rules", result, []), ("targets", result, []),
            ("result_status", ctypes.c_int, [result]), ("result_error", text, [result]),
            ("result_render", ctypes.c_void_p, [result, text, ctypes.POINTER(ctypes.c_size_t)]),
            ("result_free", None, [result]), ("free", None, [ctypes.c_void_p])):
        function = getattr(library, "condlint_" + name)
        function.restype = returned
        function.argtypes = arguments
    return library


def library():
    """The shared library, loaded at the first call."""
    global _library
    if _library is None:
        _library = _load()
    return _library


class Result:
    """What a call came to. Its memory is given back when nothing refers to it any more.

    Attributes
    ----------
    status : int
        How the call ended: CLEAN, FINDINGS, USAGE, UNANALYSED, INTERNAL.
    error : str or None
        Why there is no report.
    """

    __slots__ = ("status", "error", "_handle", "_library")

    def __init__(self, handle):
        self._library = library()
        self._handle = handle
        if not handle:
            raise MemoryError("condlint has not enough memory")
        self.status = self._library.condlint_result_status(handle)
        error = self._library.condlint_result_error(handle)
        self.error = error.decode("utf-8", "replace") if error is not None else None

    def render(self, format="json"):
        """The report as "json", "text", "color" or "quiet"; None where there is none."""
        length = ctypes.c_size_t()
        text = self._library.condlint_result_render(self._handle, format.encode(), ctypes.byref(length))
        if not text:
            if self.error is None and format in ("json", "text", "color", "quiet"):
                raise MemoryError("condlint has not enough memory for the report")
            return None
        try:
            return ctypes.string_at(text, length.value).decode("utf-8", "replace")
        finally:
            self._library.condlint_free(text)

    def __del__(self):
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            self._library.condlint_result_free(handle)


def _options(options):
    return json.dumps(options).encode() if options else None


def _encoded(text):
    return os.fsencode(text) if text else None


def _of_bytes(name, data, format, called, options):
    if isinstance(data, bytes):
        return Result(getattr(library(), name)(data, len(data), _encoded(format), _encoded(called), _options(options)))
    view = memoryview(data).cast("B")
    if view.readonly:
        return _of_bytes(name, bytes(view), format, called, options)
    buffer = (ctypes.c_char * len(view)).from_buffer(view)
    return Result(getattr(library(), name)(buffer, len(view), _encoded(format), _encoded(called), _options(options)))


def check_bytes(data, format="", name="", options=None):
    """Checks a model in memory.

    Parameters
    ----------
    data : bytes-like
        A `.pt2`, the JSON of an exported program alone (format "pt2"), an `.onnx`, or graph JSON.
    format : str
        "pt2", "onnx" or "json"; empty: the first bytes tell.
    name : str
        What the report calls it. The folder in it is where data lies that an ONNX model keeps in other files.
    options : dict, optional
        As docs/c-api.md says: target, select, ignore, severity, failOn, condFunctions, config.
    """
    return _of_bytes("condlint_check_bytes", data, format, name, options)


def check_path(path, options=None):
    """Checks a file or a folder: models and C++ sources. For sources there are the options flags, compileCommands, cache."""
    return Result(library().condlint_check_path(os.fsencode(path), _options(options)))


def run_bytes(data, format="", name="", options=None):
    """Executes a model in memory. Options: branch, inputs, expect, save, keep (paths), device, seed, draws, …"""
    return _of_bytes("condlint_run_bytes", data, format, name, options)


def run_path(path, options=None):
    """Executes the model in a file."""
    return Result(library().condlint_run_path(os.fsencode(path), _options(options)))


def dump_bytes(data, format="", name="", options=None):
    """The graphs of a model in memory; rendered as "json" they are graph JSON. Options: model, infer."""
    return _of_bytes("condlint_dump_bytes", data, format, name, options)


def dump_path(path, options=None):
    """The graphs of the model in a file."""
    return Result(library().condlint_dump_path(os.fsencode(path), _options(options)))


def explain(rule):
    """The page of a rule."""
    return Result(library().condlint_explain(rule.encode()))


def rules():
    """The table of rules."""
    return Result(library().condlint_rules())


def targets():
    """The systems whose rules are known."""
    return Result(library().condlint_targets())


def version():
    """The version of the shared library, which is that of the package."""
    return library().condlint_version().decode()
