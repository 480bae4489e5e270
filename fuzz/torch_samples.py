"""The calls of ATen's operators that the samples of torch's own operator tests come to."""
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._python_dispatch import TorchDispatchMode

# Whose samples take minutes.
SLOW = ("linalg.lu_factor_ex", "svd_lowrank", "pca_lowrank")


def plain(value):
    """\\p value without gradients, row-major; None where it is nothing that a graph can hold."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided or value.is_quantized:
            return None
        return value.detach().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)
    if isinstance(value, (bool, int, float, complex, str, torch.dtype)):
        return value
    if isinstance(value, (list, tuple)):
        items = [plain(v) for v in value]
        return None if any(i is None and v is not None or isinstance(i, list) for i, v in zip(items, value)) else items
    return None


def form(arguments):
    return str([(k, (v.dtype, v.ndim) if isinstance(v, torch.Tensor) else v if isinstance(v, (bool, str)) else type(v))
                for k, v in arguments.items()])


class Calls(TorchDispatchMode):
    """Notes of each overload the first few calls that differ in form."""

    def __init__(self, limit):
        super().__init__()
        self.limit, self.seen = limit, {}

    def note(self, function, args, kwargs):
        schema = function._schema
        name = schema.name.replace("::", ".") + "." + (schema.overload_name or "default")
        known = self.seen.setdefault(name, {})
        if len(known) >= self.limit:
            return
        arguments = {}
        for a, value in [*zip(schema.arguments, args)] + [(a, kwargs[a.name]) for a in schema.arguments if a.name in kwargs]:
            held = plain(value)
            if held is None and value is not None and a.name not in ("device", "layout", "pin_memory", "generator"):
                return
            if held is not None:
                arguments[a.name] = held
        if sum(v.numel() for v in arguments.values() if isinstance(v, torch.Tensor)) <= 4096:
            known.setdefault(form(arguments), arguments)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.note(function, args, kwargs or {})  # before it writes
        return function(*args, **(kwargs or {}))


def each_sample(dtypes_of, noting, called, skip=SLOW, samples=8):
    """Runs samples of each OpInfo under the mode \p noting. An overload of its own name, which may be composed
    of others, is called by \p called(function, args, kwargs)."""
    torch.manual_seed(0)
    for op in op_db:
        if op.name.startswith(skip):
            continue
        for dtype in dtypes_of(op):
            try:
                for number, sample in enumerate(op.sample_inputs("cpu", dtype)):
                    if number >= samples:
                        break
                    args = [sample.input, *sample.args]
                    packet = getattr(torch.ops.aten, op.aten_name or op.name, None)
                    for overload in packet.overloads() if packet else []:
                        function = getattr(packet, overload)
                        if "out" not in overload and len(args) <= len(function._schema.arguments):
                            try:
                                called(function, args, sample.kwargs)
                            except Exception:  # not the overload that is meant
                                continue
                            break
                    with noting:
                        op(sample.input, *sample.args, **sample.kwargs)
            except Exception:  # a sample that this machine cannot compute
                continue


def calls(dtypes=(torch.float32,), only="", limit=6, samples=8):
    """(overload, arguments by name) of each operator whose name, or whose OpInfo's, holds \p only."""
    noted = Calls(limit)

    def called(function, args, kwargs):
        function(*args, **kwargs)
        noted.note(function, args, kwargs)

    each_sample(lambda op: [t for t in dtypes if op.supports_dtype(t, "cpu")] or list(op.dtypes)[:1], noted, called,
                samples=samples)
    for name in sorted(noted.seen):
        if only in name:
            yield from ((name, arguments) for arguments in noted.seen[name].values())
