"""Numbers of tensors that a branch reads and that were made outside of it: torch freezes floating ones, and refuses whole ones."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_graph import Json, Scope
from ._record_places import here, user_frames

if TYPE_CHECKING:
    from ._record import Recorder


class Scalars:
    """Notes symbolic numbers that an operator of a branch takes from outside."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.names: dict[str, str] = {}  # by symbol: the node that made it

    def taken(self, value: Any) -> None:
        """An operator takes a value: a number, a list of some, or something else."""
        torch = self.recorder.torch
        if isinstance(value, torch.SymFloat):
            self._float(value)
        elif isinstance(value, torch.SymInt):
            self._whole(value)
        elif type(value) in (list, tuple):
            for part in value:
                if isinstance(part, torch.SymInt):
                    self._whole(part)

    def _float(self, value: Any) -> None:
        """A floating number of the host is frozen into the graph."""
        recorder = self.recorder
        symbols = recorder.sizes.symbols_of(value)
        scope = recorder.scope
        if symbols <= recorder.sizes.declared.keys():
            # Computed from sizes: within the branch, or outside of it and held in a variable there.
            if (name := self._variable(symbols, value)) is not None:
                self._capture(scope, name, name)
            return
        while scope.parent is not None and not symbols & scope.symbols:
            outer = scope.parent
            if symbols & outer.symbols or outer.parent is None:
                break
            scope = outer
        if scope.parent is None or symbols & scope.symbols:
            return
        key = " ".join(sorted(symbols))
        named = [self.names.get(name, name) for name in symbols]
        self._capture(scope, key, named[-1] if named else key)

    def _whole(self, value: Any) -> None:
        """A whole number that data decides: torch.export takes the size of a tensor for one, and no variable."""
        recorder = self.recorder
        scope: Scope | None = recorder.scope
        if recorder.silent or recorder.scope.parent is None or compat.exports_strictly():
            return
        symbols = recorder.sizes.symbols_of(value) - recorder.sizes.declared.keys()
        while scope is not None and scope.parent is not None:
            if not symbols or symbols & scope.symbols:
                return
            scope = scope.parent
        name = self._variable(symbols)
        if name is None and symbols & recorder.main.symbols and not symbols & self._sizes_given():
            name = next(self.names.get(symbol, symbol) for symbol in sorted(symbols & recorder.main.symbols))
        if name is not None:
            words = f"'{name}', a whole number that was read of a tensor outside: torch.export stops at it, unless it is strict"
            recorder.effect_once("number", words, here(recorder.until))

    def _sizes_given(self) -> set[str]:
        """The symbols in the sizes of the tensors that the branch in hand is given, or reads from outside."""
        scope = self.recorder.scope
        types = [*(given.get("type", {}) for given in scope.parameters), *(self.recorder.writer.type_of(item.tensor) for item in scope.lifted.values())]
        sizes = [size for kind in types for size in kind.get("shape") or () if hasattr(size, "expr")]
        return {name for size in sizes for name in self.recorder.sizes.names_of(size.expr)}

    def _variable(self, symbols: set[str], value: Any = None) -> str | None:
        """The variable of an outer function in which the branch in hand finds such a number, or that very one."""
        torch = self.recorder.torch
        frames = user_frames(sys._getframe(1), self.recorder.until)
        own = {name for frame in frames for name in frame.f_code.co_cellvars}
        for frame in frames:
            for name in frame.f_code.co_freevars:
                if name in own:
                    continue
                held = frame.f_locals.get(name)
                if value is not None:
                    if isinstance(held, torch.SymFloat) and held.node is value.node:
                        return name
                elif isinstance(held, torch.SymInt) and symbols & self.recorder.sizes.symbols_of(held):
                    return name
        return None

    def _capture(self, scope: Scope, key: str, name: str) -> None:
        if scope.parent is None or key in scope.scalars:
            return
        place, calls = here(self.recorder.until)
        capture: Json = {"name": name, "kind": "reference", "content": "float_item", "varies": True}
        if place is not None:
            capture["firstUse"] = place.to_json()
        if calls:
            capture["calls"] = [call.to_json() for call in calls]
        scope.scalars[key] = capture
