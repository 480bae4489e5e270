"""Numbers that host code makes of tensors: `int(t)` and `float(t)` stay symbols, as they do for torch.export."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_draws import Draws
from ._record_patches import patched
from ._record_places import caller, here, is_installed, is_users, spelt
from ._record_symbols import Symbols
from ._record_transposed import Read
from ._record_uses import is_tested_alone, is_unused

if TYPE_CHECKING:
    from ._record import Recorder


class HostNumbers:
    """Gives user modules an `int`, a `float` and the like that keep a tensor's value symbolic."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        torch = recorder.torch
        self.symbols = Symbols(recorder)
        self.draws = Draws(recorder)
        self.shims = {"int": _shim(torch, int, torch.SymInt), "float": _shim(torch, float, torch.SymFloat), **self.symbols.shims()}

    @contextlib.contextmanager
    def active(self, root: Any) -> Iterator[None]:
        """For the time of a recording."""
        spaces = []
        for module in list(sys.modules.values()):
            path = getattr(module, "__file__", None)
            if path and is_users(path) and not is_installed(path):
                spaces.append(vars(module))
        forward = getattr(type(root), "forward", root)
        own = getattr(forward, "__globals__", None)
        path = str(getattr(getattr(forward, "__code__", None), "co_filename", ""))
        if own is not None and not is_installed(path) and not any(own is space for space in spaces):
            spaces.append(own)
        undo = []
        tensors = compat.fake_type()
        methods = {
            "tolist": self._tolist(tensors.tolist),
            "data_ptr": self._address(tensors.data_ptr),
            "__repr__": self._text(tensors.__repr__),
            "__getitem__": self._item(tensors.__getitem__),
            "__setitem__": self._set_item(tensors.__setitem__),
        }
        if (numpy := sys.modules.get("numpy")) is not None and any(value is numpy for space in spaces for value in list(space.values())):
            methods |= {name: self._asked_by_number(getattr(tensors, name), name) for name in ("size", "stride")}
        patches = [(tensors, name, method) for name, method in methods.items()]
        patches += self.symbols.patches()
        patches += [(owner, name, self._answer(getattr(owner, name), said)) for owner, name, said in compat.untraced_answers()]
        torch = self.recorder.torch
        patches.append((torch.Tensor, "data", self._data(torch.Tensor.data)))
        patches.append((tensors, "nbytes", self._bytes()))
        if compat.fails_on_real_part():
            patches.append((tensors, "real", self._real(torch.Tensor.real)))
        patches += self.recorder.transposed.patches()
        drawn = self.draws.patches()
        patches += drawn
        if (generator := sys.modules.get("numpy.random")) is not None:
            patches.append((generator, "get_state", self._answer(generator.get_state, "numpy.random.get_state")))
        patches += self._entered()
        stand_ins = {id(getattr(owner, name)): shim for owner, name, shim in drawn}
        with patched(patches):
            try:
                for space in spaces:
                    # `from random import randint` has given code the function itself.
                    for name, value in list(space.items()):
                        if (shim := stand_ins.get(id(value))) is not None:
                            space[name] = shim
                            undo.append((space, name, value))
                    for name, shim in self.shims.items():
                        if name not in space:
                            space[name] = shim
                            undo.append((space, name, None))
                yield
            finally:
                for space, name, value in undo:
                    if value is None:
                        space.pop(name, None)
                    else:
                        space[name] = value

    def _data(self, inherited: Any) -> Any:
        """`t.data`: in the memory of `t`, and of no origin that torch.export sees."""
        recorder = self.recorder

        def data(tensor: Any) -> Any:
            found = inherited.__get__(tensor)
            if is_users(sys._getframe(1).f_code.co_filename):
                fake = recorder.fakes.of(found)
                recorder.data[id(fake)] = fake
            return found

        return property(data, inherited.__set__, inherited.__delete__)

    def _bytes(self) -> Any:
        """`t.nbytes`, which torch.export does not ask a tensor without numbers."""
        recorder = self.recorder

        def count(tensor: Any) -> Any:
            if recorder.in_branch(sys._getframe(1)) and not compat.counts_bytes():
                recorder.effect_once("call", "Tensor.nbytes", here(recorder.until))
            return tensor.numel() * tensor.itemsize

        return property(count)

    def _real(self, inherited: Any) -> Any:
        """`t.real` of what a branch is given or reads from outside: where that is real already, some versions of torch.export take it for an operand beside it."""
        recorder = self.recorder

        def real(tensor: Any) -> Any:
            found = inherited.__get__(tensor)
            frame = caller() if recorder.scope.parent is not None else None
            if frame is None or recorder.silent or tensor.is_complex() or is_unused(frame):
                return found
            scope, at = recorder.scope, here(recorder.until)
            name = scope.names.get(id(recorder.fakes.of(tensor)))
            if name is None or any(name == lifted.name for lifted in scope.lifted.values()):
                found = recorder.torch.ops.aten.alias.default(tensor)
                scope.read.append(Read("real", tensor, found, at))
            elif any(name == given["name"] for given in scope.parameters):
                recorder.effect_once("call", "Tensor.real of an operand that is real", at)
            return found

        return property(real, inherited.__set__)

    def _entered(self) -> list[tuple[Any, str, Any]]:
        """`with torch.autocast(…)`: how many of them user code is in, outside of any branch."""
        recorder = self.recorder
        contexts = recorder.torch.autocast
        enter, leave = contexts.__enter__, contexts.__exit__

        def entered(context: Any) -> Any:
            recorder.scope.autocasts += 1
            return enter(context)

        def left(context: Any, *error: Any) -> Any:
            recorder.scope.autocasts -= 1
            return leave(context, *error)

        return [(contexts, "__enter__", entered), (contexts, "__exit__", left)]

    def _answer(self, inherited: Any, name: str) -> Any:
        """What tells something else than a tensor: torch.export stops at some of that."""
        recorder = self.recorder
        is_offset = name == "Tensor.storage_offset" and compat.follows_offset()

        @functools.wraps(inherited)
        def answer(*args: Any, **kwargs: Any) -> Any:
            if is_offset and self._is_given(args[0]):
                return inherited(*args, **kwargs)
            if recorder.in_branch(sys._getframe(1)):
                recorder.effect_once("call", name, here(recorder.until))
            return inherited(*args, **kwargs)

        return answer

    def _is_given(self, tensor: Any) -> bool:
        """Whether no branch around makes the tensor; of one within another what it makes itself is no matter."""
        scope = self.recorder.scope
        if scope.depth() > 1 and scope.parent is not None:
            scope = scope.parent
        while scope is not None and scope.parent is not None:
            made = scope.names.get(id(tensor))
            if made is not None and all(made != given["name"] for given in scope.parameters):
                return False
            scope = scope.parent
        return True

    def _asked_by_number(self, inherited: Any, name: str) -> Any:
        """`x.size(np.int64(1))`: torch.export does not take a number of numpy there."""
        recorder = self.recorder

        @functools.wraps(inherited)
        def asked(tensor: Any, *args: Any, **kwargs: Any) -> Any:
            if not args or not recorder.in_branch(sys._getframe(1)):
                return inherited(tensor, *args, **kwargs)
            if _is_of_numpy(args[0]):
                recorder.effect_once("call", f"Tensor.{name} with a number of numpy", here(recorder.until))
            return self._tried(inherited, tensor, *args)

        return asked

    def _address(self, inherited: Any) -> Any:
        """`t.data_ptr()`, which torch.export passes over where nothing is made of it."""
        recorder = self.recorder

        def address(tensor: Any) -> int:
            frame = sys._getframe(1)
            if recorder.in_branch(frame):
                if not is_unused(frame) and not (compat.follows_truth_of_address() and is_tested_alone(frame)):
                    recorder.effect_once("call", "Tensor.data_ptr", here(recorder.until))
                return 0  # a tensor without numbers lies nowhere
            return int(inherited(tensor))

        return address

    def _tolist(self, inherited: Any) -> Any:
        """`t.tolist()`: torch.export follows whole numbers alone."""
        recorder = self.recorder

        def tolist(tensor: Any) -> Any:
            exact = not (tensor.dtype.is_floating_point or tensor.dtype.is_complex)
            if not exact and recorder.scope.parent is not None and not recorder.silent:
                recorder.node("cxx.host_read", [{"name": "what", "string": "tolist"}], wanted="host_read")
            return inherited(tensor)

        return tolist

    def _text(self, inherited: Any) -> Any:
        """`str(t)` and `repr(t)`: torch.export follows neither; of a text that is formatted it keeps the parts."""
        recorder = self.recorder

        def text(tensor: Any, **kwargs: Any) -> Any:
            if not recorder.silent and recorder.in_branch(sys._getframe(1)):
                recorder.node("cxx.host_read", [{"name": "what", "string": "text"}], wanted="host_read")
            return inherited(tensor, **kwargs)

        return text

    def _tried(self, function: Any, *args: Any) -> Any:
        """Calls what torch checks before any operator is asked."""
        try:
            return function(*args)
        except (IndexError, TypeError, ValueError) as error:
            self.recorder.failed(error)
            raise

    def _indexed(self, function: Any, tensor: Any, index: Any, *value: Any) -> Any:
        """Calls it with an index; of lists of numbers torch makes tensors, whatever it asks of the sizes that `:` stands for."""
        decisions = self.recorder.decisions
        parts = index if isinstance(index, tuple) else (index,)
        decisions.lists_numbers = any(isinstance(part, list) and not _holds_symbol(self.recorder.torch, part) for part in parts)
        arrays = sum(_is_of_numpy(part) for part in parts)
        decisions.by_array = arrays == 1 and not decisions.lists_numbers and (not value or not compat.keeps_assigned_number())
        try:
            return self._tried(function, tensor, index, *value)
        finally:
            decisions.lists_numbers = decisions.by_array = False

    def _item(self, inherited: Any) -> Any:
        """`t[…]`: an index that is a symbol stays one."""
        torch = self.recorder.torch

        def item(tensor: Any, index: Any) -> Any:
            self._number_as_index(index)
            parts = _parts(torch, index)
            if parts is None:
                return self._indexed(inherited, tensor, index)
            self._symbol_beside_others(parts)
            given = sum(part is not None and part is not ... for part in parts)
            out, at = tensor, 0
            for part in parts:
                if part is None:
                    out = out.unsqueeze(at)
                elif part is ...:
                    at += tensor.dim() - given
                    continue
                elif not isinstance(part, slice):
                    out = torch.select(out, at, part)
                    continue
                elif part != slice(None):
                    out = torch.ops.aten.slice(out, at, part.start, part.stop, 1 if part.step is None else part.step)
                at += 1
            return out

        return item

    def _symbol_beside_others(self, parts: tuple[Any, ...]) -> None:
        """`x[:, k]`, where `k` is a number of a tensor: torch.export takes `x[k]` and slices by it."""
        recorder = self.recorder
        symbols = [compat.expression_of(part) for part in parts if isinstance(part, recorder.torch.SymInt)]
        of_data = any(expr.free_symbols and not recorder.sizes.are_sizes(expr) for expr in symbols)
        if len(parts) > 1 and of_data and caller() is not None and recorder.scope.parent is not None and compat.refuses_symbol_beside_others():
            recorder.effect_once("call", "x[:, k], where k is a number of a tensor (it traces x.select(1, k) and x[k])", here(recorder.until))

    def _number_as_index(self, index: Any) -> None:
        """`t[i]`, where `i` is a tensor of one number, by a version of torch.export that fails on it."""
        recorder = self.recorder
        torch = recorder.torch
        given = [i for i in (index if isinstance(index, tuple) else (index,)) if isinstance(i, torch.Tensor)]
        integers = [i for i in given if i.dim() == 0 and not (i.dtype is torch.bool or i.dtype.is_floating_point)]
        if not integers or recorder.silent or not compat.fails_on_number_as_index():
            return
        if not is_users(sys._getframe(2).f_code.co_filename):
            return
        if recorder.scope.parent is not None:
            recorder.node("cxx.host_read", [{"name": "what", "string": "index"}], wanted="host_read")
        else:
            recorder.note(f"{spelt(here(recorder.until)[0])}a tensor of one number is the index here: torch.export "
                          f"{torch.__version__.split('+')[0]} fails on that; torch.index_select takes it")

    def _set_item(self, inherited: Any) -> Any:
        """`t[…] = …` likewise."""
        torch = self.recorder.torch

        def set_item(tensor: Any, index: Any, value: Any) -> None:
            if _parts(torch, index) is None:
                self._indexed(inherited, tensor, index, value)
            elif isinstance(value, torch.Tensor):
                tensor[index].copy_(value)
            else:
                tensor[index].fill_(value)

        return set_item


def _is_of_numpy(value: Any) -> bool:
    return type(value).__module__ == "numpy"


def _holds_symbol(torch: Any, value: Any) -> bool:
    return isinstance(value, torch.SymInt) or isinstance(value, (list, tuple)) and any(_holds_symbol(torch, part) for part in value)


def _parts(torch: Any, index: Any) -> tuple[Any, ...] | None:
    """The parts of an index of numbers and slices, where there is a symbol in it."""
    parts = index if isinstance(index, tuple) else (index,)
    symbolic = False
    for part in parts:
        if isinstance(part, torch.SymInt):
            symbolic = True
        elif isinstance(part, slice):
            symbolic = symbolic or any(isinstance(x, torch.SymInt) for x in (part.start, part.stop, part.step))
        elif part is not None and part is not ... and (isinstance(part, bool) or not isinstance(part, int)):
            return None
    return parts if symbolic else None


def _shim(torch: Any, real: type, symbolic: type) -> Any:
    """A stand-in for `int` or `float` that is one for every other purpose."""

    class Meta(type):
        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            if len(args) == 1 and not kwargs:
                value = args[0]
                if isinstance(value, torch.Tensor) and value.numel() == 1:
                    value = value.item()
                if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
                    if isinstance(value, symbolic):
                        return value
                    if real is int:
                        return torch.sym_int(value)
                    return torch.sym_float(value)
                return real(value)
            return real(*args, **kwargs)

        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, real)

        def __subclasscheck__(cls, sub: type) -> bool:
            return issubclass(sub, real)

        def __eq__(cls, other: Any) -> bool:
            return other is cls or other is real

        def __hash__(cls) -> int:
            return hash(real)

        def __or__(cls, other: Any) -> Any:
            return real | other

        def __ror__(cls, other: Any) -> Any:
            return other | real

        def __getattr__(cls, name: str) -> Any:
            return getattr(real, name)

    return Meta(real.__name__, (), {"__doc__": real.__doc__})
