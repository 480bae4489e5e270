"""`torch.onnx.export` with a check before and after: `condlint.onnx.export`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._check import check
from ._errors import InputError
from ._export_arguments import refuse_unknown, refuse_unwritable
from ._torch_compat import require_torch

__all__ = ["export"]


def export(
    model: Any,
    args: Sequence[Any] = (),
    f: Any = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    target: str | Sequence[str] | None = None,
    severity: str = "error",
    **options: Any,
) -> Any:
    """Exports a module to ONNX whose conditionals are sound.

    Parameters
    ----------
    model, args, f, kwargs, dynamic_shapes, **options
        Those of `torch.onnx.export` with `dynamo=True`; its older exporter, which traces, keeps no conditionals.
    target : str or sequence of str, optional
        The systems that will run the model, such as "tensorrt@10.3"; default: ONNX.
    severity : {"error", "warning", "note"}
        From which severity on a finding stops the export.

    Returns
    -------
    torch.onnx.ONNXProgram
        What torch.onnx.export returns. With `f` the file is written only when nothing was found.

    Raises
    ------
    FindingsError
        With all findings in the module or in the model.
    """
    require_torch()
    import torch.onnx

    if not options.setdefault("dynamo", True):
        raise InputError("condlint.onnx.export goes by torch.export (dynamo=True): the older exporter traces one run, and keeps no conditionals")
    refuse_unknown(torch.onnx.export, "torch.onnx.export", options, ("target", "severity"))
    if f is not None:
        refuse_unwritable(f, "f")
    if isinstance(model, torch.nn.Module):
        check(model, args, kwargs, dynamic_shapes=dynamic_shapes).raise_for_findings(severity)
    program = torch.onnx.export(model, tuple(args), kwargs=kwargs, dynamic_shapes=dynamic_shapes, **options)
    check(program, target=target).raise_for_findings(severity)
    if f is not None:
        program.save(f)
    return program
