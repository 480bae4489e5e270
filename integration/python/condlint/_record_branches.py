"""Functions of higher order while a module is recorded: every branch and body is run, whatever the predicate says."""

from __future__ import annotations

import dataclasses
import inspect
import operator
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import BuiltinMethodType, FrameType
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_graph import UNKNOWN, Json, Scope, Stopped, storage_of
from ._record_locate import Change, describe, locate
from ._record_loops import Loops
from ._record_merge import Merging
from ._record_places import Place, here, place_of_traceback, said, spelt
from ._record_state import Snapshot
from ._record_watch import watched

if TYPE_CHECKING:
    from ._record import Failure, Recorder


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


@dataclass(frozen=True)
class Run:
    """How a branch is called."""

    function: Any
    values: Any
    state: Snapshot


class Branches:
    """Handles torch.cond and its like."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.torch = recorder.torch
        self.tree = recorder.torch.utils._pytree
        self.merging = Merging(recorder)
        self.loops = Loops(self)

    def handlers(self) -> dict[str, Callable[..., Any]]:
        """The functions that are called instead of torch's."""
        return {"cond": self.cond, "switch": self.switch, **self.loops.handlers()}

    # Conditionals.

    def cond(self, pred: Any, true_fn: Any, false_fn: Any, operands: Any = ()) -> Any:
        """`torch.cond`."""
        recorder = self.recorder
        at = here(recorder.until)
        given = self.tree.tree_leaves((pred, operands))
        if any(compat.is_transformed(x) for x in given if isinstance(x, self.torch.Tensor)):
            return self._within_transform(true_fn, operands, at[0])
        frame = sys._getframe(1)
        if recorder.scope is recorder.main and recorder.scope.autocasts:
            recorder.note(f"{spelt(at[0])}the conditional stands within torch.autocast: torch.export takes that, and torch.export.save "
                          "fails on the program; enter it within the branches")
        predicate = self._predicate(pred, at)
        leaves, spec = self.operands(operands, plain=True)
        regions = [
            self.branch(name, branch, leaves, spec, frame) if callable(branch) else None
            for name, branch in (("true", true_fn), ("false", false_fn))
        ]
        operand_attributes = self._operand_attributes(leaves, operands, regions)
        if recorder.fakes.overlap([*leaves, *self.lifted(regions).values()]):
            recorder.note(f"{spelt(at[0])}the conditional is given two inputs that lie in the same memory: torch.export stops there; give "
                          "it a clone() of one")
        attributes: list[Json] = [predicate]
        called = regions
        if isinstance(pred, (int, float)) and recorder.scope.parent is None:
            # torch.cond calls one branch, and what comes after goes on with what that returns.
            called = [regions[0 if pred else 1]]
        results = self.merging.of([region for region in called if region is not None])
        for region, branch in zip(regions, (true_fn, false_fn)):
            if region is None:
                attributes.append(recorder.writer.attribute(None, branch, recorder.use))
            else:
                attributes.append({"region": self.region(region, regions)})
        attributes.append(operand_attributes)
        attributes += self._structures(regions)
        why = next((region.unknown for region in regions if region is not None and region.unknown), "")
        if why:
            attributes.append({"name": "unknown", "string": why})
        recorder.node("higher_order.cond", attributes, [UNKNOWN] if results is None else results, "cond", at)
        return self.go_on(results, called)

    def _within_transform(self, true_fn: Any, operands: Any, place: Place | None) -> Any:
        """In `torch.vmap` and its like a tensor stands for several: which of them are a branch's is not seen."""
        recorder = self.recorder
        recorder.note(f"{spelt(place)}a conditional within torch.vmap or torch.func was not recorded; torch.export stops there, or gives a "
                      "program that cannot be saved")
        if not any(compat.is_batched(x) for x in self.tree.tree_leaves(operands) if isinstance(x, self.torch.Tensor)):
            raise Stopped  # autograd does not go through tensors without numbers
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
        leaves, spec = self.operands(operands, plain=True)
        regions: list[Region | None] = [
            self.branch(f"branch_{i}", branch, leaves, spec, frame) for i, branch in enumerate(branches)
        ]
        operand_attributes = self._operand_attributes(leaves, operands, regions)
        results = self.merging.of([region for region in regions if region is not None])
        attributes: list[Json] = [
            recorder.writer.attribute(None, index, recorder.use),
            {"regions": [self.region(region, regions) for region in regions if region is not None]},
            operand_attributes,
        ]
        recorder.node("higher_order.switch", attributes, results or [], "switch", at)
        return self.go_on(results, regions)

    def _predicate(self, pred: Any, at: tuple[Place | None, list[Place]]) -> Json:
        recorder = self.recorder
        if isinstance(pred, self.torch.SymBool):
            def write(op: str, attributes: list[Json], kind: str = "sym_bool") -> Any:
                out = {"name": recorder.scope.fresh(op.split(".")[1].strip("_")), "type": {"kind": kind}}
                node: Json = {"op": op, "attributes": attributes, "results": [out]}
                if at[0] is not None:
                    node["location"] = at[0].to_json()
                recorder.scope.nodes.append(node)
                return out["name"]

            made = {symbol: name for symbol, name in recorder.scalars.names.items() if symbol in recorder.scope.symbols}
            value = recorder.sizes.predicate(compat.expression_of(pred), write, made)
            return {"bool": value} if isinstance(value, bool) else {"operand": value}
        if isinstance(pred, (int, float)):
            return {"bool": bool(pred)}  # torch.cond asks any number of Python for its truth
        return recorder.writer.attribute(None, pred, recorder.use)

    def operands(self, operands: Any, plain: bool = False) -> tuple[list[Any], Any]:
        """The operands one by one; `plain`: where containers of other kinds than tuples, lists and dicts are none."""
        if not isinstance(operands, (tuple, list)):
            return [operands], None
        leaves, spec = self.tree.tree_flatten(tuple(operands), is_leaf=compat.is_own_container if plain else None)
        return [
            self.recorder.fakes.of(leaf) if isinstance(leaf, self.torch.Tensor) else leaf for leaf in leaves
        ], spec

    def _operand_attributes(self, leaves: list[Any], operands: Any, regions: list[Region | None]) -> Json:
        """The operands, and behind them what the branches read besides."""
        recorder = self.recorder
        if not isinstance(operands, (tuple, list)):
            return recorder.writer.attribute(None, operands, recorder.use)
        references = [recorder.writer.reference(leaf, recorder.use) for leaf in leaves]
        for key, tensor in self.lifted(regions).items():
            del key
            references.append(recorder.name_in(recorder.scope, tensor))
        return {"operands": references}

    def lifted(self, regions: list[Region | None]) -> dict[int, Any]:
        return {k: item.tensor for region in regions if region is not None for k, item in region.scope.lifted.items()}

    def region(self, region: Region, regions: list[Region | None]) -> Json:
        """A branch as a graph; each has a parameter for whatever one of them reads."""
        recorder = self.recorder
        scope = region.scope
        parameters = list(scope.parameters)
        captures = []
        for key, tensor in self.lifted(regions).items():
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

    def branch(
        self, name: str, function: Any, leaves: list[Any], spec: Any, frame: FrameType, code: Any = None
    ) -> Region:
        """Runs a branch in a graph of its own; `code` is the user's function where `function` is one around it."""
        recorder = self.recorder
        scope = Scope(recorder.scope)
        region = Region(name, scope)
        args = self._parameters(scope, leaves, function)
        expected = self._expected(function, self.tree.tree_unflatten(args, spec)) if spec is not None else None
        if expected is not None:
            # Called with too few or too many operands: what it would do is not known.
            scope.parameters = [{"name": scope.fresh(f"arg_{i}")} for i in range(expected)]
            region.failed = "it takes other operands"
            with recorder.entered(scope, frame):
                self._unseen([str(parameter["name"]) for parameter in scope.parameters])
            return region
        names = [str(parameter["name"]) for parameter in scope.parameters]
        state = Snapshot(self.torch, [("", function if code is None else code), *zip(names, leaves)])
        with recorder.entered(scope, frame):
            values = self.tree.tree_unflatten(args, spec) if spec is not None else tuple(args)
            run = Run(function, values, state)
            if (called := _untraced(function if code is None else code)) and not compat.exports_strictly():
                recorder.effect("call", called, here(recorder.until))
            # What can be run over once is watched the first time.
            spent = [Change(slot) for slot in state.slots if slot.spends]
            if spent:
                locate(spent, lambda: self._call(region, run), frame)
            else:
                self._call(region, run)
            changes = state.changes(spent)
            if changes:
                for change in changes:
                    change.name = describe(change)
                state.restore()
                self._changes(changes, run, leaves, spec, frame, state)
            else:
                state.forget_looks()
        recorder.traced.look(self, region, run, leaves, spec, frame)
        recorder.held.look(self, region, run, leaves, spec, frame)
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
                if (memory := storage_of(leaf)) is not None:
                    scope.given.add(memory)
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

    def _call(self, region: Region, run: Run) -> None:
        recorder = self.recorder
        failures = len(recorder.failures)
        try:
            with watched(recorder, run.state):
                out = run.function(*run.values)
        except Stopped:
            self._caught(recorder.caught(failures))
            region.failed = "it was not recorded to its end"
            self._unseen([str(parameter["name"]) for parameter in region.scope.parameters])
            return
        except (Exception, SystemExit) as error:
            self._caught(recorder.caught(failures, error))
            if isinstance(error, TypeError) and _beyond_call(error) is None:
                # A function of torch that has no signature refuses its arguments.
                region.scope.parameters.append({"name": region.scope.fresh("another")})
                region.failed = "it takes other operands"
                return
            self._raised(region, error)
            return
        self._caught(recorder.caught(failures))
        # torch.export takes a dataclass for an object, registered or not.
        leaves, region.spec = self.tree.tree_flatten(out, is_leaf=dataclasses.is_dataclass)
        region.outputs = [
            recorder.fakes.of(leaf) if isinstance(leaf, self.torch.Tensor) else leaf for leaf in leaves
        ]
        region.results = [recorder.writer.reference(leaf, recorder.use) for leaf in region.outputs]
        recorder.transposed.judge(region.scope, region.results)
        if why := region.scope.unknown or region.scope.frozen * any(map(self._is_fixed, region.outputs)):
            region.unknown = f"'{region.name}' {why}"

    def _is_fixed(self, value: Any) -> bool:
        """Whether a tensor has sizes, and none that can change."""
        return isinstance(value, self.torch.Tensor) and value.dim() > 0 and all(type(size) is int for size in value.shape)

    def _unseen(self, operands: list[str]) -> None:
        """What the branch in hand does with these was not seen."""
        attributes: list[Json] = [{"name": "name", "string": "code that was not run"}, {"operands": operands}]
        self.recorder.node("cxx.opaque", attributes, wanted="unseen")

    def _caught(self, failures: list[Failure]) -> None:
        """Operators failed, and the branch went on: torch.export does not."""
        for failure in failures:
            if not compat.follows_caught(failure.error):
                self.recorder.effect("caught", said(failure.error), failure.at)

    def _raised(self, region: Region, error: BaseException) -> None:
        """A branch that raises: at its line, and the recording goes on."""
        recorder = self.recorder
        place, calls, by_user = place_of_traceback(_beyond_call(error))
        if place is None:
            place, calls = here(recorder.until)
        text = region.failed = said(error)
        if not by_user and isinstance(error, compat.refused_errors()):
            return recorder.effect("call", f"{error}, which has no rule for tensors without numbers", (place, calls))
        if not by_user and isinstance(error, compat.unsupported_errors()):
            region.unknown = f"'{region.name}' could not be recorded: {text}"
            return
        if isinstance(error, RuntimeError) and ".numpy()" in str(error):
            region.unknown = f"'{region.name}' gives a tensor to numpy, of which torch.export follows a part"
            return
        if recorder.decided:
            # It went a way that a tensor's value decides: perhaps no run takes it.
            return
        recorder.effect("throw", text, (place, calls))

    def _changes(
        self, changes: list[Change], run: Run, leaves: list[Any], spec: Any, frame: FrameType, state: Snapshot
    ) -> None:
        """Finds the lines that write what outlives the branch, by running it again."""
        recorder = self.recorder
        scratch = Region("", Scope(recorder.scope.parent))

        def again() -> None:
            self.run_silently(run, leaves, spec, frame, scratch.scope)

        place, calls = here(frame)
        first = [] if place is None else [(place, calls)]
        decisions = dict(recorder.decisions.asked)
        if unplaced := [change for change in changes if not change.places]:
            locate(unplaced, again, frame)
        recorder.decisions.asked = decisions
        state.restore()
        for number, change in enumerate(changes):
            for at in change.places or first:
                recorder.write_state(change.name, change.slot.kind, number, at)

    def run_silently(self, run: Run, leaves: list[Any], spec: Any, frame: FrameType, scope: Scope) -> BaseException | None:
        """Runs a branch once more, and returns what it raises; nothing is written down."""
        recorder = self.recorder
        with recorder.entered(scope, frame):
            recorder.silent += 1
            try:
                args = self._parameters(scope, leaves, run.function)
                with watched(recorder, None):
                    run.function(*(self.tree.tree_unflatten(args, spec) if spec is not None else args))
            except (Exception, SystemExit, Stopped) as error:  # it was noted the first time
                return error
            finally:
                recorder.silent -= 1
        return None

    def go_on(self, results: list[Any] | None, regions: list[Region | None]) -> Any:
        first = next((r for r in regions if r is not None and not r.failed), None)
        if results is None or first is None:
            place, _ = here(self.recorder.until)
            self.recorder.note(f"{spelt(place)}neither branch returns; what comes after was not recorded")
            raise Stopped
        return self.tree.tree_unflatten(results, first.spec)

class _Leaf:
    """An output, in the text of a structure."""

    def __repr__(self) -> str:
        return "*"


def _beyond_call(error: BaseException) -> Any:
    """The part of the traceback below the call of the branch."""
    traceback = error.__traceback__
    return traceback.tb_next if traceback is not None else None


def _called(function: Any) -> Any:
    """The function whose parameters count: a module passes everything on."""
    forward = getattr(function, "forward", None)
    return forward if forward is not None and hasattr(function, "named_modules") else function


def _untraced(function: Any) -> str:
    """What a branch is that torch.export does not know, unless it is strict; nothing where it does."""
    if isinstance(function, operator.methodcaller):
        return "operator.methodcaller"
    held = getattr(function, "__self__", None) if isinstance(function, BuiltinMethodType) else None
    return f"Tensor.{function.__name__}, a method of a tensor" if isinstance(held, sys.modules["torch"].Tensor) else ""


def _parameter_names(function: Any) -> list[str]:
    try:
        parameters = inspect.signature(_called(function)).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in parameters if p.kind in kinds]
