"""`torch.export` with a check before and after: `condlint.torch.export`, `condlint.torch.save`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._check import check
from ._errors import InputError
from ._export_arguments import refuse_unknown, refuse_unwritable
from ._torch_compat import require_torch

__all__ = ["export", "save"]


def export(
    mod: Any,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    target: str | Sequence[str] | None = None,
    severity: str = "error",
    **options: Any,
) -> Any:
    """Exports a module whose conditionals are sound.

    Parameters
    ----------
    mod, args, kwargs, dynamic_shapes, **options
        Those of `torch.export.export`.
    target : str or sequence of str, optional
        The systems that will run the program; default: this torch.
    severity : {"error", "warning", "note"}
        From which severity on a finding stops the export.

    Returns
    -------
    torch.export.ExportedProgram
        torch's own program, checked again.

    Raises
    ------
    FindingsError
        With all findings, before torch stops at the first; or with those of the program that came out.
    """
    require_torch()
    import torch.export

    if isinstance(mod, torch.export.ExportedProgram):
        raise InputError("the program is exported already: condlint.check(program) checks it, condlint.torch.save(program, path) writes it")
    refuse_unknown(torch.export.export, "torch.export.export", options, ("target", "severity"))
    check(mod, args, kwargs, dynamic_shapes=dynamic_shapes, target=target).raise_for_findings(severity)
    program = torch.export.export(
        mod, tuple(args), dict(kwargs) if kwargs is not None else None, dynamic_shapes=dynamic_shapes, **options
    )
    check(program, target=target).raise_for_findings(severity)
    return program


def save(
    program: Any,
    f: Any,
    *,
    target: str | Sequence[str] | None = None,
    severity: str = "error",
    **options: Any,
) -> None:
    """Saves an `ExportedProgram` that is sound; the further arguments are those of `torch.export.save`."""
    require_torch()
    import torch.export

    if not isinstance(program, torch.export.ExportedProgram):
        raise InputError(f"condlint.torch.save takes an ExportedProgram, not {type(program).__name__}: condlint.torch.export makes one")
    refuse_unknown(torch.export.save, "torch.export.save", options, ("target", "severity"))
    refuse_unwritable(f, "the second argument")
    check(program, target=target).raise_for_findings(severity)
    torch.export.save(program, f, **options)
