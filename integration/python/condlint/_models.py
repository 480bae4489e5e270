"""What a caller may hand over, as something that the engine reads: a path, or a few kilobytes without the weights."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._errors import InputError

EXPECTED = (
    "a path, bytes, a torch.export.ExportedProgram, a torch.onnx.ONNXProgram, an onnx.ModelProto, an onnx_ir.Model, "
    "graph JSON, or a torch.nn.Module with its inputs"
)


@dataclass
class Model:
    """A model for the engine."""

    data: str | bytes
    kind: str = ""
    name: str = ""
    notes: list[str] = field(default_factory=list)


def model_of(obj: Any, args: Any = None, kwargs: Any = None, dynamic_shapes: Any = None) -> Model:
    """The model that `obj` is; the weights stay where they are."""
    if isinstance(obj, (str, os.PathLike)):
        path = os.fspath(obj)
        if not os.path.exists(path):
            raise InputError(f"{path}: no such file or folder")
        return Model(path)
    if isinstance(obj, (bytes, bytearray, memoryview)):
        data = bytes(obj)
        return Model(data, _kind_of(data), "<bytes>")
    if isinstance(obj, Mapping):
        if "condlint" not in obj:
            raise InputError("a dict is graph JSON when it has the key 'condlint' (docs/graph-json.md); this one has not")
        try:
            return Model(json.dumps(obj).encode(), "json", "<graph>")
        except (TypeError, ValueError) as error:
            raise InputError(f"the dict is no graph JSON: {error}") from None
    exported = exported_program_of(obj)
    if exported is not None:
        return exported
    onnx = onnx_model_of(obj)
    if onnx is not None:
        return onnx
    if callable(obj) and not isinstance(obj, type):
        return live_model(obj, args, kwargs, dynamic_shapes)
    if isinstance(obj, type) and callable(getattr(obj, "forward", None)):
        raise InputError(f"{obj.__name__} is a class; give a module of it, as {obj.__name__}(…)")
    raise InputError(f"{_type_name(obj)} is nothing that can be checked; expected {EXPECTED}")


def live_model(obj: Any, args: Any, kwargs: Any, dynamic_shapes: Any) -> Model:
    """A module or function, recorded."""
    from ._record import record
    from ._torch_compat import require_torch

    require_torch()
    if args is None and kwargs is None:
        raise InputError(
            f"{_type_name(obj)} is checked by running it once: give its example inputs, as in "
            "condlint.check(module, (x,)); a module without inputs takes args=()"
        )
    recording = record(obj, () if args is None else args, kwargs, dynamic_shapes)
    return Model(json.dumps(recording.graph).encode(), "json", f"<{_type_name(obj)}>", recording.notes)


def exported_program_of(obj: Any) -> Model | None:
    """A `torch.export.ExportedProgram` (also inside a `torch.onnx.ONNXProgram`), without its weights."""
    torch = sys.modules.get("torch")
    if torch is None or "torch.export" not in sys.modules or not isinstance(obj, torch.export.ExportedProgram):
        return None
    try:
        from ._torch_compat import program_to_json

        return Model(program_to_json(obj), "pt2", "<ExportedProgram>")
    except Exception:  # a private interface that this version of torch has not, or not in this form
        return Model(_saved(obj), "pt2", "<ExportedProgram>")


def _saved(program: Any) -> bytes:
    import torch

    buffer = io.BytesIO()
    try:
        torch.export.save(program, buffer)
    except Exception as error:
        raise InputError(f"torch cannot save the program, so it cannot be read either: {error}") from error
    return buffer.getvalue()


def onnx_model_of(obj: Any) -> Model | None:
    """An ONNX model in memory, without its large tensors."""
    for wanted, attribute in (("torch.onnx", "ONNXProgram"),):
        module = sys.modules.get(wanted)
        if module is not None and isinstance(obj, getattr(module, attribute, ())):
            obj = getattr(obj, "model", None) or getattr(obj, "model_proto", None)
    ir = sys.modules.get("onnx_ir")
    if ir is not None and isinstance(obj, ir.Model):
        from ._onnx_slim import slim_ir

        return Model(slim_ir(obj), "onnx", "<onnx_ir.Model>")
    onnx = sys.modules.get("onnx")
    if onnx is not None and isinstance(obj, onnx.ModelProto):
        from ._onnx_slim import slim

        return Model(slim(obj), "onnx", "<ModelProto>")
    return None


@contextlib.contextmanager
def whole_model(obj: Any) -> Iterator[tuple[str | bytes, str, str]]:
    """A model with its weights, for a run."""
    if isinstance(obj, (str, os.PathLike, bytes, bytearray, memoryview, Mapping)):
        model = model_of(obj)
        yield model.data, model.kind, model.name
        return
    torch, onnx = sys.modules.get("torch"), sys.modules.get("onnx")
    with tempfile.TemporaryDirectory(prefix="condlint-") as folder:
        if torch is not None and "torch.export" in sys.modules and isinstance(obj, torch.export.ExportedProgram):
            path = os.path.join(folder, "model.pt2")
            torch.export.save(obj, path)
        elif onnx is not None and isinstance(obj, onnx.ModelProto):
            path = _written(obj, os.path.join(folder, "model.onnx"))
        elif hasattr(obj, "save") and type(obj).__name__ == "ONNXProgram":
            path = os.path.join(folder, "model.onnx")
            obj.save(path)
        elif (ir := sys.modules.get("onnx_ir")) is not None and isinstance(obj, ir.Model):
            path = _written(ir.to_proto(obj), os.path.join(folder, "model.onnx"))
        else:
            raise InputError(
                f"{_type_name(obj)} is nothing that can be run; expected a path, bytes, or a torch.export.ExportedProgram, "
                "a torch.onnx.ONNXProgram, an onnx.ModelProto or an onnx_ir.Model with its weights"
            )
        yield path, "", ""


def _written(model: Any, path: str) -> str:
    """Writes an `onnx.ModelProto`, and leaves it as it is: `onnx.save_model` takes the weights out that it writes apart."""
    try:
        data = model.SerializeToString()
    except Exception:  # more than 2 GB: ValueError, or protobuf's own
        import onnx

        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        onnx.save_model(copy, path, save_as_external_data=True)
        return path
    with open(path, "wb") as file:
        file.write(data)
    return path


@contextlib.contextmanager
def arrays_file(inputs: Any) -> Iterator[str | None]:
    """The inputs of a run as a file."""
    if inputs is None:
        yield None
        return
    if isinstance(inputs, (str, os.PathLike)):
        yield os.fspath(inputs)
        return
    try:
        import numpy
    except ImportError as error:
        raise InputError("arrays as inputs need numpy: pip install numpy, or give a .npz file") from error
    if isinstance(inputs, Mapping):
        named = dict(inputs)
    elif isinstance(inputs, Sequence):
        named = {f"in{i}": value for i, value in enumerate(inputs)}
    else:
        raise InputError(f"inputs is {_type_name(inputs)}; expected a path, a mapping or a sequence of arrays")
    with tempfile.TemporaryDirectory(prefix="condlint-") as folder:
        path = os.path.join(folder, "inputs.npz")
        numpy.savez(path, allow_pickle=False, **{k: numpy.asarray(_detached(v)) for k, v in named.items()})
        yield path


def _detached(value: Any) -> Any:
    return value.detach().cpu().numpy() if hasattr(value, "detach") else value


def _kind_of(data: bytes) -> str:
    if data[:4] == b"PK\x03\x04":
        return "pt2"
    start = data.lstrip()[:1]
    if start in (b"{", b"["):
        return "pt2" if b'"graph_module"' in data[:4096] and b'"condlint"' not in data[:4096] else "json"
    return "onnx"


def _type_name(obj: Any) -> str:
    cls = obj if isinstance(obj, type) else type(obj)
    name = cls.__qualname__
    if name in ("function", "method", "partial"):
        return str(getattr(obj, "__qualname__", name))
    return name
