"""What is given to the functions that hand on to torch: refused in words before anything is computed."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any

from ._errors import InputError


def refuse_unknown(function: Callable[..., Any], name: str, options: Mapping[str, Any], own: tuple[str, ...]) -> None:
    """Options that torch's `function` does not have; `own` are those that ours takes itself."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return
    unknown = [option for option in options if option not in parameters]
    if unknown:
        known = sorted({*parameters, *own})
        raise InputError(f"{name} has no option {', '.join(map(repr, unknown))} in this version of torch; it takes {', '.join(known)}")


def refuse_unwritable(f: Any, wanted: str) -> None:
    """A path that no file can be written to, or something that is neither a path nor a file; `wanted` is what belongs there."""
    if not isinstance(f, (str, os.PathLike)):
        if not callable(getattr(f, "write", None)):
            raise InputError(f"{wanted} is a path or a file that is open for writing, not {type(f).__name__}")
        return
    path = os.fspath(f)
    folder = os.path.dirname(path) or os.curdir
    if os.path.isdir(path):
        raise InputError(f"{path!r} is a folder: give the path of a file in it")
    if not os.path.isdir(folder):
        raise InputError(f"there is no folder {folder!r} to write {os.path.basename(path)!r} to: make it first, or give another path")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise InputError(f"{path!r} cannot be written: ask for the right to, or give another path")
