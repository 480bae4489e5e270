"""The example's tensors and the module's weights without their numbers."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
from collections.abc import Iterator
from typing import Any

from . import _torch_compat as compat
from ._errors import InputError
from ._record_graph import storage_of
from ._record_sizes import Sizes, declared_size


class Fakes:
    """Each real tensor has one fake tensor for the time of a recording."""

    def __init__(self, torch: Any, mode: Any, sizes: Sizes) -> None:
        self.torch = torch
        self.mode = mode
        self.sizes = sizes
        self._made: dict[int, Any] = {}
        self._fakes: set[int] = set()
        self._storages: dict[int, Any] = {}
        self._kept: list[Any] = []
        self._memory: dict[int, int] = {}  # by fake tensor of an input: the memory of the real one
        self.are_inputs = True  # what is made now stands for inputs

    def of(self, tensor: Any) -> Any:
        """The fake tensor that stands for a real one."""
        if isinstance(tensor, compat.fake_type()):
            return tensor
        found = self._made.get(id(tensor))
        if found is None:
            found = compat.fake_copy(self.mode, tensor)
            self.remember(tensor, found)
        return found

    def remember(self, tensor: Any, fake: Any) -> None:
        """From now on `fake` stands for `tensor`."""
        self._kept.append(tensor)
        self._made[id(tensor)] = fake
        self._fakes.add(id(fake))
        if self.are_inputs and tensor.layout is self.torch.strided and not tensor.is_meta and (address := tensor.untyped_storage().data_ptr()):
            self._memory[id(fake)] = address
        memory = storage_of(fake)
        if memory is not None:
            self._storages.setdefault(memory, fake)

    def overlap(self, fakes: list[Any]) -> bool:
        """Whether two of some fake tensors stand for different inputs that lie in the same memory."""
        found = [self._memory[key] for key in {id(fake) for fake in fakes} if key in self._memory]
        return len(set(found)) < len(found)

    def stands_for_one(self, fake: Any) -> bool:
        """Whether a fake tensor stands for a real one."""
        return id(fake) in self._fakes

    def in_memory(self, memory: int) -> Any:
        """The fake tensor of a real one that lies in that memory, where there is one."""
        return self._storages.get(memory)

    def dynamic(self, tensor: Any, spec: Any, where: str) -> Any:
        """The fake tensor for an input of which `spec` says which sizes change."""
        if id(tensor) in self._made:
            return self._made[id(tensor)]
        wanted = _by_dimension(spec, tensor.dim(), where)
        if not wanted or tensor.layout is not self.torch.strided:
            return self.of(tensor)
        sizes = [
            declared_size(self.sizes, wanted.get(at), size, f"{where}, dimension {at}")
            for at, size in enumerate(tensor.shape)
        ]
        strides = strides_like(list(tensor.shape), list(tensor.stride()), sizes)
        with self.mode:
            fake = self.torch.empty_strided(sizes, strides, dtype=tensor.dtype, device=tensor.device)
        if tensor.requires_grad:
            fake.requires_grad_(True)
        self.remember(tensor, fake)
        return fake

    @contextlib.contextmanager
    def in_module(self, module: Any) -> Iterator[dict[int, tuple[str, str]]]:
        """Puts fake tensors in the place of a module's parameters and buffers, and takes them out again.

        Yields what each is: "parameter" or "buffer", and its qualified name.
        """
        roles: dict[int, tuple[str, str]] = {}
        undo: list[tuple[dict[str, Any], dict[str, Any]]] = []
        try:
            for prefix, part in module.named_modules():
                for role, store in (("parameter", part._parameters), ("buffer", part._buffers)):
                    undo.append((store, dict(store)))
                    for name, tensor in store.items():
                        if tensor is None:
                            continue
                        if self.torch.nn.parameter.is_lazy(tensor):
                            raise InputError(
                                f"the module's '{prefix}.{name}' has no size yet: call the module once with real "
                                "inputs before it is checked"
                            )
                        fake = self.of(tensor)
                        roles.setdefault(id(fake), (role, f"{prefix}.{name}" if prefix else name))
                        store[name] = fake
                # Recurrent layers keep a list of their weights, and make it anew where these are others.
                if "_flat_weights" in part.__dict__ and hasattr(part, "_init_flat_weights"):
                    undo.append((part.__dict__, dict(part.__dict__)))
                    part._init_flat_weights()
            yield roles
        finally:
            for store, old in reversed(undo):
                store.clear()
                store.update(old)


def strides_like(sizes: list[int], strides: list[int], symbolic: list[Any]) -> list[Any]:
    """The strides of a tensor of other sizes that lies in memory in the same way."""
    out: list[Any] = list(strides)
    expected: int = 1
    product: Any = 1
    for at in sorted(range(len(sizes)), key=lambda i: (strides[i], -i)):
        if strides[at] == expected or sizes[at] == 1:
            out[at] = product if strides[at] == expected else strides[at]
        if strides[at] == expected:
            expected *= sizes[at]
            product = product * symbolic[at]
    return out


def _by_dimension(spec: Any, rank: int, where: str) -> dict[int, Any]:
    if spec is None:
        return {}
    if isinstance(spec, dict):
        for key in spec:
            if not isinstance(key, int) or not -rank <= key < rank:
                raise InputError(f"dynamic_shapes: {where} has no dimension {key!r}; it has {rank}")
        return {key % rank: value for key, value in spec.items()}
    if isinstance(spec, (list, tuple)):
        if len(spec) != rank:
            raise InputError(f"dynamic_shapes: {where} has {rank} dimensions, and {len(spec)} are given")
        return dict(enumerate(spec))
    raise InputError(f"dynamic_shapes: {where} is {spec!r}; expected a dict from dimensions to torch.export.Dim")


def bind(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The arguments by the names of the parameters, in their order, and these; an exception of ours where they do not fit.

    Those that `**kwargs` takes stand for themselves in the one, and it for them in the other.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        unnamed = {**{f"arg_{i}": a for i, a in enumerate(args)}, **kwargs}
        return unnamed, list(unnamed)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise InputError(
            f"the inputs do not fit forward{signature}: {error}; pass args=(…) and kwargs={{…}} as the module takes them"
        ) from None
    out: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            out.update(value)
        else:
            out[name] = value
    return out, list(bound.arguments)


def make_fakes(fakes: Fakes, args: tuple[Any, ...], kwargs: dict[str, Any], function: Any, shapes: Any) -> Any:
    """`args` and `kwargs` with fake tensors, and the fake inputs by name."""
    torch = fakes.torch
    tree = torch.utils._pytree
    named, parameters = bind(function, args, kwargs)
    if hasattr(shapes, "dynamic_shapes"):  # torch.export.ShapesCollection and the like
        shapes = shapes.dynamic_shapes(function, args, kwargs)
    if shapes is None:
        shapes = {}
    elif isinstance(shapes, (tuple, list)):
        if len(shapes) != len(parameters):
            raise InputError(f"dynamic_shapes has {len(shapes)} entries for {len(parameters)} inputs ({', '.join(parameters)})")
        shapes = dict(zip(parameters, shapes))
    elif not isinstance(shapes, dict):
        raise InputError(f"dynamic_shapes is {type(shapes).__name__}; expected a dict from the names of inputs, or a tuple")
    for name in (set(parameters) - set(named)) & set(shapes):
        # `**kwargs`: what it takes may stand under its name.
        others = shapes[name] if isinstance(shapes[name], dict) else dict.fromkeys(kwargs)
        shapes = {**{known: spec for known, spec in shapes.items() if known != name}, **others}
    unknown = [name for name in shapes if name not in named]
    if unknown:
        raise InputError(f"dynamic_shapes names {unknown[0]!r}, which is no input; the inputs are {', '.join(named)}")
    missing = [name for name, value in named.items() if shapes and name not in shapes and tree.tree_leaves(value)]
    if missing:
        fakes.sizes.notes.append(f"dynamic_shapes has no entry for {missing[0]!r}: torch.export refuses that; write {missing[0]!r}: None")
    inputs: dict[str, Any] = {}

    def convert(value: Any, spec: Any, where: str) -> Any:
        if isinstance(value, torch.Tensor):
            fake = fakes.dynamic(value, spec, where)
            inputs[where] = fake
            return fake
        if isinstance(value, dict):
            known = spec if isinstance(spec, dict) else {}
            made = {k: convert(v, known.get(k), f"{where}_{k}") for k, v in value.items()}
            if type(value) is dict:
                return made
            copied = _copy(value)
            for k, v in made.items():
                copied[k] = v
            return copied
        if isinstance(value, (list, tuple)):
            listed = list(spec) if isinstance(spec, (list, tuple)) else []
            listed += [None] * (len(value) - len(listed))
            made_list = [convert(v, s, f"{where}_{i}") for i, (v, s) in enumerate(zip(value, listed))]
            if hasattr(value, "_fields"):
                return type(value)(*made_list)
            return type(value)(made_list)
        if compat.is_own_container(value):
            # A dataclass that is registered, and the like: its parts in their order.
            parts, structure = tree.tree_flatten(value, is_leaf=lambda part: part is not value)
            fields = [f.name for f in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
            names = fields if len(fields) == len(parts) else [str(i) for i in range(len(parts))]
            if type(spec) is type(value):
                spec = tree.tree_flatten(spec, is_leaf=lambda part: part is not spec)[0]
            listed = list(spec) if isinstance(spec, (list, tuple)) and len(spec) == len(parts) else [None] * len(parts)
            made_parts = [convert(part, s, f"{where}_{name}") for part, s, name in zip(parts, listed, names)]
            return tree.tree_unflatten(made_parts, structure)
        return value

    converted = {id(value): convert(value, shapes.get(name), name) for name, value in named.items()}
    new_args = []
    variadic = _variadic(function)
    if variadic and variadic in named and isinstance(named[variadic], tuple):
        fixed = len(args) - len(named[variadic])
        new_args = [converted.get(id(a), a) for a in args[:fixed]] + list(converted[id(named[variadic])])
    else:
        new_args = [converted.get(id(a), a) for a in args]
    new_kwargs = {k: converted.get(id(v), v) for k, v in kwargs.items()}
    return tuple(new_args), new_kwargs, inputs


def _variadic(function: Any) -> str | None:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return next((p.name for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL), None)


def _copy(value: Any) -> Any:
    import copy

    return copy.copy(value)
