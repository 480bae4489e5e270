"""The C interface of libcondlint.so (docs/c-api.md), by ctypes.

What needs the shared library is here, and nothing else: models as bytes or paths and options as a dict go in, a `Result` comes out. ctypes gives the
interpreter's lock back while a function runs, so threads check at the same time.
"""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Mapping
from typing import Any, Union

Options = Mapping[str, Any]
BytesLike = Union[bytes, bytearray, memoryview]

CLEAN, FINDINGS, USAGE, UNANALYSED, INTERNAL = range(5)  #: how a call ended: the exit codes of the program
ABI_VERSION = 1

#: Where the shared libraries of the package lie.
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib")

_library: ctypes.CDLL | None = None


class NativeError(OSError):
    """The shared library is not there, or is of another version."""


def _load() -> ctypes.CDLL:
    # Another build may be tried without installing it.
    path = os.environ.get("CONDLINT_LIBRARY") or os.path.join(FOLDER, "libcondlint.so")
    try:
        loaded = ctypes.CDLL(path)
        found = loaded.condlint_abi_version()
    except (OSError, AttributeError) as error:
        raise NativeError(f"condlint's library cannot be loaded: {error}; install condlint again") from None
    if found != ABI_VERSION:
        raise NativeError(f"{path} has version {found} of the interface, expected {ABI_VERSION}; install condlint again")
    text, result = ctypes.c_char_p, ctypes.c_void_p
    model = [ctypes.c_void_p, ctypes.c_size_t, text, text, text]
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "version": (text, []),
        "check_bytes": (result, model),
        "check_path": (result, [text, text]),
        "run_bytes": (result, model),
        "run_path": (result, [text, text]),
        "dump_bytes": (result, model),
        "dump_path": (result, [text, text]),
        "explain": (result, [text]),
        "rules": (result, []),
        "targets": (result, []),
        "result_status": (ctypes.c_int, [result]),
        "result_error": (text, [result]),
        "result_render": (ctypes.c_void_p, [result, text, ctypes.POINTER(ctypes.c_size_t)]),
        "result_free": (None, [result]),
        "free": (None, [ctypes.c_void_p]),
    }
    for name, (returned, arguments) in signatures.items():
        function = getattr(loaded, "condlint_" + name)
        function.restype = returned
        function.argtypes = arguments
    return loaded


def library() -> ctypes.CDLL:
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

    __slots__ = ("_handle", "_library", "error", "status")

    def __init__(self, handle: int | None) -> None:
        self._handle = handle
        self._library = library()
        if not handle:
            raise MemoryError("condlint has not enough memory")
        self.status: int = self._library.condlint_result_status(handle)
        error = self._library.condlint_result_error(handle)
        self.error: str | None = error.decode("utf-8", "replace") if error is not None else None

    def render(self, form: str = "json") -> str:
        """The report in a format of the program's `--output`, as "color" or "quiet"; empty where there is none (`error` says why)."""
        length = ctypes.c_size_t()
        text = self._library.condlint_result_render(self._handle, form.encode(), ctypes.byref(length))
        if not text:
            if self.error is not None:
                return ""
            raise ValueError(f"a report has no form '{form}', or there is not enough memory for it")
        try:
            return ctypes.string_at(text, length.value).decode("utf-8", "replace")
        finally:
            self._library.condlint_free(text)

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            self._handle = None
            self._library.condlint_result_free(handle)


def _options(options: Options | None) -> bytes | None:
    return json.dumps(dict(options)).encode() if options else None


def _encoded(text: str) -> bytes | None:
    return os.fsencode(text) if text else None


def _of_bytes(name: str, data: BytesLike, form: str, called: str, options: Options | None) -> Result:
    function = getattr(library(), name)
    words = (_encoded(form), _encoded(called), _options(options))
    if isinstance(data, bytes):
        return Result(function(data, len(data), *words))
    with memoryview(data) as view, view.cast("B") as flat:
        if flat.readonly:
            copy = bytes(flat)
            return Result(function(copy, len(copy), *words))
        buffer = (ctypes.c_char * len(flat)).from_buffer(flat)
        try:
            return Result(function(buffer, len(flat), *words))
        finally:
            del buffer  # or the view could not be given back


def check_bytes(data: BytesLike, form: str = "", name: str = "", options: Options | None = None) -> Result:
    """Checks a model in memory.

    Parameters
    ----------
    data : bytes-like
        A `.pt2`, the JSON of an exported program alone (form "pt2"), an `.onnx`, or graph JSON.
    form : str
        "pt2", "onnx" or "json"; empty: the first bytes tell.
    name : str
        What the report calls it. The folder in it is where data lies that an ONNX model keeps in other files.
    options : dict, optional
        As docs/c-api.md says: target, select, ignore, severity, failOn, condFunctions, operators, config.
    """
    return _of_bytes("condlint_check_bytes", data, form, name, options)


def check_path(path: str | os.PathLike[str], options: Options | None = None) -> Result:
    """Checks a file or a folder: models and C++ sources. For sources there are the options flags, compileCommands, cache."""
    return Result(library().condlint_check_path(os.fsencode(path), _options(options)))


def run_bytes(data: BytesLike, form: str = "", name: str = "", options: Options | None = None) -> Result:
    """Executes a model in memory. Options: branch, inputs, expect, save, keep (paths), device, seed, draws, …"""
    return _of_bytes("condlint_run_bytes", data, form, name, options)


def run_path(path: str | os.PathLike[str], options: Options | None = None) -> Result:
    """Executes the model in a file."""
    return Result(library().condlint_run_path(os.fsencode(path), _options(options)))


def dump_bytes(data: BytesLike, form: str = "", name: str = "", options: Options | None = None) -> Result:
    """The graphs of a model in memory; rendered as "json" they are graph JSON. Options: model, infer."""
    return _of_bytes("condlint_dump_bytes", data, form, name, options)


def dump_path(path: str | os.PathLike[str], options: Options | None = None) -> Result:
    """The graphs of the model in a file."""
    return Result(library().condlint_dump_path(os.fsencode(path), _options(options)))


def explain(rule: str) -> Result:
    """The page of a rule."""
    return Result(library().condlint_explain(rule.encode()))


def rules() -> Result:
    """The table of rules."""
    return Result(library().condlint_rules())


def targets() -> Result:
    """The systems whose rules are known."""
    return Result(library().condlint_targets())


def version() -> str:
    """The version of the shared library, which is that of the package."""
    found: bytes = library().condlint_version()
    return found.decode()
