"""Sizes that are numbers here and symbols for torch.export while it traces a branch: those of tensors none of whose sizes is to change."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_graph import Scope
from ._record_inputs import strides_like
from ._record_places import Place, place_of_traceback, said

if TYPE_CHECKING:
    from ._record import Recorder
    from ._record_branches import Branches, Region, Run

At = tuple["Place | None", list["Place"]]


class TracedSizes:
    """Runs a branch again, with symbols for the sizes of what it is given, and tells what it makes of them that torch.export does not take.

    A parameter or a buffer keeps its sizes there, and a tensor of which one size is to change its others. Once a branch is traced the symbols are
    numbers again: what torch.export.save does not take of symbols it takes of them.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._found: list[tuple[str, str, At]] | None = None  # what was told in the run that is on

    @property
    def is_on(self) -> bool:
        """Whether the run that is on is such a one."""
        return self._found is not None

    def tell(self, what: str, name: str, at: At) -> None:
        """An effect of the branch: where it comes of a symbol, the first run did not have it."""
        if self._found is not None and what in ("call", "symbol"):
            self._found.append((what, name, at))

    def look(self, branches: Branches, region: Region, run: Run, leaves: list[Any], spec: Any, frame: types.FrameType) -> None:
        """Runs a branch that has run, where its code may make something of sizes."""
        recorder = self.recorder
        if recorder.silent or not run.state.statements.tells_sizes or not compat.traces_sizes_as_symbols():
            return
        with recorder.sizes.tried() as symbol, self._captures(run.function, symbol) as captured:
            twins = [self._twin(leaf, symbol) for leaf in leaves]
            if not captured and all(twin is leaf for twin, leaf in zip(twins, leaves)):
                return
            decisions = dict(recorder.decisions.asked)
            self._found = []
            try:
                error = branches.run_silently(run, twins, spec, frame, Scope(recorder.scope))
                if isinstance(error, (AttributeError, TypeError)) and not region.failed:
                    self._raised(error)
            finally:
                found, self._found = self._found, None
                recorder.decisions.asked = decisions
                run.state.restore()
        with recorder.entered(region.scope, frame):
            for what, name, at in found:
                recorder.effect_once(what, name, at)

    def _raised(self, error: Exception) -> None:
        """Where user code asks of a symbol what it does not have, as `~n`."""
        place, calls, by_user = place_of_traceback(error.__traceback__)
        if by_user and any(f"'{kind}'" in str(error) for kind in ("SymFloat", "SymInt")):
            self.tell("symbol", f"{said(error)}: a size is a symbol where torch.export traces a branch", (place, calls))

    @contextlib.contextmanager
    def _captures(self, function: Any, symbol: Any) -> Iterator[bool]:
        """Puts twins in the place of the tensors that a function reads of those around it; whether there are any."""
        function = getattr(function, "__func__", function)
        undo: list[tuple[Any, Any]] = []
        for cell in (function.__closure__ or ()) if isinstance(function, types.FunctionType) else ():
            with contextlib.suppress(ValueError):
                held = cell.cell_contents
                if (twin := self._twin(held, symbol)) is not held:
                    undo.append((cell, held))
                    cell.cell_contents = twin
        try:
            yield bool(undo)
        finally:
            for cell, held in undo:
                cell.cell_contents = held

    def _twin(self, value: Any, symbol: Any) -> Any:
        """A tensor like `value` with symbols for its sizes; itself where torch.export takes them as they are."""
        recorder = self.recorder
        torch = recorder.torch
        if not isinstance(value, torch.Tensor) or value.layout is not torch.strided or id(recorder.fakes.of(value)) in recorder.roles:
            return value
        shape, strides = list(value.shape), list(value.stride())
        if not all(type(size) is int for size in (*shape, *strides)) or all(size < 2 for size in shape):
            return value
        sizes = [size if size < 2 else symbol(size) for size in shape]
        with recorder.mode:
            twin = torch.empty_strided(sizes, strides_like(shape, strides, sizes), dtype=value.dtype, device=value.device)
        return twin.requires_grad_() if value.requires_grad else twin

