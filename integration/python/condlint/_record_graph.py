"""The graph that a recording writes: scopes, values and nodes, as graph JSON (docs/graph-json.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import _torch_compat as compat
from ._record_places import Place
from ._record_sizes import Sizes

Json = dict[str, Any]

#: A value of which nothing is known.
UNKNOWN = object()


class Stopped(BaseException):
    """Ends a recording, or that of a branch, where nothing can be said of what comes after; user code does not catch it."""


@dataclass
class Lifted:
    """A tensor from outside of a branch that it reads: it becomes an operand, as torch makes it one."""

    tensor: Any
    name: str
    place: Place | None
    calls: list[Place]


@dataclass
class Scope:
    """A graph in the making. In torch a graph sees its own names alone."""

    parent: Scope | None = None
    names: dict[int, str] = field(default_factory=dict)
    storages: dict[int, Any] = field(default_factory=dict)  # the first tensor in each piece of memory
    taken: set[str] = field(default_factory=set)
    parameters: list[Json] = field(default_factory=list)
    nodes: list[Json] = field(default_factory=list)
    lifted: dict[int, Lifted] = field(default_factory=dict)
    scalars: dict[str, Json] = field(default_factory=dict)
    symbols: set[str] = field(default_factory=set)
    given: set[int] = field(default_factory=set)  # the memory of what this graph is called with
    writes: list[tuple[str, Place | None]] = field(default_factory=list)  # operators that write what is not its own
    read: list[Any] = field(default_factory=list)  # attributes of tensors that are tensors (_record_transposed.py)
    told: set[tuple[str, int, str]] = field(default_factory=set)  # effects that are told once for a line
    autocasts: int = 0  # contexts of torch.autocast that user code is in
    frozen: str = ""  # by what a size became a number that is a symbol for torch.export
    unknown: str = ""  # why nothing can be said of what it returns

    def fresh(self, wanted: str) -> str:
        """A name that nothing in this graph has."""
        base = "".join(c if c.isalnum() or c == "_" else "_" for c in wanted) or "value"
        if base[0].isdigit():
            base = "_" + base
        name, number = base, 1
        while name in self.taken:
            name = f"{base}_{number}"
            number += 1
        self.taken.add(name)
        return name

    def depth(self) -> int:
        """How many graphs are around this one."""
        return 0 if self.parent is None else 1 + self.parent.depth()


class GraphWriter:
    """Turns tensors and arguments into what graph JSON says of them."""

    def __init__(self, torch: Any, sizes: Sizes) -> None:
        self.torch = torch
        self.sizes = sizes
        # Tensors are known by identity: one that is gone would give its number to another.
        self.kept: list[Any] = []
        # What a broken conditional yields, and what follows from it: only its operators say what it is.
        self.doubtful: set[int] = set()
        self.loose: set[int] = set()  # lies in memory in one of several ways
        self._layouts = {
            torch.strided: "strided",
            torch.sparse_coo: "sparse_coo",
            torch.sparse_csr: "sparse_csr",
            torch.sparse_csc: "sparse_csc",
            torch.sparse_bsr: "sparse_bsr",
            torch.sparse_bsc: "sparse_bsc",
        }
        formats = ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format")
        self._formats = {getattr(torch, name): number for number, name in enumerate(formats, 1)}

    def dtype(self, dtype: Any) -> str:
        """The name of an element type."""
        name = str(dtype).removeprefix("torch.").replace("_", "")
        if name.startswith("float4e2m1"):
            return "float4e2m1"
        known = name.startswith(("float", "int", "uint", "complex", "bfloat16", "bool"))
        return name if known and not name.startswith("bits") else "unknown"

    def type_of(self, value: Any) -> Json:
        """All that is known of a tensor."""
        torch = self.torch
        if id(value) in self.doubtful:
            return {"kind": "tensor"}
        out: Json = {"kind": "tensor", "dtype": self.dtype(value.dtype), "device": value.device.type}
        if value.device.index is not None and value.device.type != "cpu":
            out["deviceIndex"] = value.device.index
        out["shape"] = [self.sizes.text(size) for size in value.shape]
        out["layout"] = self._layouts.get(value.layout, "unknown")
        if value.layout is torch.strided and not value.is_quantized and id(value) not in self.loose:
            out["strides"] = [self.sizes.text(stride) for stride in value.stride()]
            out["storageOffset"] = self.sizes.text(value.storage_offset())
        if value.is_conj():
            out["conjugate"] = True
        if value.is_quantized:
            out["quantized"] = True
        out["requiresGrad"] = bool(value.requires_grad)
        return out

    def attribute(self, name: str | None, value: Any, use: Any) -> Json:
        """An argument as an attribute; `use(tensor)` is the reference to a tensor."""
        out: Json = {} if name is None else {"name": name}
        torch = self.torch
        if value is None:
            out["none"] = True
        elif isinstance(value, torch.Tensor):
            out["operand"] = use(value)
        elif isinstance(value, bool):
            out["bool"] = value
        elif isinstance(value, int) and _fits(value):
            out["int"] = value
        elif isinstance(value, float):
            out["float"] = _real(value)
        elif isinstance(value, complex):
            out["complex"] = [_real(value.real), _real(value.imag)]
        elif isinstance(value, str):
            out["string"] = value
        elif isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            out["operand"] = self.scalar(value)
        elif isinstance(value, torch.dtype):
            out["dtype"] = self.dtype(value)
        elif isinstance(value, torch.layout):
            out["layout"] = self._layouts.get(value, "unknown")
        elif isinstance(value, torch.memory_format):
            out["memoryFormat"] = self._formats.get(value, 0)
        elif isinstance(value, torch.device):
            out["device"] = value.type
            if value.index is not None:
                out["index"] = value.index
        elif isinstance(value, (list, tuple)):
            self._list(out, list(value), use)
        else:
            out["opaque"] = type(value).__name__
        return out

    def _list(self, out: Json, items: list[Any], use: Any) -> None:
        torch = self.torch
        if any(isinstance(item, torch.Tensor) for item in items):
            out["operands"] = [use(item) if isinstance(item, torch.Tensor) else None for item in items]
        elif any(isinstance(item, torch.SymInt) for item in items):
            out["dims"] = [self.sizes.text(item) for item in items]
        elif all(isinstance(item, bool) for item in items) and items:
            out["bools"] = items
        elif all(isinstance(item, int) and _fits(item) for item in items):
            out["ints"] = items
        elif all(isinstance(item, (int, float)) for item in items):
            out["floats"] = [_real(float(item)) for item in items]
        elif all(isinstance(item, str) for item in items):
            out["strings"] = items
        elif all(item is None for item in items):
            out["operands"] = [None] * len(items)
        else:
            out["opaque"] = "list"

    def scalar(self, value: Any) -> Json:
        """A symbolic number, written where it is used."""
        torch = self.torch
        if isinstance(value, torch.SymInt):
            text = self.sizes.text(value)
            return {"literal": "sym_int", "content": [text]} if text is not None else {"literal": "sym_int"}
        return {"literal": "sym_bool" if isinstance(value, torch.SymBool) else "sym_float"}

    def reference(self, value: Any, use: Any) -> Any:
        """A branch's result as a reference."""
        torch = self.torch
        if isinstance(value, torch.Tensor):
            return use(value)
        if value is None:
            return {"literal": {"kind": "none"}}
        if isinstance(value, bool):
            return value
        if isinstance(value, int):
            return value if _fits(value) else {"literal": "sym_int"}
        if isinstance(value, float):
            return {"literal": {"kind": "sym_float"}, "real": _real(value)}
        if isinstance(value, str):
            return {"literal": {"kind": "string"}}
        if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            return self.scalar(value)
        return {"literal": {"kind": "object"}}

    def result(self, scope: Scope, value: Any, wanted: str) -> Json:
        """What a node makes, defined in `scope`."""
        torch = self.torch
        name = scope.fresh(wanted)
        out: Json = {"name": name}
        if isinstance(value, torch.Tensor):
            self.define(scope, value, name)
            out["type"] = self.type_of(value)
        elif isinstance(value, (bool, torch.SymBool)):
            out["type"] = {"kind": "sym_bool"}
        elif isinstance(value, (int, torch.SymInt)):
            out["type"] = {"kind": "sym_int"}
            text = self.sizes.text(value)
            if text is not None:
                out["content"] = [text]
        elif isinstance(value, (float, torch.SymFloat)):
            out["type"] = {"kind": "sym_float"}
        elif value is UNKNOWN:
            out["type"] = {"kind": "unknown"}
        elif value is None:
            out["type"] = {"kind": "none"}
        else:
            out["type"] = {"kind": "object"}
        return out

    def define(self, scope: Scope, value: Any, name: str) -> None:
        """From here on `value` has this name in `scope`."""
        self.kept.append(value)
        scope.names[id(value)] = name
        memory = storage_of(value)
        if memory is not None:
            scope.storages.setdefault(memory, value)


def _fits(value: int) -> bool:
    """Whether it is an integer of 64 bits, as torch has them; Python's own know no bound."""
    return -(2**63) <= value < 2**63


def _real(value: float) -> float | str:
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return value


def storage_of(value: Any) -> int | None:
    """What memory a tensor lies in; None for one that is not strided."""
    try:
        return int(value.untyped_storage()._cdata)
    except (RuntimeError, NotImplementedError, ValueError):  # the last of a parameter that has no size yet
        return None


def is_fake(value: Any) -> bool:
    """Whether a tensor has no numbers."""
    return isinstance(value, compat.fake_type())
