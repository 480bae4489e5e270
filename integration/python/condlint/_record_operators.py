"""What operators do while a module is recorded: they run on fake tensors, and become nodes."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_graph import Json, is_fake, storage_of
from ._record_places import at_user, here, spelt, user_frame
from ._record_source import asks_sizes, takes_array

if TYPE_CHECKING:
    from ._record import Recorder

# Answers that are no work of the model.
_QUIET = {"prim", "profiler", "_c10d_functional_quiet"}
_QUIET_NAMES = {
    "aten::sym_size", "aten::sym_stride", "aten::sym_numel", "aten::sym_storage_offset", "aten::size", "aten::stride",
    "aten::is_same_size", "aten::is_contiguous", "aten::sym_is_contiguous", "aten::requires_grad_", "aten::retain_grad",
    "aten::is_complex", "aten::is_floating_point", "aten::sym_constrain_range", "aten::sym_constrain_range_for_size",
    "aten::_assert_async", "aten::_assert_scalar", "aten::is_leaf", "aten::numel", "aten::dim", "aten::result_type",
    "aten::can_cast", "aten::_nnpack_available", "aten::_use_cudnn_ctc_loss", "aten::_version", "aten::is_conj",
    "aten::is_neg", "aten::_has_compatible_shallow_copy_type", "aten::is_inference", "aten::is_signed", "aten::can_cast.default", "aten::set_data",
}
# Their answer is a tensor's value.
_DECISIONS = {"aten::is_nonzero", "aten::equal", "aten::allclose", "aten::is_all_true", "aten::is_any_true"}


class Operators:
    """Handles each operator that the module runs."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._schemas: dict[Any, tuple[list[str], bool]] = {}
        self._transforms: set[Any] = set()  # by name and place: those in branches

    def handle(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Runs an operator, and writes it down."""
        recorder = self.recorder
        transformed = [tensor for tensor in _tensors(recorder.torch, (args, kwargs)) if compat.is_transformed(tensor)]
        if transformed:
            self._note_transform(transformed)
            return func(*args, **kwargs)  # what comes out of the transform is of unknown origin
        args, kwargs = self._fake(args), self._fake(kwargs)
        name = func._schema.name if hasattr(func, "_schema") else str(func)
        if name in _DECISIONS:
            return self._decision(func, args, kwargs)
        makes = name.startswith("aten::lift_fresh")  # torch.tensor(…): what it is made of is nobody's
        before = None if recorder.silent or makes else self._names_before(args, kwargs)
        try:
            out = self._run(func, args, kwargs)
        except Exception as error:
            recorder.failed(error)
            raise
        self._note_state(func, name, args, kwargs)
        if recorder.data and not self._writes_outer(func, args, kwargs):  # a write there is told by itself
            recorder.note_data(_tensors(recorder.torch, (args, kwargs)))
        if recorder.silent or name.split("::")[0] in _QUIET or name in _QUIET_NAMES:
            return out
        self._write(func, args, kwargs, out, before)
        for result in _results(out):
            if isinstance(result, recorder.torch.Tensor) and recorder.sizes.may_pin(result):
                compat.ask_of_layout(result)
        return out

    def _note_transform(self, tensors: list[Any]) -> None:
        """Within a branch torch.export takes a transform, or not, and what it then makes cannot be run."""
        recorder = self.recorder
        if recorder.scope.parent is None or recorder.silent:
            return
        at = here(recorder.until)
        name = "torch.vmap" if any(compat.is_batched(tensor) for tensor in tensors) else "torch.func"
        if (name, at[0]) not in self._transforms:
            self._transforms.add((name, at[0]))
            recorder.effect("call", name, at)

    def _fake(self, value: Any) -> Any:
        torch = self.recorder.torch
        if isinstance(value, torch.Tensor):
            return value if is_fake(value) else self.recorder.fakes.of(value)
        if isinstance(value, (list, tuple)) and any(isinstance(v, (torch.Tensor, list, tuple)) for v in value):
            return type(value)(self._fake(v) for v in value)
        if type(value) is dict:
            return {k: self._fake(v) for k, v in value.items()}
        return value

    def _run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        torch = self.recorder.torch
        if func is torch.ops.aten.batch_norm.default and not kwargs and _is_like_input(torch, *args):
            return torch.ops.aten.clone.default(args[0])
        try:
            return func(*args, **kwargs)
        except RuntimeError as error:
            # Autograd refuses to write to leaves; a break of the rules on writes comes first, and is found by them.
            if not (self._schema(func)[1] and torch.is_grad_enabled() and "in-place" in str(error)):
                raise
        with torch.no_grad():
            return func(*args, **kwargs)

    def _decision(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        try:
            return bool(func(*args, **kwargs))
        except compat.unsupported_errors():
            if self.recorder.decisions.is_tried:
                raise
            return self.recorder.decisions.on_host(func._schema.name)

    def _note_state(self, func: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """What an operator does besides computing: it draws from a generator, or exchanges a tensor's memory."""
        recorder = self.recorder
        if any(isinstance(value, recorder.torch.Generator) for value in (*args, *kwargs.values())):
            recorder.effect("call", f"{_short(_operator_name(func))} with a torch.Generator")
        if recorder.scope.parent is None or recorder.silent:
            return
        if name == "aten::set_data" and recorder.is_outer(args[0]):
            recorder.write_state("data", "member")
        elif self._writes_outer(func, args, kwargs):
            recorder.scope.writes.append((_short(_operator_name(func)), here(recorder.until)[0]))

    def _writes_outer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether an operator writes what the branch in hand was given, or reads from outside."""
        recorder = self.recorder
        return self._schema(func)[1] and any(
            recorder.is_outer(tensor) for tensor in _written(recorder.torch, func, args, kwargs)
        )

    def _schema(self, func: Any) -> tuple[list[str], bool]:
        found = self._schemas.get(func)
        if found is None:
            schema = getattr(func, "_schema", None)
            names = [argument.name for argument in schema.arguments] if schema is not None else []
            found = self._schemas[func] = names, bool(schema is not None and schema.is_mutable)
        return found

    def _names_before(self, args: Any, kwargs: Any) -> dict[int, str]:
        """The names of the operands: an operator in place gives its operand a new one."""
        recorder = self.recorder
        names: dict[int, str] = {}
        for tensor in _tensors(recorder.torch, (args, kwargs)):
            names[id(tensor)] = recorder.use(tensor)
        return names

    def _write(self, func: Any, args: Any, kwargs: Any, out: Any, before: dict[int, str] | None) -> None:
        recorder = self.recorder
        torch = recorder.torch
        names, mutable = self._schema(func)
        known = before or {}

        def use(tensor: Any) -> str:
            return known.get(id(tensor)) or recorder.use(tensor)

        if isinstance(out, torch.Tensor) and id(out) in known and not mutable:
            return  # the operand itself: nothing was done
        attributes: list[Json] = []
        for position, value in enumerate(args if before is not None else ()):
            name = names[position] if position < len(names) else None
            attributes.append(recorder.writer.attribute(name, value, use))
        for name, value in kwargs.items():
            attributes.append(recorder.writer.attribute(name, value, use))
        op = _operator_name(func)
        if op.split(".")[1] in ("lift_fresh", "lift_fresh_copy"):
            op, attributes = "cxx.new", [{"name": "name", "string": "torch.tensor"}]
            if recorder.scope.parent is not None:
                self._note_constant()
        for value in (*args, *kwargs.values()):
            recorder.scalars.taken(value)
        results = _results(out)
        if recorder.writer.doubtful and any(key in recorder.writer.doubtful for key in known):
            recorder.writer.doubtful.update(id(r) for r in results if isinstance(r, torch.Tensor) and id(r) not in known)
        if isinstance(out, torch.Tensor) and not mutable:
            op, attributes = self._as_view(op, args, out, attributes, use)
            attributes = self._cast(op, attributes, args, kwargs, out)
        recorder.node(op, attributes, results, wanted=_short(op))

    def _note_constant(self) -> None:
        """A tensor is made of numbers in a branch or body: of a symbol torch makes an operator, and else a constant."""
        recorder = self.recorder
        at = here(recorder.until)
        user = user_frame(sys._getframe(1))
        if recorder.decisions.by_array:
            return
        if recorder.decisions.number_at == at_user(user) or user is not None and takes_array(user):
            return  # of functions of numpy torch.export makes operators
        if at[0] is not None and asks_sizes(at[0].path, at[0].line):
            # While torch.export traces a branch, a size may be a symbol that is a number here.
            recorder.note(f"{spelt(at[0])}a tensor that is made of numbers in a branch or body may be kept as its constant: "
                          "torch.export takes that, but save and run_decompositions fail; make it outside, or by torch.full")
        else:
            recorder.effect_once("constant", "one made of numbers, as by torch.tensor(…), x[0] = 1.0 or x[[0, 1]]", at)

    def _as_view(self, op: str, args: Any, out: Any, attributes: list[Json], use: Any) -> tuple[str, list[Json]]:
        """`reshape` and its like: whether they copied is known here."""
        if op.split(".")[1] not in ("reshape", "flatten", "reshape_as", "ravel", "contiguous", "to"):
            return op, attributes
        source = args[0] if args else None
        if not isinstance(source, self.recorder.torch.Tensor) or storage_of(source) != storage_of(out):
            return op, attributes
        shape = [self.recorder.writer.sizes.text(size) for size in out.shape]
        size: Json = {"name": "size"}
        size["ints" if all(isinstance(s, int) for s in shape) else "dims"] = shape
        return "aten.view.default", [{"name": "self", "operand": use(source)}, size]

    def _cast(self, op: str, attributes: list[Json], args: Any, kwargs: Any, out: Any) -> list[Json]:
        """Under autocast operands are converted first."""
        recorder = self.recorder
        torch = recorder.torch
        if not _autocasts(torch, out) or op.split(".")[1] in ("to", "_to_copy", "type_as"):
            return attributes
        tensors = [t for t in _tensors(torch, (args, kwargs)) if t.dtype.is_floating_point and t.dtype != out.dtype]
        if not out.dtype.is_floating_point or not tensors:
            return attributes
        converted: dict[str, str] = {}
        for tensor in tensors:
            name = recorder.use(tensor)
            if name in converted:
                continue
            with recorder.mode:
                recorder.silent += 1
                copy = torch.empty_like(tensor, dtype=out.dtype)
                recorder.silent -= 1
            made = recorder.node(
                "aten._to_copy.default",
                [{"name": "self", "operand": name}, {"name": "dtype", "dtype": recorder.writer.dtype(out.dtype)}],
                [copy],
                wanted="autocast",
            )
            converted[name] = made[0]
        return [_renamed(attribute, converted) for attribute in attributes]


def _renamed(attribute: Json, names: dict[str, str]) -> Json:
    if isinstance(attribute.get("operand"), str):
        return {**attribute, "operand": names.get(attribute["operand"], attribute["operand"])}
    if "operands" in attribute:
        return {**attribute, "operands": [names.get(o, o) if isinstance(o, str) else o for o in attribute["operands"]]}
    return attribute


def _autocasts(torch: Any, out: Any) -> bool:
    kind = out.device.type
    try:
        return bool(torch.is_autocast_enabled(kind))
    except (RuntimeError, TypeError):
        return False


def _is_like_input(
    torch: Any, value: Any, weight: Any, bias: Any, mean: Any, variance: Any, training: bool, *others: Any
) -> bool:
    """Whether what `batch_norm` yields is plainly of its input's type; torch finds that out by some thirty operators."""
    rest = [tensor for tensor in (weight, bias, mean, variance) if tensor is not None]
    shape, dtype = list(value.shape), value.dtype
    if training or mean is None or variance is None or len(shape) < 2 or not dtype.is_floating_point or _autocasts(torch, value):
        return False
    if any(type(size) is not int for size in shape) or any(type(t) is not type(value) or t.layout is not torch.strided for t in (value, *rest)):
        return False
    strides = [math.prod(shape[at + 1 :]) for at in range(len(shape))]
    fits = all(t.dtype is dtype and t.device == value.device and list(t.shape) == shape[1:2] for t in rest)
    learns = torch.is_grad_enabled() and any(t.requires_grad for t in rest) and not value.requires_grad
    return fits and not learns and 0 not in shape and list(value.stride()) == strides


def _tensors(torch: Any, value: Any) -> list[Any]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    if isinstance(value, (list, tuple)) or hasattr(value, "__iter__") and not isinstance(value, str):
        return [t for v in value for t in _tensors(torch, v)]
    return []


def _written(torch: Any, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The tensors that an operator writes."""
    found = []
    for position, argument in enumerate(func._schema.arguments):
        value = args[position] if position < len(args) else kwargs.get(argument.name)
        if argument.alias_info is not None and argument.alias_info.is_write:
            found += _tensors(torch, value)
    return found


def _results(out: Any) -> list[Any]:
    if isinstance(out, (list, tuple)):
        return [x for value in out for x in (value if isinstance(value, (list, tuple)) else [value])]
    return [] if out is None else [out]


def _operator_name(func: Any) -> str:
    """`aten.add.Tensor`; other libraries with their own name."""
    schema = getattr(func, "_schema", None)
    if schema is None:
        return f"higher_order.{getattr(func, '__name__', func)}"
    namespace, name = schema.name.split("::")
    return f"{namespace}.{name}.{schema.overload_name or 'default'}"


def _short(op: str) -> str:
    return op.split(".")[1]
