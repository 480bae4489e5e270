"""Loops while a module is recorded: the body is run once, and what it hands on is held against what it was given."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

from ._record_graph import Json, storage_of
from ._record_places import Place, here, spelt

if TYPE_CHECKING:
    from ._record_branches import Branches, Region

# What effects are, in words.
_DOES = {"call": "calls", "caught": "catches an error of an operator,", "number": "reads", "size": "goes by", "symbol": "makes", "throw": "raises"}


class Loops:
    """Handles `while_loop`, `scan`, `map` and `associative_scan`."""

    def __init__(self, branches: Branches) -> None:
        self.branches = branches
        self.recorder = branches.recorder
        self.torch = branches.torch
        self.tree = branches.tree

    def handlers(self) -> dict[str, Callable[..., Any]]:
        """The functions that are called instead of torch's."""
        return {
            "while_loop": self.while_loop,
            "scan": self.scan,
            "map": self.map,
            "associative_scan": self.associative_scan,
        }

    def while_loop(self, cond_fn: Any, body_fn: Any, carried_inputs: Any, additional_inputs: Any = ()) -> Any:
        """`while_loop`."""
        frame, at = sys._getframe(1), here(self.recorder.until)
        leaves, spec = self.branches.operands(carried_inputs)
        extra, _ = self.branches.operands(tuple(additional_inputs))
        if extra:
            leaves, spec = self.branches.operands((*carried_inputs, *additional_inputs))
        regions = [
            self.branches.branch("cond_fn", cond_fn, leaves, spec, frame),
            self.branches.branch("body_fn", body_fn, leaves, spec, frame),
        ]
        carried = leaves[: len(leaves) - len(extra)]
        self._carries("while_loop", carried, regions[1], len(regions[1].outputs), at[0])
        return self._loop("while_loop", regions, [carried, extra], regions[1], at)

    def map(self, f: Any, xs: Any, *args: Any) -> Any:
        """`map`: the body sees one row of each of `xs`."""
        frame, at = sys._getframe(1), here(self.recorder.until)
        leaves, spec = self.tree.tree_flatten(xs)
        rows = [self._row(x, 0) for x in leaves]
        body = self._with_operands(lambda *parts: f(self.tree.tree_unflatten(list(parts[: len(rows)]), spec),
                                                    *parts[len(rows) :]), [*rows, *args], "body", frame, f)
        count = leaves[0].shape[0]
        return self._loop("map_impl", [body], [leaves, list(args)], body, at, stacked=[(count, 0)])

    def scan(self, combine_fn: Any, init: Any, xs: Any, *, dim: int = 0, reverse: bool = False) -> Any:
        """`scan`: carries, and one output a step."""
        del reverse
        frame, at = sys._getframe(1), here(self.recorder.until)
        carries, carry_spec = self.tree.tree_flatten(init)
        leaves, spec = self.tree.tree_flatten(xs)
        rows = [self._row(x, dim) for x in leaves]

        def combine(*parts: Any) -> Any:
            return combine_fn(
                self.tree.tree_unflatten(list(parts[: len(carries)]), carry_spec),
                self.tree.tree_unflatten(list(parts[len(carries) :]), spec),
            )

        body = self._with_operands(combine, [*carries, *rows], "body", frame, combine_fn)
        self._carries("scan", carries, body, min(len(carries), len(body.outputs)), at[0])
        count = leaves[0].shape[dim]
        stacked = [None] * len(carries) + [(count, dim)] * max(len(body.outputs) - len(carries), 0)
        return self._loop("scan", [body], [carries, leaves, []], body, at, stacked=stacked)

    def associative_scan(
        self, combine_fn: Any, xs: Any, dim: int, reverse: bool = False, combine_mode: str = "pointwise"
    ) -> Any:
        """`associative_scan`: the body combines two rows."""
        del reverse
        frame, at = sys._getframe(1), here(self.recorder.until)
        leaves, spec = self.tree.tree_flatten(xs)
        if combine_mode != "pointwise":
            self.recorder.effect("call", f"associative_scan, which uses torch.vmap, with combine_mode='{combine_mode}'", at)
            if any(self.recorder.sizes.may_pin(x) for x in leaves):
                self._stops("associative_scan of a tensor with sizes that dynamic_shapes leaves open", at)
        elif any(x.device.type not in ("cuda", "xpu") for x in leaves):
            self._stops("associative_scan on this device, with combine_mode='pointwise'", at)
        rows = [self._row(x, dim) for x in leaves]
        again = [self._row(x, dim) for x in leaves]

        def combine(*parts: Any) -> Any:
            halves = [self.tree.tree_unflatten(list(half), spec) for half in (parts[: len(rows)], parts[len(rows) :])]
            return combine_fn(*halves)

        body = self._with_operands(combine, [*rows, *again], "body", frame, combine_fn)
        if any(node["op"] == "higher_order.cond" for node in body.scope.nodes):
            self._stops("a conditional in associative_scan", at)
        count = leaves[0].shape[dim]
        return self._loop("associative_scan", [body], [leaves, []], body, at, stacked=[(count, dim)] * len(leaves))

    def _stops(self, what: str, at: tuple[Place | None, list[Place]]) -> None:
        """torch.export stops at this, wherever it stands."""
        if self.recorder.scope.parent is None:
            self.recorder.note(f"{spelt(at[0])}torch.export stops at {what}")
        else:
            self.recorder.effect("call", what, at)

    def _with_operands(self, function: Any, values: list[Any], name: str, frame: FrameType, code: Any) -> Region:
        leaves, spec = self.branches.operands(tuple(values))
        return self.branches.branch(name, function, leaves, spec, frame, code)

    def _row(self, x: Any, dim: int) -> Any:
        """A tensor like one row of `x`, with storage of its own."""
        with self.recorder.mode:
            self.recorder.silent += 1
            try:
                sizes = [size for at, size in enumerate(x.shape) if at != dim % x.dim()]
                return self.torch.empty(sizes, dtype=x.dtype, device=x.device)
            finally:
                self.recorder.silent -= 1

    def _loop(
        self,
        op: str,
        regions: list[Region],
        groups: list[list[Any]],
        body: Region,
        at: tuple[Place | None, list[Place]],
        stacked: list[Any] | None = None,
    ) -> Any:
        recorder = self.recorder
        if body.failed:
            recorder.note(f"the body of {op} could not be recorded: {body.failed}")
        for region in regions:
            self._says(op, region)
            if op != "associative_scan":  # within torch.vmap nothing is the operand itself
                self._hands_back(op, region, at[0])
        results = self.branches.merging.of([body])
        given: list[Region | None] = list(regions)
        attributes: list[Json] = [{"region": self.branches.region(region, given)} for region in regions]
        for group in groups[:-1]:
            attributes.append({"operands": [recorder.writer.reference(x, recorder.use) for x in group]})
        last = [recorder.writer.reference(x, recorder.use) for x in groups[-1]]
        last += [recorder.name_in(recorder.scope, tensor) for tensor in self.branches.lifted(given).values()]
        attributes.append({"operands": last})
        if results is not None and stacked is not None:
            rows = [*stacked, *[stacked[-1]] * (len(results) - len(stacked))] if stacked else []
            results = [self.branches.merging.stacked(value, row) for value, row in zip(results, rows)]
        recorder.node(f"higher_order.{op}", attributes, results or [], op, at)
        return self.branches.go_on(results, [body])

    def _hands_back(self, op: str, region: Region, place: Place | None) -> None:
        """Says where a loop's function returns what it was given, or one memory twice: torch.export stops there."""
        whose, known = _spelt(op, region), set()
        with self.recorder.entered(region.scope, self.recorder.until):
            for number, value in enumerate(region.outputs):
                memory = storage_of(value) if isinstance(value, self.torch.Tensor) else None
                if memory is None:
                    continue
                if memory in known or self.recorder.is_outer(value):
                    what = "shares memory with another value that it returns" if memory in known else "is what it was given, or a view of it"
                    self.recorder.note(f"{spelt(place)}value {number} that {whose} returns {what}: torch.export stops there; return a copy (clone())")
                known.add(memory)

    def _says(self, op: str, region: Region) -> None:
        """Says what a loop's function does besides computing: the rules are about conditionals alone."""
        whose = _spelt(op, region)
        for name, place in region.scope.writes:
            self.recorder.note(f"{spelt(place)}{whose} writes to what it was given ('{name}'): torch.export stops there")
        for node in region.scope.nodes:
            said = {attribute.get("name"): attribute.get("string", "") for attribute in node["attributes"]}
            what, name = said.get("what"), str(said.get("name"))
            where = ""
            if (at := node.get("location")) is not None:
                where = f"{at['path']}:{at['line']}: "
            if node["op"] == "cxx.write":
                self.recorder.note(f"{where}{whose} writes '{name}', which outlives it: torch.export stops there")
            elif node["op"] == "cxx.host_read":
                self.recorder.note(f"{where}{whose} decides on a tensor's value: torch.export stops there")
            elif node["op"] == "cxx.effect" and what in ("output", "input"):
                self.recorder.note(f"{where}{whose} writes or reads {name}, which torch.export drops")
            elif node["op"] == "cxx.effect" and what == "other":
                self.recorder.note(f"{where}{whose} calls {name}")
            elif node["op"] == "cxx.effect" and what == "constant":
                self.recorder.note(f"{where}{whose} holds a tensor as its constant ({name}): torch.export takes that, but "
                                   "save and run_decompositions fail")
            elif node["op"] == "cxx.effect":
                words = _DOES.get(str(what), str(what))
                self.recorder.note(f"{where}{whose} {words} {name}: torch.export stops there")

    def _carries(self, op: str, carried: list[Any], body: Region, count: int, place: Place | None) -> None:
        """Says where a body hands on something else than it was given: torch.export stops there."""
        where = spelt(place)
        if body.failed:
            return
        if count != len(carried):
            self.recorder.note(
                f"{where}the body of {op} returns {count} values for {len(carried)} that it carries: torch.export stops there"
            )
            return
        for at, (before, after) in enumerate(zip(carried, body.outputs)):
            if not isinstance(before, self.torch.Tensor) or not isinstance(after, self.torch.Tensor):
                continue
            facets = [(self.recorder.writer.dtype(t.dtype), t.device.type, t.dim()) for t in (before, after)]
            if facets[0] != facets[1]:
                types = [f"{dtype} on {device} with {rank} dimensions" for dtype, device, rank in facets]
                self.recorder.note(
                    f"{where}the body of {op} returns {types[1]} for value {at}, which is {types[0]}: torch.export stops there"
                )


def _spelt(op: str, region: Region) -> str:
    """A function of a loop, in words."""
    return f"{'the condition' if region.name == 'cond_fn' else 'the body'} of {op}"
