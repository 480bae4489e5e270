"""What condlint says of a call of torch.export that fails."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ._check import check
from ._errors import CondlintError
from ._report import Report


@contextlib.contextmanager
def explain_export(target: str | None = None, file: Any = None) -> Iterator[list[Report]]:
    """Shows condlint's findings for each `torch.export.export` within that fails.

    The exception of torch goes on; before it, what condlint found is printed to `file` (standard error) and added to
    the list that the `with` statement gives. The call is seen by whatever name it was imported, and within exporters
    that make it themselves (`torch.onnx.export`); a module that is tried several times is told of once.

    Examples
    --------
    >>> with condlint.explain_export():
    ...     torch.export.export(module, (x,))
    """
    from ._torch_compat import export_calls, require_torch

    require_torch()
    reports: list[Report] = []
    told: list[Any] = []

    def export(original: Callable[..., Any], mod: Any, args: Any = (), kwargs: Any = None, **more: Any) -> Any:
        try:
            return original(mod, args, kwargs, **more)
        except CondlintError:
            raise
        except Exception:
            # Exporters to other formats try one module in several ways.
            if not any(mod is known for known in told):
                told.append(mod)
                _explain(mod, args, kwargs, more.get("dynamic_shapes"), target, file, reports)
            raise

    with export_calls(export):
        yield reports


def _explain(
    module: Any, args: Any, kwargs: Any, dynamic_shapes: Any, target: Any, file: Any, reports: list[Report]
) -> None:
    out = file if file is not None else sys.stderr
    try:
        report = check(module, args, kwargs, dynamic_shapes=dynamic_shapes, target=target)
    except CondlintError as error:
        print(f"condlint: {error}", file=out)
        return
    reports.append(report)
    if report.at_least("warning") or report.notes:
        print(f"torch.export failed; condlint finds:\n{report}", file=out)
    else:
        print("torch.export failed; condlint finds nothing wrong with the conditionals of this module", file=out)
