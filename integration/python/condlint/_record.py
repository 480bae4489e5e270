"""A module's `forward`, run once on tensors without numbers and written down as a graph."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from . import _torch_compat as compat
from ._errors import CondlintError, EngineError, InputError
from ._record_branches import Branches
from ._record_decisions import Decisions
from ._record_graph import GraphWriter, Json, Lifted, Scope, Stopped, is_fake, storage_of
from ._record_held import HeldNumbers
from ._record_host import HostNumbers
from ._record_inputs import Fakes, make_fakes
from ._record_operators import Operators
from ._record_places import Place, here, is_users, may_catch, place_of_traceback, said, spelt, user_frames
from ._record_scalars import Scalars
from ._record_sizes import Sizes
from ._record_state import Snapshot
from ._record_traced_sizes import TracedSizes
from ._record_transposed import Transposed


@dataclass
class Recording:
    """What was recorded.

    Attributes
    ----------
    graph : dict
        The model as graph JSON (docs/graph-json.md).
    notes : list of str
        What to know of how it came about: where it ended early, and why.
    """

    graph: Json
    notes: list[str] = field(default_factory=list)


@dataclass
class Failure:
    """An operator that failed while user code ran that may catch it."""

    error: Exception
    at: tuple[Place | None, list[Place]]


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Python's collector would go over all that torch and the user's modules hold each time that some more is recorded.

    It finds nothing there, and took half of the time where the user's own code is large.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Recorder:
    """The state of one recording: the graph in hand, and what is noted besides."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.decisions = Decisions(self)
        self.env = compat.shape_env(self.decisions.decide)
        self.mode = compat.fake_mode(self.env)
        self.sizes = Sizes(torch, self.env)
        self.writer = GraphWriter(torch, self.sizes)
        self.fakes = Fakes(torch, self.mode, self.sizes)
        self.main = Scope()
        self.scope = self.main
        self.roles: dict[int, tuple[str, str]] = {}
        self.notes: list[str] = []
        self.silent = 0  # above 0: nothing is written down
        self.until: FrameType | None = None  # the frame around the branch in hand
        self.decided = False  # the branch in hand went a way that a tensor's value decides
        self.failures: list[Failure] = []  # operators that failed, and nothing has ended for it so far
        self.data: dict[int, Any] = {}  # what `t.data` gave user code
        self.scalars = Scalars(self)
        self.operators = Operators(self)
        self.branches = Branches(self)
        self.transposed = Transposed(self)
        self.traced = TracedSizes(self)
        self.held = HeldNumbers(self)
        self.host = HostNumbers(self)

    def in_branch(self, frame: FrameType) -> bool:
        """Whether `frame` is user code of a branch or body."""
        return self.scope.parent is not None and is_users(frame.f_code.co_filename)

    # What is written down.

    def use(self, tensor: Any) -> str:
        """The name of a tensor in the graph in hand."""
        tensor = tensor if is_fake(tensor) else self.fakes.of(tensor)
        self._find_again(tensor)
        return self.name_in(self.scope, tensor)

    def _find_again(self, tensor: Any) -> None:
        """What a factory makes reaches user code as another object in the same memory: it gets its name."""
        chain: list[Scope] = []
        scope: Scope | None = self.scope
        while scope is not None:
            if id(tensor) in scope.names:
                return
            chain.append(scope)
            scope = scope.parent
        memory = storage_of(tensor)
        if memory is not None and not self.fakes.stands_for_one(tensor):
            for scope in chain:
                if memory in scope.storages:
                    return self._name_again(scope, scope.storages[memory], tensor)
            # A weight that nothing named so far, by its `.data`.
            if (weight := self.fakes.in_memory(memory)) is not None:
                self.name_in(self.scope, weight)
                return self._name_again(self.scope, weight, tensor)
        if not self.fakes.stands_for_one(tensor):
            # It was made where nobody looked: within a transform, or by code that switches modes off.
            self.node("cxx.opaque", [{"name": "name", "string": "code that was not recorded"}], [tensor], "unseen")

    def _name_again(self, scope: Scope, known: Any, tensor: Any) -> None:
        """`tensor` lies in the memory of `known`, which has a name in `scope`."""
        text = self.sizes.text
        layout, other = [
            ([text(n) for n in t.shape], [text(n) for n in t.stride()], text(t.storage_offset()))
            for t in (tensor, known)
        ]
        if layout == other and tensor.dtype == known.dtype:
            self.writer.define(scope, tensor, scope.names[id(known)])
        else:
            attributes: list[Json] = [{"name": "self", "operand": scope.names[id(known)]}]
            result = self.writer.result(scope, tensor, "as_strided")
            scope.nodes.append({"op": "aten.as_strided.default", "attributes": attributes, "results": [result]})

    def is_outer(self, tensor: Any) -> bool:
        """Whether a tensor lies in memory that the branch or body in hand was given, or reads from outside."""
        memory = storage_of(tensor)
        if memory is None or memory in self.scope.given or self.fakes.in_memory(memory) is not None:
            return True
        scope = self.scope.parent
        while scope is not None:
            if memory in scope.storages or memory in scope.given:
                return True
            scope = scope.parent
        return False

    def name_in(self, scope: Scope, tensor: Any) -> str:
        """The name of a tensor in `scope`; one from outside of a branch becomes a parameter of it."""
        name = scope.names.get(id(tensor))
        if name is not None:
            return name
        if scope.parent is None:
            return self._add_state(scope, tensor)
        outer = self.name_in(scope.parent, tensor)
        name = scope.fresh(outer)
        self.writer.define(scope, tensor, name)
        place, calls = here(self.until)
        scope.lifted[id(tensor)] = Lifted(tensor, name, place, calls)
        return name

    def _add_state(self, scope: Scope, tensor: Any) -> str:
        """A parameter, a buffer, or a tensor that the module holds otherwise: an input of the main graph."""
        role, wanted = self.roles.get(id(tensor), ("constant", "lifted_tensor"))
        prefix = {"parameter": "p_", "buffer": "b_"}.get(role, "c_")
        name = scope.fresh(prefix + wanted)
        self.writer.define(scope, tensor, name)
        scope.parameters.append({"name": name, "role": role, "type": self.writer.type_of(tensor)})
        return name

    def node(
        self,
        op: str,
        attributes: list[Json],
        results: list[Any] | None = None,
        wanted: str = "",
        at: tuple[Place | None, list[Place]] | None = None,
    ) -> list[str]:
        """Adds a node where user code is now, and returns the names of its results."""
        if self.silent:
            return []
        place, calls = at if at is not None else here(self.until)
        node: Json = {"op": op, "attributes": attributes}
        written = [self.writer.result(self.scope, value, wanted or op.split(".")[-2]) for value in results or []]
        if written:
            node["results"] = written
            for value, result in zip(results or [], written):
                if isinstance(value, (self.torch.SymFloat, self.torch.SymInt, self.torch.SymBool)):
                    made = self.sizes.symbols_of(value)
                    self.scope.symbols |= made
                    self.scalars.names.update(dict.fromkeys(made, str(result["name"])))
        else:
            node["name"] = self.scope.fresh(wanted or "target")
        if place is not None:
            node["location"] = place.to_json()
        if calls:
            node["attributes"] = [*attributes, {"name": "calls", "locations": [call.to_json() for call in calls]}]
        self.scope.nodes.append(node)
        return [result["name"] for result in written]

    def effect(self, what: str, name: str, at: tuple[Place | None, list[Place]] | None = None) -> None:
        """Notes output, an exception and the like in a branch."""
        if self.scope.parent is not None:
            attributes = [{"name": "what", "string": what}, {"name": "name", "string": name}]
            self.node("cxx.effect", attributes, wanted="effect", at=at)

    def effect_once(self, what: str, name: str, at: tuple[Place | None, list[Place]]) -> None:
        """Notes the first of effects of one kind on one line of a branch."""
        self.traced.tell(what, name, at)
        key = (at[0].path, at[0].line, what) if at[0] is not None else ("", 0, what)
        if self.scope.parent is not None and not self.silent and key not in self.scope.told:
            self.scope.told.add(key)
            self.effect(what, name, at)

    def note_data(self, tensors: list[Any]) -> None:
        """An operator takes what `t.data` gave: while torch.export traces, that is no value of the graph."""
        if self.silent or all(id(tensor) not in self.data for tensor in tensors):
            return
        at = here(self.until)
        if self.scope.parent is not None:
            self.effect_once("constant", "what '.data' gives, which torch.export does not follow", at)
        elif compat.refuses_data():
            self.note(f"{spelt(at[0])}what '.data' gives is used here: torch.export stops there, since it does not follow "
                      "it; detach() says the same")

    def write_state(
        self, name: str, kind: str, number: int = -1, at: tuple[Place | None, list[Place]] | None = None
    ) -> None:
        """Notes that Python state which outlives the branch is written; `number` tells one variable from another."""
        attributes: list[Json] = [
            {"name": "variable", "int": number},
            {"name": "name", "string": name},
            {"name": "what", "string": kind},
        ]
        self.node("cxx.write", attributes, wanted="write", at=at)

    def failed(self, error: Exception) -> None:
        """Notes that an operator failed, where the code that called it may catch that."""
        if self.silent or isinstance(error, compat.unsupported_errors()):
            return
        if any(may_catch(frame.f_code) for frame in user_frames(sys._getframe(1), self.until)):
            self.failures.append(Failure(error, here(self.until)))

    def caught(self, since: int, raised: BaseException | None = None) -> list[Failure]:
        """What failed since there were that many failures and was caught: all but what `raised` came of."""
        ended_by: set[int] = set()
        while raised is not None and id(raised) not in ended_by:
            ended_by.add(id(raised))
            raised = raised.__cause__ or raised.__context__
        found = [failure for failure in self.failures[since:] if id(failure.error) not in ended_by]
        del self.failures[since:]
        return found

    def note(self, text: str) -> None:
        """Notes how the recording came about, once."""
        if text not in self.notes:
            self.notes.append(text)

    # The run.

    def run(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any) -> Recording:
        """Runs `module` once."""
        torch = self.torch
        is_module = isinstance(module, torch.nn.Module)
        function = module.forward if is_module else module
        new_args, new_kwargs, inputs = make_fakes(self.fakes, args, kwargs, function, dynamic_shapes)
        self.fakes.are_inputs = False
        for note in self.sizes.notes:
            self.note(note)
        again: list[tuple[str, str, Any, int]] = []  # inputs that are given the tensor of another
        for name, tensor in inputs.items():
            if id(tensor) in self.main.names:
                first = next(other for other, given in inputs.items() if given is tensor)
                again.append((first, name, tensor, tensor._version))
                continue
            written = self.main.fresh(name)
            self.writer.define(self.main, tensor, written)
            self.main.parameters.append({"name": written, "role": "input", "type": self.writer.type_of(tensor)})
        self.until = sys._getframe()
        with contextlib.ExitStack() as stack:
            stack.enter_context(_collector_paused())
            stack.callback(Snapshot(torch, [("self", module)], to_restore=True).restore)
            stack.callback(torch.set_default_dtype, torch.get_default_dtype())
            stack.callback(torch.set_grad_enabled, torch.is_grad_enabled())
            if is_module:
                self.roles = stack.enter_context(self.fakes.in_module(module))
            stack.enter_context(compat.higher_order_calls(self.branches.handlers()))
            stack.enter_context(compat.tracing_state())
            stack.enter_context(compat.remembered_arithmetic(self.env))
            stack.enter_context(self.host.active(module))
            stack.enter_context(self.mode)
            stack.enter_context(compat.recording_mode(self.operators.handle))
            results: list[Any] = []
            try:
                out = module(*new_args, **new_kwargs)
                if unsaved := compat.unsaved_structure(out):
                    self.note(f"forward returns '{unsaved}', which torch.export.save fails on: return a tuple or a dict, or register the "
                              "class with torch.utils._pytree")
                leaves = torch.utils._pytree.tree_leaves(out)
                results = [self.writer.reference(leaf, self.use) for leaf in leaves]
            except Stopped:
                pass
            except (CondlintError, KeyboardInterrupt):
                raise
            except (Exception, SystemExit) as error:
                self._ended_by(error)
            for first, name, tensor, version in again:
                if tensor._version != version:
                    self.note(f"'{first}' and '{name}' are given one tensor, and forward writes to it: torch.export takes them for two, and its "
                              "program fails to compute the same; give each its own")
            for failure in self.caught(0):
                self.note(f"{spelt(failure.at[0])}{said(failure.error)} is caught here, outside of any conditional: torch.export "
                          "stops there, or keeps the operator that fails")
        return Recording(self._graph(results), self.notes)

    def _ended_by(self, error: BaseException) -> None:
        place, _, _ = place_of_traceback(error.__traceback__)
        where = spelt(place)
        text = said(error)
        if not self.main.nodes:
            raise InputError(f"{where}the module could not be run: {text}; see that it runs on these inputs, or give others") from error
        self.note(f"{where}forward ended here with {text}; what comes after was not recorded")

    def _graph(self, results: list[Any]) -> Json:
        version = ".".join(self.torch.__version__.split("+")[0].split(".")[:2])
        graph: Json = {"parameters": self.main.parameters, "nodes": self.main.nodes, "results": results}
        graph = self.sizes.settled(graph)
        return {
            "condlint": "graph-1",
            "format": "json",
            "dialect": "torch",
            "recorded": True,
            "producer": f"torch {self.torch.__version__}",
            "version": version,
            "symbols": self.sizes.to_json(),
            "graph": graph,
        }

    @contextlib.contextmanager
    def entered(self, scope: Scope, until: FrameType | None) -> Iterator[None]:
        """Writes into `scope` for a while."""
        old = self.scope, self.until, self.decided, self.mode.allow_fallback_kernels
        self.scope, self.until, self.decided = scope, until, False
        # There torch.export takes every size for one that can change: no operator may be tried on numbers instead.
        self.mode.allow_fallback_kernels = False
        try:
            with compat.unchecked_distributions():
                yield
        finally:
            self.scope, self.until, self.decided, self.mode.allow_fallback_kernels = old


def record(module: Any, args: Any = (), kwargs: Any = None, dynamic_shapes: Any = None) -> Recording:
    """Records one run of `module`; nothing is computed, and the module is left as it was."""
    torch = compat.require_torch()
    if not callable(module):
        raise InputError(f"{type(module).__name__} cannot be called; expected a torch.nn.Module or a function")
    if isinstance(module, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        raise InputError("a module of TorchScript has no Python that could be recorded: give the one that it was scripted or traced from")
    if isinstance(args, torch.Tensor) or not isinstance(args, (tuple, list)):
        raise InputError("args is the tuple of the module's inputs: write args=(x,) for a single one")
    if kwargs is not None and not isinstance(kwargs, Mapping):
        raise InputError("kwargs is a dict from the names of the module's inputs to their values")
    try:
        return Recorder(torch).run(module, tuple(args), dict(kwargs or {}), dynamic_shapes)
    except (CondlintError, KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        # Code of the user's ends in `_ended_by`: this is ours, or torch's own.
        raise EngineError(f"{type(module).__name__} could not be recorded: {said(error)}") from error
