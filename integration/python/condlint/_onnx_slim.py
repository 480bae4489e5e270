"""ONNX models without what fills them: large tensors become their type and sizes."""

from __future__ import annotations

from typing import Any

_LARGE = 64  # elements; smaller ones are shapes, axes and the like, whose values count


def _count(dims: Any) -> int:
    count = 1
    for dim in dims:
        count *= dim
    return count


def slim(model: Any) -> bytes:
    """The bytes of a `ModelProto` whose large tensors lie in a file that is not there: cost follows the graph."""
    copy = type(model)()
    for field, value in model.ListFields():
        if field.name == "graph":
            _graph(value, copy.graph)
        elif field.name == "functions":
            for function in value:
                target = copy.functions.add()
                _without(function, target, ("node",))
                for node in function.node:
                    _node(node, target.node.add())
        else:
            _copy_field(copy, field, value)
    return bytes(copy.SerializeToString())


def _copy_field(target: Any, field: Any, value: Any) -> None:
    if _is_repeated(field):
        getattr(target, field.name).extend(value)
    elif field.message_type is not None:
        getattr(target, field.name).CopyFrom(value)
    else:
        setattr(target, field.name, value)


def _is_repeated(field: Any) -> bool:
    repeated = getattr(field, "is_repeated", None)
    return bool(repeated) if repeated is not None else field.label == field.LABEL_REPEATED


def _without(source: Any, target: Any, names: tuple[str, ...]) -> None:
    for field, value in source.ListFields():
        if field.name not in names:
            _copy_field(target, field, value)


def _graph(source: Any, target: Any) -> None:
    _without(source, target, ("node", "initializer", "sparse_initializer"))
    for node in source.node:
        _node(node, target.node.add())
    for tensor in source.initializer:
        _tensor(tensor, target.initializer.add())
    for sparse in source.sparse_initializer:
        added = target.sparse_initializer.add()
        added.dims.extend(sparse.dims)
        _tensor(sparse.values, added.values)
        _tensor(sparse.indices, added.indices)


def _node(source: Any, target: Any) -> None:
    _without(source, target, ("attribute",))
    for attribute in source.attribute:
        added = target.attribute.add()
        _without(attribute, added, ("t", "g", "tensors", "graphs"))
        if attribute.HasField("t"):
            _tensor(attribute.t, added.t)
        if attribute.HasField("g"):
            _graph(attribute.g, added.g)
        for tensor in attribute.tensors:
            _tensor(tensor, added.tensors.add())
        for graph in attribute.graphs:
            _graph(graph, added.graphs.add())


def _tensor(source: Any, target: Any) -> None:
    if _count(source.dims) <= _LARGE:
        target.CopyFrom(source)
        return
    # Listing the fields of a tensor would make Python objects of its numbers.
    target.dims.extend(source.dims)
    target.data_type = source.data_type
    target.name = source.name
    target.data_location = 1  # EXTERNAL
    entry = target.external_data.add()
    entry.key, entry.value = "location", "condlint-left-this-out"


def slim_ir(model: Any) -> bytes:
    """The bytes of an `onnx_ir.Model`, likewise."""
    import onnx_ir as ir

    put_back = []
    try:
        for graph in _graphs(model):
            for value in graph.initializers.values():
                tensor = value.const_value
                if tensor is None or isinstance(tensor, ir.ExternalTensor) or _count(tuple(tensor.shape)) <= _LARGE:
                    continue
                put_back.append((value, tensor))
                value.const_value = ir.ExternalTensor(
                    location="condlint-left-this-out",
                    offset=0,
                    length=tensor.nbytes,
                    dtype=tensor.dtype,
                    shape=tensor.shape,
                    name=tensor.name or value.name or "",
                )
        return slim(ir.to_proto(model))
    finally:
        for value, tensor in put_back:
            value.const_value = tensor


def _graphs(model: Any) -> list[Any]:
    if hasattr(model, "graphs"):
        return list(model.graphs())
    return [model.graph]
