"""Where the headers are that C++ sources of models include."""

from __future__ import annotations

import os

from ._errors import EngineError
from ._native import FOLDER


def get_include() -> str:
    """Return the folder to give a compiler, or clangd, with ``-I``, for ``condlint/cond.h`` and ``condlint/annotations.h``.

    The program finds them without it.

    Raises
    ------
    EngineError
        The package was installed without them.
    """
    # Those of the wheel, or of the sources beside which the package lies.
    sources = os.path.join(os.path.dirname(FOLDER), "..", "..", "..")
    for folder in (os.path.join(FOLDER, "include"), os.path.join(sources, "include")):
        if os.path.exists(os.path.join(folder, "condlint", "cond.h")):
            return os.path.normpath(folder)
    raise EngineError("the headers are not beside this package; install condlint again")
