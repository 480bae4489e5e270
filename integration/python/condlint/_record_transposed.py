"""Attributes of a tensor that are tensors: `t.T` of what a branch is given, which some versions of torch.export take for an operand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_graph import Json, Scope
from ._record_places import Place, caller, here

if TYPE_CHECKING:
    from ._record import Recorder

_NAMES = ("T", "mT", "H", "mH")


@dataclass
class Read:
    """`tensor.attribute` in a branch."""

    attribute: str
    tensor: Any
    result: Any
    at: tuple[Place | None, list[Place]]


class Transposed:
    """Finds the tensors of which a branch uses both themselves and such an attribute, or two: operands that share memory."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def patches(self) -> list[tuple[Any, str, Any]]:
        """What notes each of them while user code runs: (class, name, property)."""
        if not compat.lifts_transposed():
            return []
        tensors = self.recorder.torch.Tensor
        return [(tensors, name, self._read(name, getattr(tensors, name))) for name in _NAMES]

    def _read(self, attribute: str, inherited: Any) -> Any:
        recorder = self.recorder

        def read(tensor: Any) -> Any:
            found = inherited.__get__(tensor)
            if not recorder.silent and recorder.scope.parent is not None and caller() is not None:
                recorder.scope.read.append(Read(attribute, tensor, found, here(recorder.until)))
            return found

        return property(read)

    def judge(self, scope: Scope, results: list[Any]) -> None:
        """Tells of each such tensor at the end of a branch that yields `results`."""
        if not scope.read:
            return
        made = {self._name(scope, read.result): read for read in scope.read}
        used = Counter(name for result in results for name in _named(result))
        for node in scope.nodes:
            if not any(result["name"] in made for result in node.get("results", ())):
                used.update(_named(node))
        operands = {parameter["name"] for parameter in scope.parameters}
        given = operands | {lifted.name for lifted in scope.lifted.values()}
        reads = Counter(self._name(scope, read.tensor) for name, read in made.items() if used[name])
        for name, read in made.items():
            of = self._name(scope, read.tensor)
            # An operand is one of the conditional's whether it is used or not.
            if used[name] and of in given and reads[of] + (used[of] > 0 or of in operands) > 1:
                words = "detach" if read.attribute == "real" else "transpose"
                self.recorder.effect_once("call", f"Tensor.{read.attribute} beside the tensor itself (it traces {words})", read.at)

    def _name(self, scope: Scope, tensor: Any) -> str:
        return scope.names.get(id(self.recorder.fakes.of(tensor)), "")


def _named(part: Json | Any) -> Iterator[str]:
    """The values that a node or a reference names."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key in ("operand", "value"):
            if isinstance(part.get(key), str):
                yield part[key]
        for key in ("operands", "attributes", "regions", "captures"):
            for inner in part.get(key) or ():
                yield from _named(inner)
