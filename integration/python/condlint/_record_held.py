"""Numbers of numpy that a branch reads from outside: torch.export takes each for a tensor, and an operator that wants a number asks it for its value."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_graph import Scope, Stopped
from ._record_places import here

if TYPE_CHECKING:
    import types

    from ._record import Recorder
    from ._record_branches import Branches, Region, Run

# Calls that torch.export computes by others, whatever the number in them is.
_COMPUTED_BY_OTHERS = frozenset("addcdiv addcmul full".split())
_INDEXED = {"__getitem__": "x[…]", "__setitem__": "x[…] = …"}
_WITH_ALPHA = frozenset("add add_ sub sub_ subtract subtract_".split())


class HeldNumbers:
    """Runs a branch again, where it may read a number of numpy, with a tensor in the place of each number of numpy that torch is handed.

    A call that fails so fails for torch.export, too; it is told, and the run goes on with the number.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def look(self, branches: Branches, region: Region, run: Run, leaves: list[Any], spec: Any, frame: types.FrameType) -> None:
        """Runs a branch that has run."""
        recorder = self.recorder
        statements = run.state.statements
        # A number that the branch makes is a constant, of which the value is known: that is told by itself.
        if recorder.silent or "numpy" not in sys.modules or not statements.holds_numbers or statements.makes_numbers or region.failed:
            return
        if not compat.refuses_held_numbers():
            return
        decisions = dict(recorder.decisions.asked)
        found: list[tuple[str, str, Any]] = []

        def refused(name: str) -> None:
            found.append(("call", f"{name} with a number of numpy for what cannot be a tensor, as a dimension", here(recorder.until)))

        outputs: list[Any] = []

        @functools.wraps(run.function)
        def function(*given: Any) -> None:
            outputs.extend(recorder.torch.utils._pytree.tree_leaves(run.function(*given)))

        try:
            with compat.function_mode(lambda call, args, kwargs: self._call(call, args, kwargs, refused)):
                branches.run_silently(dataclasses.replace(run, function=function), leaves, spec, frame, Scope(recorder.scope))
            if compat.refuses_held_sizes() and any(self._is_sized(twin) and not self._is_sized(leaf) for twin, leaf in zip(outputs, region.outputs)):
                found.append(("call", "sizes of what it returns by a number of numpy", here(frame)))
        finally:
            recorder.decisions.asked = decisions
            run.state.restore()
        with recorder.entered(region.scope, frame):
            for what, name, at in found:
                recorder.effect_once(what, name, at)

    def _call(self, call: Any, args: Any, kwargs: Any, refused: Callable[[str], None]) -> Any:
        """A function or a method of torch is called."""
        tree = self.recorder.torch.utils._pytree
        leaves, spec = tree.tree_flatten((args, kwargs), is_leaf=lambda part: isinstance(part, slice))
        name = getattr(call, "__name__", str(call))
        twins = [self._twin(leaf) for leaf in leaves]
        if all(twin is leaf for twin, leaf in zip(twins, leaves)):
            return call(*args, **kwargs)
        if name not in _COMPUTED_BY_OTHERS and not ("alpha" in kwargs and name in _WITH_ALPHA):
            given, named = tree.tree_unflatten(twins, spec)
            try:
                with self._tried() as lost:
                    out = call(*given, **named)
                    if not lost(out):
                        return out
            except (Exception, Stopped):
                pass
            refused(_INDEXED.get(name, name))
        return call(*args, **kwargs)

    def _is_sized(self, value: Any) -> bool:
        """Whether a tensor has strides that are made of no sizes that are known."""
        torch = self.recorder.torch
        symbols = [size for size in value.stride() if isinstance(size, torch.SymInt)] if isinstance(value, torch.Tensor) else []
        return any(not self.recorder.sizes.are_sizes(compat.expression_of(size)) for size in symbols)

    @contextlib.contextmanager
    def _tried(self) -> Iterator[Callable[[Any], bool]]:
        """While a call is tried nobody answers for a value that is not known; yields what says whether a floating one was asked that no result has."""
        recorder = self.recorder
        pending = getattr(recorder.env, "pending_fresh_unbacked_symbols", [])
        before = len(pending)
        recorder.decisions.is_tried = True

        def lost(out: Any) -> bool:
            known: set[str] = set()
            for leaf in recorder.torch.utils._pytree.tree_leaves(out):
                sizes = (*leaf.shape, *leaf.stride(), leaf.storage_offset()) if isinstance(leaf, recorder.torch.Tensor) else (leaf,)
                for size in sizes:
                    if isinstance(size, (recorder.torch.SymInt, recorder.torch.SymFloat)):
                        known |= {str(symbol) for symbol in compat.expression_of(size).free_symbols}
            return any(not symbol.is_integer and str(symbol) not in known for symbol in pending[before:])

        try:
            yield lost
        finally:
            recorder.decisions.is_tried = False
            del pending[before:]

    def _twin(self, value: Any, by_symbol: bool = False) -> Any:
        """A tensor, or what it is asked for, in the place of a number of numpy; those of 64 bits that are numbers of Python's stay."""
        numpy: Any = sys.modules["numpy"]
        if isinstance(value, slice):
            given = value.start, value.stop, value.step
            parts = [self._twin(part, by_symbol=True) for part in given]
            return value if all(twin is part for twin, part in zip(parts, given)) else slice(*parts)
        if not isinstance(value, numpy.number) or isinstance(value, (float, complex)):
            return value
        with self.recorder.mode:
            twin = self.recorder.torch.empty((), dtype=getattr(self.recorder.torch, value.dtype.name))
            return twin.item() if by_symbol else twin
