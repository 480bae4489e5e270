"""Fake tensors, faster: what an operator yields is asked of torch's Python once, or not at all where it is plain.

torch answers each operator on fake tensors in Python: it looks for the answer in a table, for a decomposition, for an
implementation of its own, and asks C++ at last; that is most of what a recording takes. Here

- views, and other operators for which torch asks C++ in the end, go there at once;
- what follows from the operands in plain sight (element by element, of tensors that lie in memory in order) is made so;
- of the rest the answer is kept, by operator and arguments, for as long as the recording lasts.

Wherever anything is out of the ordinary (symbolic sizes, constants, several devices, layouts, subclasses, an error)
torch answers as ever. What is private of torch here its own module of fake tensors uses in the same way.
"""

from __future__ import annotations

import functools
import math
from typing import Any

# Operators for which torch asks C++ in the end, where sizes are numbers: views of the first operand, and two others.
_IN_CPP = """_unsafe_view alias as_strided detach expand permute select.int slice.Tensor split.Tensor split_with_sizes squeeze
    squeeze.dim squeeze.dims t transpose.int unbind.int unfold unsqueeze view bmm clone mm"""
# Operators that compute element by element, yield what they are given, and take any number beside it.
_ELEMENTWISE = """abs add.Tensor clamp_max clamp_min cos div.Tensor erf exp hardsigmoid hardswish hardtanh leaky_relu log
    maximum minimum mul.Tensor neg pow.Tensor_Scalar relu rsqrt rsub.Scalar sigmoid silu sin sqrt sub.Tensor tanh"""
# The same, into the first operand.
_IN_PLACE = "add_.Tensor div_.Tensor elu_ hardsigmoid_ hardswish_ hardtanh_ leaky_relu_ mul_.Tensor relu_ sigmoid_ silu_ sub_.Tensor tanh_"


class _Unanswered(Exception):
    """It is torch that has to answer."""


def _operators(torch: Any, names: str) -> frozenset[Any]:
    packets = [name.partition(".") for name in names.split()]
    found = (getattr(getattr(torch.ops.aten, packet, None), overload or "default", None) for packet, _, overload in packets)
    return frozenset(operator for operator in found if operator is not None)


def _keeps(func: Any, unkept: set[Any]) -> bool:
    """Whether what an operator yields follows from its arguments' types alone, and is memory of its own."""
    schema = func._schema
    is_functional = not schema.is_mutable and all(returned.alias_info is None for returned in schema.returns)
    return is_functional and func.namespace == "aten" and unkept.isdisjoint(func.tags) and not func.name().startswith("aten::lift")


def _is_in_order(shape: Any, strides: Any) -> bool:
    """Whether a tensor lies in memory in the order of its dimensions, and can in no other."""
    expected = 1
    for at in range(len(shape) - 1, -1, -1):
        size = shape[at]
        if strides[at] != expected or size == 0 or (size == 1 and at):
            return False
        expected *= size
    return True


def _strides_in_order(shape: Any) -> list[int]:
    return [math.prod(shape[at + 1 :]) for at in range(len(shape))]


@functools.lru_cache(maxsize=1)
def mode_class() -> Any:
    """The class of modes under which tensors have no numbers; torch's own where that is not what it was."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    try:
        return _mode_class()
    except AttributeError:
        return FakeTensorMode


def _mode_class() -> Any:
    import torch
    from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

    aten, Tensor, strided = torch.ops.aten, torch.Tensor, torch.strided
    no_dispatch, no_python, keys_kept = torch._C._DisableTorchDispatch, torch._C._DisablePythonDispatcher, torch._C._PreserveDispatchKeyGuard
    as_meta, without_pointer = torch._C._set_meta_in_tls_dispatch_include, torch._C._set_throw_on_mutable_data_ptr
    in_cpp, elementwise, in_place = (_operators(torch, names) for names in (_IN_CPP, _ELEMENTWISE, _IN_PLACE))
    views = {aten.view.default, aten._unsafe_view.default}
    addmm, layer_norm, device_of = aten.addmm.default, aten.native_layer_norm.default, torch.ops.prim.device.default
    # Of a fake tensor some of these are stood in for while a module is recorded.
    layout_of, strides_of, offset_of, storage_of = Tensor.layout.__get__, Tensor.stride, Tensor.storage_offset, Tensor.untyped_storage
    single, double = torch.float32, torch.float64
    index, truths = aten.index.Tensor, {torch.bool, torch.uint8, torch.int8}
    plain = frozenset({int, float, bool, str, type(None), torch.dtype, torch.memory_format, torch.layout, torch.device})
    unkept = {getattr(torch.Tag, name, None) for name in ("data_dependent_output", "dynamic_output_shape", "nondeterministic_seeded", "inplace_view")}

    def memory_of(tensor: Any) -> int:
        return int(storage_of(tensor)._cdata)

    def are_alike(tensors: list[Any]) -> bool:
        """Whether what is computed of them is like the first: they are of one shape and type and in order; numbers change neither."""
        shape, dtype = tensors[0].shape, tensors[0].dtype
        return len(shape) > 0 and dtype.is_floating_point and all(
            other.dtype is dtype and other.shape == shape and _is_in_order(shape, strides_of(other)) for other in tensors)

    class RecordingFakeMode(FakeTensorMode):
        """Answers by itself where it can."""

        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self._fields: dict[Any, dict[str, Any]] = {}  # of a fake tensor, by device
            self._answers: dict[Any, Any] = {}
            self._keeps: dict[Any, bool] = {}

        def answered(self, func: Any, args: Any, kwargs: Any) -> Any:
            """What an operator yields of plain fake tensors."""
            tensors: list[Any] = []
            key: list[Any] = [func]
            device = self._look(args, tensors, key, None)
            if kwargs:
                key.append(tuple(kwargs))
                device = self._look(kwargs.values(), tensors, key, device)
            if not tensors:
                raise _Unanswered
            if 0 in tensors[0].shape:
                raise _Unanswered  # 2.6 cannot split what has no elements
            if func in views and list(strides_of(tensors[0])) != _strides_in_order(tensors[0].shape):
                raise _Unanswered  # torch's Python and C++ part where a dimension of one element has a stride of its own
            if func in in_cpp:
                return self._in_cpp(func, args, kwargs, device)
            if func in elementwise and are_alike(tensors):
                first = tensors[0]
                return self._new(first.shape, strides_of(first), first.dtype, device)
            if func in in_place and tensors[0] is args[0] and are_alike(tensors) and len({memory_of(tensor) for tensor in tensors}) == len(tensors):
                return tensors[0]
            if func is addmm and not kwargs and len(args) == 3 and (shape := self._product(*args)) is not None:
                return self._new(shape, _strides_in_order(shape), args[0].dtype, device)
            if func is layer_norm and device.type == "cpu" and (statistics := self._statistics(args[1], tensors)) is not None:
                first, strides = tensors[0], _strides_in_order(statistics)
                made = self._new(first.shape, strides_of(first), first.dtype, device)
                return made, *(self._new(statistics, strides, first.dtype, device) for _ in range(2))
            return self._kept(func, args, kwargs, tensors, key, device)

        def _look(self, values: Any, tensors: list[Any], key: list[Any], device: Any) -> Any:
            """Collects the tensors and what stands for all the values; the device of the tensors."""
            for value in values:
                kind = type(value)
                if kind is FakeTensor:
                    own = value.__dict__
                    found, dtype = value.fake_device, value.dtype
                    if device is not None and found != device or own["fake_mode"] is not self or own["constant"] is not None:
                        raise _Unanswered
                    if own.get("dispatch_keys") is not None or value._has_symbolic_sizes_strides or layout_of(value) is not strided:
                        raise _Unanswered
                    if dtype.is_complex or value.is_quantized:
                        raise _Unanswered
                    device = found
                    tensors.append(value)
                    key += (dtype, value.shape, strides_of(value), offset_of(value), value.requires_grad)
                elif kind in plain:
                    key += (kind, value)
                elif kind is list or kind is tuple:
                    key += (kind, len(value))
                    device = self._look(value, tensors, key, device)
                else:
                    raise _Unanswered
            return device

        def _product(self, bias: Any, left: Any, right: Any) -> list[int] | None:
            """The shape of `bias + left @ right`, where that is plain."""
            if left.dim() != 2 or right.dim() != 2 or bias.dim() != 1:
                return None
            rows, inner, columns = left.shape[0], left.shape[1], right.shape[1]
            fits = right.shape[0] == inner and bias.shape[0] == columns and columns > 1 and rows > 0 and inner > 0
            is_one = left.dtype is right.dtype is bias.dtype and left.dtype.is_floating_point
            return [rows, columns] if fits and is_one else None

        def _statistics(self, over: Any, tensors: list[Any]) -> list[int] | None:
            """The shape of what a normalization of layers finds out, where that is plain."""
            shape, dtype = tensors[0].shape, tensors[0].dtype
            kept = len(shape) - len(over)
            fits = 0 <= kept < len(shape) and list(shape[kept:]) == list(over) and all(tensor.shape == shape[kept:] for tensor in tensors[1:])
            is_one = dtype in (single, double) and all(tensor.dtype is dtype for tensor in tensors)
            return [*shape[:kept], *[1] * len(over)] if fits and is_one and _is_in_order(shape, strides_of(tensors[0])) else None

        def _in_cpp(self, func: Any, args: Any, kwargs: Any, device: Any) -> Any:
            with no_dispatch(), keys_kept(), no_python():
                self.in_kernel_invocation = True
                as_meta(True)
                try:
                    made = func(*args, **(kwargs or {}))
                except Exception:
                    raise _Unanswered from None  # torch says what is wrong
                finally:
                    self.in_kernel_invocation = False
                if type(made) is Tensor:
                    return self._fake(made, device)
                return type(made)(self._fake(part, device) for part in made)

        def _new(self, shape: Any, strides: Any, dtype: Any, device: Any) -> Any:
            with no_dispatch(), no_python():
                return self._fake(torch.empty_strided(shape, strides, dtype=dtype, device="meta"), device)

        def _fake(self, made: Any, device: Any) -> Any:
            """A fake tensor of one without memory."""
            if type(made) is not Tensor:
                raise _Unanswered
            fields = self._fields.get(device)
            if fields is None:
                out = FakeTensor(self, made, device)
                self._fields[device] = dict(out.__dict__)
                return out
            out = Tensor._make_subclass(FakeTensor, made, False, dispatch_device=True, device_for_backend_keys=device)
            without_pointer(out)
            out.__dict__.update(fields)
            return out

        def _kept(self, func: Any, args: Any, kwargs: Any, tensors: list[Any], key: list[Any], device: Any) -> Any:
            """What torch says, once for the same arguments."""
            keeps = self._keeps.get(func)
            if keeps is None:
                keeps = self._keeps[func] = _keeps(func, unkept)
            # How much an index of truths takes is a matter of its numbers.
            if not keeps and (func is not index or any(tensor.dtype in truths for tensor in tensors[1:])):
                raise _Unanswered
            key += (torch.get_default_dtype(), torch.is_inference_mode_enabled(), self.allow_fallback_kernels)
            whole = tuple(key)
            found = self._answers.get(whole)
            if found is not None:
                is_single, metas = found
                made = [None if meta is None else self._new(*meta) for meta in metas]
                return made[0] if is_single else tuple(made)
            out = self._dispatch_impl(func, (), args, kwargs or {})
            outs = out if type(out) is tuple else (out,)
            memories = {memory_of(tensor) for tensor in tensors}
            if all(made is None or self._is_plain(made, memories) for made in outs):
                metas = [None if made is None else (made.shape, strides_of(made), made.dtype, made.fake_device) for made in outs]
                self._answers[whole] = type(out) is not tuple, metas
            return out

        def _is_plain(self, made: Any, memories: set[int]) -> bool:
            """Whether a result says nothing but its sizes, strides, type and device."""
            if type(made) is not FakeTensor:
                return False
            try:
                self._look((made,), [], [], None)
            except _Unanswered:
                return False
            memory = memory_of(made)
            is_own = memory not in memories and offset_of(made) == 0
            memories.add(memory)
            return is_own

    def answer(self: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is device_of and len(args) == 1 and type(args[0]) is FakeTensor:
            return args[0].device
        try:
            return self.answered(func, args, kwargs)
        except _Unanswered:
            pass
        return self.dispatch(func, types, args, kwargs or {})

    # torch puts something around the method of a class as that is made, which takes as long again.
    RecordingFakeMode.__torch_dispatch__ = answer
    return RecordingFakeMode
