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
    the list that the `with` statement gives.

    Examples
    --------
    >>> with condlint.explain_export():
    ...     torch.export.export(module, (x,))
    """
    from ._torch_compat import require_torch

    require_torch()
    import torch.export

    reports: list[Report] = []
    original: Callable[..., Any] = torch.export.export

    def export(mod: Any, args: Any = (), kwargs: Any = None, *, dynamic_shapes: Any = None, **more: Any) -> Any:
        try:
            return original(mod, args, kwargs, dynamic_shapes=dynamic_shapes, **more)
        except CondlintError:
            raise
        except Exception:
            _explain(mod, args, kwargs, dynamic_shapes, target, file, reports)
            raise

    torch.export.export = export
    try:
        yield reports
    finally:
        torch.export.export = original


def _explain(
    module: Any, args: Any, kwargs: Any, dynamic_shapes: Any, target: Any, file: Any, reports: list[Report]
) -> None:
    out = file if file is not None else sys.stderr
    try:
        report = check(module, tuple(args), kwargs, dynamic_shapes=dynamic_shapes, target=target)
    except CondlintError as error:
        print(f"condlint: {error}", file=out)
        return
    reports.append(report)
    if report.at_least("warning") or report.notes:
        print(f"torch.export failed; condlint finds:\n{report}", file=out)
    else:
        print("torch.export failed; condlint finds nothing wrong with the conditionals of this module", file=out)
