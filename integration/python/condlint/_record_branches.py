"""Functions of higher order while a module is recorded: every branch and body is run, whatever the predicate says."""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_graph import UNKNOWN, Json, Scope
from ._record_places import Place, here, is_users, place_of_traceback
from ._record_state import Snapshot, describe, locate

if TYPE_CHECKING:
    from ._record import Recorder

@dataclass
class Region:
    """A branch or body that was run."""

    name: str
    scope: Scope
    outputs: list[Any] = field(default_factory=list)
    spec: Any = None
    results: list[Any] = field(default_factory=list)
    failed: str = ""  # why there are no outputs
    unknown: str = ""  # why nothing can be said of it


class Branches:
    """Handles torch.cond and its like."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.torch = recorder.torch
        self.tree = recorder.torch.utils._pytree

    def handlers(self) -> dict[str, Callable[..., Any]]:
        """The functions that are called instead of torch's."""
        return {
            "cond": self.cond,
            "while_loop": self.while_loop,
            "scan": self.scan,
            "map": self.map,
            "associative_scan": self.associative_scan,
            "switch": self.switch,
        }

    # Conditionals.

    def cond(self, pred: Any, true_fn: Any, false_fn: Any, operands: Any = ()) -> Any:
        """`torch.cond`."""
        recorder = self.recorder
        at = here(recorder.until)
        given = self.tree.tree_leaves((pred, operands))
        if any(compat.is_transformed(x) for x in given if isinstance(x, self.torch.Tensor)):
            return self._within_transform(true_fn, operands, at[0])
        frame = sys._getframe(1)
        predicate = self._predicate(pred, at)
        leaves, spec = self._operands(operands)
        regions = [
            self._branch(name, branch, leaves, spec, frame) if callable(branch) else None
            for name, branch in (("true", true_fn), ("false", false_fn))
        ]
        operand_attributes = self._operand_attributes(leaves, operands, regions)
        attributes: list[Json] = [predicate]
        results = self._merge([region for region in regions if region is not None])
        for region, branch in zip(regions, (true_fn, false_fn)):
            if region is None:
                attributes.append(recorder.writer.attribute(None, branch, recorder.use))
            else:
                attributes.append({"region": self._region(region, regions)})
        attributes.append(operand_attributes)
        attributes += self._structures(regions)
        why = next((region.unknown for region in regions if region is not None and region.unknown), "")
        if why:
            attributes.append({"name": "unknown", "string": why})
        recorder.node("higher_order.cond", attributes, [UNKNOWN] if results is None else results, "cond", at)
        return self._continue(results, regions)

    def _within_transform(self, true_fn: Any, operands: Any, place: Place | None) -> Any:
        """In `torch.vmap` and its like a tensor stands for several: which of them are a branch's is not seen."""
        recorder = self.recorder
        where = f"{place.path}:{place.line}: " if place is not None else ""
        recorder.note(f"{where}a conditional within torch.vmap or torch.func was not recorded")
        recorder.silent += 1
        try:
            return true_fn(*operands)
        finally:
            recorder.silent -= 1

    def _structures(self, regions: list[Region | None]) -> list[Json]:
        """How each branch nests its outputs, where that differs; a single output in whatever is as a bare one."""
        sides = [region for region in regions if region is not None and not region.failed]
        if len(sides) < 2 or sides[0].spec == sides[1].spec or any(side.spec.is_leaf() for side in sides):
            return []
        return [{"name": f"{side.name}_structure", "string": self._shape_of(side)} for side in sides]

    def _shape_of(self, region: Region) -> str:
        nested = self.tree.tree_unflatten([_Leaf()] * len(region.outputs), region.spec)
        text = " ".join(repr(nested).split())
        return text if len(text) <= 200 else text[:200] + "…"

    def switch(self, index: Any, branches: Any, operands: Any = ()) -> Any:
        """`switch`: each branch is run; condlint compares those of two-way conditionals alone."""
        recorder = self.recorder
        at = here(recorder.until)
        frame = sys._getframe(1)
        leaves, spec = self._operands(operands)
        regions: list[Region | None] = [
            self._branch(f"branch_{i}", branch, leaves, spec, frame) for i, branch in enumerate(branches)
        ]
        operand_attributes = self._operand_attributes(leaves, operands, regions)
        results = self._merge([region for region in regions if region is not None])
        attributes: list[Json] = [
            recorder.writer.attribute(None, index, recorder.use),
            {"regions": [self._region(region, regions) for region in regions if region is not None]},
            operand_attributes,
        ]
        recorder.node("higher_order.switch", attributes, results or [], "switch", at)
        return self._continue(results, regions)

    def _predicate(self, pred: Any, at: tuple[Place | None, list[Place]]) -> Json:
        recorder = self.recorder
        if isinstance(pred, self.torch.SymBool):
            def write(op: str, attributes: list[Json]) -> Any:
                out = {"name": recorder.scope.fresh(op.split(".")[1].strip("_")), "type": {"kind": "sym_bool"}}
                node: Json = {"op": op, "attributes": attributes, "results": [out]}
                if at[0] is not None:
                    node["location"] = at[0].to_json()
                recorder.scope.nodes.append(node)
                return out["name"]

            value = recorder.sizes.predicate(compat.expression_of(pred), write)
            return {"bool": value} if isinstance(value, bool) else {"operand": value}
        return recorder.writer.attribute(None, pred, recorder.use)

    def _operands(self, operands: Any) -> tuple[list[Any], Any]:
        if not isinstance(operands, (tuple, list)):
            return [operands], None
        leaves, spec = self.tree.tree_flatten(tuple(operands))
        return [
            self.recorder.fakes.of(leaf) if isinstance(leaf, self.torch.Tensor) else leaf for leaf in leaves
        ], spec

    def _operand_attributes(self, leaves: list[Any], operands: Any, regions: list[Region | None]) -> Json:
        """The operands, and behind them what the branches read besides."""
        recorder = self.recorder
        if not isinstance(operands, (tuple, list)):
            return recorder.writer.attribute(None, operands, recorder.use)
        references = [recorder.writer.reference(leaf, recorder.use) for leaf in leaves]
        for key, tensor in self._lifted(regions).items():
            del key
            references.append(recorder.name_in(recorder.scope, tensor))
        return {"operands": references}

    def _lifted(self, regions: list[Region | None]) -> dict[int, Any]:
        return {k: item.tensor for region in regions if region is not None for k, item in region.scope.lifted.items()}

    def _region(self, region: Region, regions: list[Region | None]) -> Json:
        """A branch as a graph; each has a parameter for whatever one of them reads."""
        recorder = self.recorder
        scope = region.scope
        parameters = list(scope.parameters)
        captures = []
        for key, tensor in self._lifted(regions).items():
            item = scope.lifted.get(key)
            name = item.name if item is not None else scope.fresh(recorder.name_in(recorder.scope, tensor))
            parameters.append({"name": name, "type": recorder.writer.type_of(tensor)})
            if item is not None:
                outer = recorder.name_in(recorder.scope, tensor)
                captures.append(self._capture(outer, item.place, item.calls, value=outer))
        captures += list(scope.scalars.values())
        graph: Json = {
            "name": region.name,
            "role": region.name,
            "parameters": parameters,
            "nodes": scope.nodes,
            "results": region.results,
        }
        if captures:
            graph["captures"] = captures
        return graph

    def _capture(self, name: str, place: Place | None, calls: list[Place], **more: Any) -> Json:
        out: Json = {"name": name, "kind": "reference", **more}
        if place is not None:
            out["firstUse"] = place.to_json()
        if calls:
            out["calls"] = [call.to_json() for call in calls]
        return out

    # One branch.

    def _branch(self, name: str, function: Any, leaves: list[Any], spec: Any, frame: FrameType) -> Region:
        """Runs a branch in a graph of its own."""
        recorder = self.recorder
        scope = Scope(recorder.scope)
        region = Region(name, scope)
        args = self._parameters(scope, leaves, function)
        expected = self._expected(function, self.tree.tree_unflatten(args, spec)) if spec is not None else None
        if expected is not None:
            # Called with too few or too many operands: what it would do is not known.
            scope.parameters = [{"name": scope.fresh(f"arg_{i}")} for i in range(expected)]
            region.failed = "it takes other operands"
            return region
        state = Snapshot(self.torch, [("", function)])
        with recorder.entered(scope, frame):
            values = self.tree.tree_unflatten(args, spec) if spec is not None else tuple(args)
            self._call(region, function, values, frame)
            changes = state.changes()
            if changes:
                state.restore()
                self._changes(changes, function, leaves, spec, frame, state)
            else:
                state.forget_looks()
        return region

    def _parameters(self, scope: Scope, leaves: list[Any], function: Any) -> list[Any]:
        recorder = self.recorder
        names = _parameter_names(function)
        for at, leaf in enumerate(leaves):
            wanted = names[at] if at < len(names) and len(names) >= len(leaves) else f"arg_{at}"
            name = scope.fresh(wanted)
            parameter: Json = {"name": name}
            if isinstance(leaf, self.torch.Tensor):
                parameter["type"] = recorder.writer.type_of(leaf)
                if id(leaf) not in scope.names:
                    recorder.writer.define(scope, leaf, name)
            elif isinstance(leaf, (int, self.torch.SymInt)) and not isinstance(leaf, bool):
                parameter["type"] = {"kind": "sym_int"}
            else:
                # Whatever it is, it is the same in the branch.
                kind = recorder.writer.reference(leaf, recorder.use)
                parameter["type"] = kind["literal"] if isinstance(kind, dict) else {"kind": "sym_bool"}
            scope.parameters.append(parameter)
        return list(leaves)

    def _expected(self, function: Any, values: Any) -> int | None:
        """How many operands a branch takes, where these do not fit."""
        try:
            signature = inspect.signature(_called(function))
        except (TypeError, ValueError):
            return None
        try:
            signature.bind(*values)
        except TypeError:
            positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            parameters = [p for p in signature.parameters.values() if p.kind in positional]
            needed = [p for p in parameters if p.default is inspect.Parameter.empty]
            count = len(needed) if len(values) < len(needed) else len(parameters)
            return count if count != len(values) else count + 1
        return None

    def _call(self, region: Region, function: Any, values: Any, frame: FrameType) -> None:
        recorder = self.recorder
        try:
            with self._watched():
                out = function(*values)
        except Exception as error:
            if isinstance(error, TypeError) and _beyond_call(error) is None:
                # A function of torch that has no signature refuses its arguments.
                region.scope.parameters.append({"name": region.scope.fresh("another")})
                region.failed = "it takes other operands"
                return
            self._raised(region, error)
            return
        leaves, region.spec = self.tree.tree_flatten(out)
        region.outputs = [
            recorder.fakes.of(leaf) if isinstance(leaf, self.torch.Tensor) else leaf for leaf in leaves
        ]
        region.results = [recorder.writer.reference(leaf, recorder.use) for leaf in region.outputs]

    def _raised(self, region: Region, error: Exception) -> None:
        """A branch that raises: at its line, and the recording goes on."""
        recorder = self.recorder
        place, calls, by_user = place_of_traceback(_beyond_call(error))
        if place is None:
            place, calls = here(recorder.until)
        lines = str(error).strip().splitlines()
        text = type(error).__name__ + (f": {lines[0]}" if lines else "")
        region.failed = text
        if not by_user and isinstance(error, compat.unsupported_errors()):
            region.unknown = f"'{region.name}' could not be recorded: {text}"
            return
        if isinstance(error, RuntimeError) and ".numpy()" in str(error):
            recorder.node("cxx.host_read", [{"name": "what", "string": "numpy"}], wanted="host_read", at=(place, calls))
            return
        if recorder.decided:
            # It went a way that a tensor's value decides: perhaps no run takes it.
            return
        recorder.effect("throw", text, (place, calls))

    @contextmanager
    def _watched(self) -> Any:
        """Notes output of the branch and keeps it back."""
        recorder = self.recorder

        def noted(name: str) -> Callable[..., None]:
            return lambda *args, **kwargs: recorder.effect("output", name)

        handle = logging.Logger.handle
        with ExitStack() as stack:
            for stream, redirect in (("standard output", redirect_stdout), ("standard error", redirect_stderr)):
                stack.enter_context(redirect(_Stream(noted(stream))))
            logging.Logger.handle = lambda logger, record: (  # type: ignore[method-assign,assignment]
                None if logger.name.split(".")[0] == "torch" else recorder.effect("output", f"logger {logger.name}")
            )
            stack.callback(setattr, logging.Logger, "handle", handle)
            import builtins
            import warnings

            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("always")

            def warned(*args: Any, **kwargs: Any) -> None:
                frame: FrameType | None = sys._getframe(1)
                while frame is not None and frame.f_globals.get("__name__") == "warnings":
                    frame = frame.f_back
                if frame is not None and is_users(frame.f_code.co_filename):
                    recorder.effect("output", "warnings.warn")

            warnings.showwarning = warned
            opened = builtins.open

            def open_file(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
                if is_users(sys._getframe(1).f_code.co_filename):
                    recorder.effect("output" if set(mode) & set("wax+") else "input", str(file))
                return opened(file, mode, *args, **kwargs)

            builtins.open = open_file
            stack.callback(setattr, builtins, "open", opened)
            yield

    def _changes(
        self, changes: Any, function: Any, leaves: list[Any], spec: Any, frame: FrameType, state: Snapshot
    ) -> None:
        """Finds the lines that write what outlives the branch, by running it again."""
        recorder = self.recorder
        scratch = Region("", Scope(recorder.scope.parent))

        def again() -> None:
            with recorder.entered(scratch.scope, frame):
                recorder.silent += 1
                try:
                    args = self._parameters(scratch.scope, leaves, function)
                    with self._watched():
                        function(*(self.tree.tree_unflatten(args, spec) if spec is not None else args))
                except Exception:  # it was noted the first time
                    pass
                finally:
                    recorder.silent -= 1

        first = here(frame)
        names: dict[int, str] = {}
        decisions = dict(recorder.decisions)
        locate(changes, again, frame)
        recorder.decisions = decisions
        for number, change in enumerate(changes):
            names[number] = describe(change)
        state.restore()
        for number, change in enumerate(changes):
            for place in change.places or [first]:
                attributes: list[Json] = [
                    {"name": "variable", "int": number},
                    {"name": "name", "string": names[number]},
                    {"name": "what", "string": change.slot.kind},
                ]
                recorder.node("cxx.write", attributes, wanted="write", at=place)

    # What comes out.

    def _merge(self, regions: list[Region]) -> list[Any] | None:
        """The values of a conditional: of the first branch that has outputs; sizes that differ become a symbol."""
        done = [region for region in regions if not region.failed]
        for region in regions:
            if region.failed:
                other = next((r for r in regions if not r.failed), None)
                region.results = [{"literal": {"kind": "unknown"}} for _ in (other.outputs if other else [None])]
        if not done:
            return None
        first = done[0]
        out = []
        for at, value in enumerate(first.outputs):
            others = [region.outputs[at] for region in done[1:] if at < len(region.outputs)]
            tensors = [v for v in (value, *others) if isinstance(v, self.torch.Tensor)]
            if tensors:
                out.append(self._merged(tensors))
            elif isinstance(value, int) and not isinstance(value, bool) and any(o != value for o in others):
                numbers = [v for v in (value, *others) if isinstance(v, int)]
                out.append(compat.unbacked(self.recorder.env, min(numbers), max(numbers)))
            else:
                out.append(value)
        return out

    def _merged(self, tensors: list[Any]) -> Any:
        """A new tensor that is either of `tensors`."""
        merged = self._new_merged(tensors)
        facets = [(t.dtype, t.device, t.dim(), t.layout, t.is_conj()) for t in tensors]
        if any(facet != facets[0] for facet in facets) or any(id(t) in self.recorder.writer.doubtful for t in tensors):
            self.recorder.writer.doubtful.add(id(merged))
        text = self.recorder.sizes.text
        if any(t.layout is not self.torch.strided or [text(s) for s in t.stride()] != [text(s) for s in tensors[0].stride()]
               or text(t.storage_offset()) != text(tensors[0].storage_offset()) for t in tensors):
            self.recorder.writer.loose.add(id(merged))
        self.recorder.writer.kept.append(merged)
        return merged

    def _new_merged(self, tensors: list[Any]) -> Any:
        torch = self.torch
        first = tensors[0]
        others = [t for t in tensors[1:] if t.dim() == first.dim()]
        sizes = []
        equal = True
        for at, size in enumerate(first.shape):
            if all(compat.is_known_true(size == other.shape[at]) for other in others):
                sizes.append(size)
                continue
            equal = False
            sizes.append(self._either([size, *(other.shape[at] for other in others)]))
        with self.recorder.mode:
            self.recorder.silent += 1
            try:
                kwargs = {"dtype": first.dtype, "device": first.device}
                if equal and first.layout is torch.strided:
                    return torch.empty_strided(sizes, first.stride(), **kwargs)
                return torch.empty(sizes, **kwargs)
            finally:
                self.recorder.silent -= 1

    def _either(self, sizes: list[Any]) -> Any:
        low = high = None
        if all(isinstance(size, int) for size in sizes):
            low, high = min(sizes), max(sizes)
        return compat.unbacked(self.recorder.env, 0 if low is None else low, high)

    def _continue(self, results: list[Any] | None, regions: list[Region | None]) -> Any:
        from ._record import Stopped

        first = next((r for r in regions if r is not None and not r.failed), None)
        if results is None or first is None:
            place, _ = here(self.recorder.until)
            where = f"{place.path}:{place.line}: " if place else ""
            self.recorder.note(f"{where}neither branch returns; what comes after was not recorded")
            raise Stopped
        return self.tree.tree_unflatten(results, first.spec)

    # Loops.

    def while_loop(self, cond_fn: Any, body_fn: Any, carried_inputs: Any, additional_inputs: Any = ()) -> Any:
        """`while_loop`."""
        frame, at = sys._getframe(1), here(self.recorder.until)
        leaves, spec = self._operands(carried_inputs)
        extra, _ = self._operands(tuple(additional_inputs))
        if extra:
            leaves, spec = self._operands((*carried_inputs, *additional_inputs))
        regions = [
            self._branch("cond_fn", cond_fn, leaves, spec, frame),
            self._branch("body_fn", body_fn, leaves, spec, frame),
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
                                                    *parts[len(rows) :]), [*rows, *args], "body", frame)
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

        body = self._with_operands(combine, [*carries, *rows], "body", frame)
        self._carries("scan", carries, body, min(len(carries), len(body.outputs)), at[0])
        count = leaves[0].shape[dim]
        stacked = [None] * len(carries) + [(count, dim)] * max(len(body.outputs) - len(carries), 0)
        return self._loop("scan", [body], [carries, leaves, []], body, at, stacked=stacked)

    def associative_scan(
        self, combine_fn: Any, xs: Any, dim: int, reverse: bool = False, combine_mode: str = "pointwise"
    ) -> Any:
        """`associative_scan`: the body combines two rows."""
        del reverse, combine_mode
        frame, at = sys._getframe(1), here(self.recorder.until)
        leaves, spec = self.tree.tree_flatten(xs)
        rows = [self._row(x, dim) for x in leaves]
        again = [self._row(x, dim) for x in leaves]

        def combine(*parts: Any) -> Any:
            halves = [self.tree.tree_unflatten(list(half), spec) for half in (parts[: len(rows)], parts[len(rows) :])]
            return combine_fn(*halves)

        body = self._with_operands(combine, [*rows, *again], "body", frame)
        count = leaves[0].shape[dim]
        return self._loop("associative_scan", [body], [leaves, []], body, at, stacked=[(count, dim)] * len(leaves))

    def _with_operands(self, function: Any, values: list[Any], name: str, frame: FrameType) -> Region:
        leaves, spec = self._operands(tuple(values))
        return self._branch(name, function, leaves, spec, frame)

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
        results = self._merge([body])
        given: list[Region | None] = list(regions)
        attributes: list[Json] = [{"region": self._region(region, given)} for region in regions]
        for group in groups[:-1]:
            attributes.append({"operands": [recorder.writer.reference(x, recorder.use) for x in group]})
        last = [recorder.writer.reference(x, recorder.use) for x in groups[-1]]
        last += [recorder.name_in(recorder.scope, tensor) for tensor in self._lifted(given).values()]
        attributes.append({"operands": last})
        if results is not None and stacked is not None:
            rows = [*stacked, *[stacked[-1]] * (len(results) - len(stacked))] if stacked else []
            results = [self._stacked(value, row) for value, row in zip(results, rows)]
        recorder.node(f"higher_order.{op}", attributes, results or [], op, at)
        return self._continue(results, [body])

    def _carries(self, op: str, carried: list[Any], body: Region, count: int, place: Place | None) -> None:
        """Says where a body hands on something else than it was given: torch.export stops there."""
        where = f"{place.path}:{place.line}: " if place is not None else ""
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
                spelt = [f"{dtype} on {device} with {rank} dimensions" for dtype, device, rank in facets]
                self.recorder.note(
                    f"{where}the body of {op} returns {spelt[1]} for value {at}, which is {spelt[0]}: torch.export stops there"
                )

    def _stacked(self, value: Any, row: Any) -> Any:
        if row is None or not isinstance(value, self.torch.Tensor):
            return value
        count, dim = row
        with self.recorder.mode:
            self.recorder.silent += 1
            try:
                sizes = list(value.shape)
                sizes.insert(dim, count)
                return self.torch.empty(sizes, dtype=value.dtype, device=value.device)
            finally:
                self.recorder.silent -= 1


class _Leaf:
    """An output, in the text of a structure."""

    def __repr__(self) -> str:
        return "*"


class _Stream:
    """Takes what is written, and says so."""

    def __init__(self, note: Callable[..., None]) -> None:
        self._note = note
        self.encoding = "utf-8"

    def write(self, text: str) -> int:
        if text.strip():
            self._note()
        return len(text)

    def flush(self) -> None:
        """Nothing is kept."""

    def isatty(self) -> bool:
        """It is no terminal."""
        return False


def _beyond_call(error: Exception) -> Any:
    """The part of the traceback below the call of the branch."""
    traceback = error.__traceback__
    return traceback.tb_next if traceback is not None else None


def _called(function: Any) -> Any:
    """The function whose parameters count: a module passes everything on."""
    forward = getattr(function, "forward", None)
    return forward if forward is not None and hasattr(function, "named_modules") else function


def _parameter_names(function: Any) -> list[str]:
    try:
        parameters = inspect.signature(_called(function)).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in parameters if p.kind in kinds]
