"""What of torch is no public interface, in one place, with what differs between versions.

Everything else in this package calls public torch only, but for `_torch_fakes.py`, which answers operators on fake tensors. Tried with 2.6 to 2.15:

- 2.6 to 2.13: a mode that is to see operators as `torch.export` records them (before autograd takes them apart) must
  be one of three classes; `SchemaCheckMode` is the one that may stand alone.
- 2.6: `while_loop` is not exported from the package `torch._higher_order_ops`; from 2.13 on there may be `switch`.
- 2.6, 2.7: `map` is no function but an operator of a class of its own, `MapWrapper`.
- 2.6: `ShapeEnv.evaluate_expr` takes the expression first; the further arguments differ, and are passed on as they are.
- 2.14, 2.15: an index that is a tensor of one number makes torch.export fail within itself.
- 2.15: `torch._assert` on a tensor becomes an operator, and a number that is assigned by index (`x[0] = 1.0`) no constant.
- 2.6: `torch.utils.checkpoint` may stand in a branch, from 2.13 on torch.export stops there; from 2.14 on an OrderedDict may be an operand of a conditional.
- the flags of `torch.compiler` that say "this is an export" are private in all of them.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import importlib
import logging
import re
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

from ._errors import MissingPackageError

OLDEST = (2, 6)


def require_torch() -> Any:
    """The package torch, or an exception of ours that says what is missing."""
    try:
        import torch
    except ImportError as error:
        if getattr(error, "name", None) != "torch":
            raise MissingPackageError(
                f"PyTorch is in this environment and cannot be imported: {error}; see that python -c 'import torch' runs, or install it anew"
            ) from error
        raise MissingPackageError(
            "checking a live model needs PyTorch 2.6 or newer in this environment: pip install torch"
        ) from error
    if version_of(torch) < OLDEST:
        raise MissingPackageError(
            f"checking a live model needs PyTorch {OLDEST[0]}.{OLDEST[1]} or newer; this environment has "
            f"{torch.__version__}: pip install --upgrade torch"
        )
    return torch


def version_of(torch: Any) -> tuple[int, int]:
    """Major and minor version of `torch`."""
    parts = torch.__version__.split("+")[0].split(".")
    return int(parts[0]), int(parts[1])


def shape_env(decide: Callable[[Any, Callable[[], Any]], Any]) -> Any:
    """An environment of symbolic sizes; `decide(expr, evaluate)` is asked where code wants a symbol's value."""
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    class RecordingShapeEnv(ShapeEnv):
        """Asks the recorder where a size or a tensor's value decides."""

        def evaluate_expr(self, orig_expr: Any, *args: Any, **kwargs: Any) -> Any:
            return decide(orig_expr, lambda: super(RecordingShapeEnv, self).evaluate_expr(orig_expr, *args, **kwargs))

    return RecordingShapeEnv()


def data_dependent_errors() -> tuple[type[BaseException], ...]:
    """What torch raises where the value of a fake tensor is asked for."""
    from torch._subclasses.fake_tensor import DataDependentOutputException
    from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

    return (GuardOnDataDependentSymNode, DataDependentOutputException)


def unsupported_errors() -> tuple[type[BaseException], ...]:
    """What torch raises where an operator has no rule for fake tensors."""
    from torch._subclasses import fake_tensor

    names = ("UnsupportedOperatorException", "DynamicOutputShapeException", "UnsupportedFakeTensorException")
    found = [getattr(fake_tensor, name) for name in names if hasattr(fake_tensor, name)]
    return (*data_dependent_errors(), *found, NotImplementedError)


def refused_errors() -> tuple[type[BaseException], ...]:
    """Those of them by which torch.export, which asks the same of an operator, stops within a branch."""
    from torch._subclasses import fake_tensor

    names = ("DataDependentOutputException", "DynamicOutputShapeException", "UnsupportedOperatorException")
    return tuple(getattr(fake_tensor, name) for name in names if hasattr(fake_tensor, name))


def fake_mode(env: Any) -> Any:
    """A mode under which tensors have no numbers."""
    from ._torch_fakes import mode_class

    return mode_class()(shape_env=env, allow_non_fake_inputs=True)


def fake_type() -> Any:
    """The class of fake tensors."""
    from torch._subclasses.fake_tensor import FakeTensor

    return FakeTensor


def attributes_of_tensor(tensor: Any) -> dict[str, Any]:
    """What code hung on a tensor; what torch itself keeps there is left out."""
    own = tensor.__dict__
    if not own:
        return own  # type: ignore[no-any-return]
    return {key: value for key, value in own.items() if key not in _OF_FAKES and "_memo" not in key and "_capsule" not in key}


# What torch keeps in fake tensors, and in real ones that have had one.
_OF_FAKES = frozenset(
    """_fake_device fake_device fake_mode constant real_tensor pytype dispatch_keys _is_param _typed_storage
    _dynamo_dynamic_indices _dynamo_static_indices _dynamo_static_input_type _is_buffer persistent_buffer""".split()
)


def is_transformed(tensor: Any) -> bool:
    """Whether a tensor stands for others, within `torch.vmap` or `torch.func.grad`."""
    import torch

    asked = getattr(getattr(torch._C, "_functorch", None), "is_functorch_wrapped_tensor", None)
    return bool(asked is not None and asked(tensor))


def is_batched(tensor: Any) -> bool:
    """Whether a tensor stands for a batch of others, within `torch.vmap`."""
    import torch

    asked = getattr(getattr(torch._C, "_functorch", None), "is_batchedtensor", None)
    return bool(asked is not None and asked(tensor))


def fake_copy(mode: Any, tensor: Any) -> Any:
    """A fake tensor like `tensor`, with its own sizes and without symbols."""
    return mode.from_tensor(tensor, static_shapes=True)


def new_symbol(env: Any, name: str, hint: int, low: int, high: int | None) -> Any:
    """A symbolic size that is `hint` in the example and from `low` to `high` otherwise."""
    import sympy
    from torch._dynamo.source import ConstantSource
    from torch.fx.experimental.symbolic_shapes import DimDynamic, StrictMinMaxConstraint
    from torch.utils._sympy.value_ranges import ValueRanges

    # torch takes each size to be 2 or more while it traces.
    upper = sympy.oo if high is None else max(high, 2)
    try:
        from torch.utils._sympy.numbers import int_oo

        upper = int_oo if high is None else upper
    except ImportError:
        pass
    bounds = StrictMinMaxConstraint(vr=ValueRanges(max(low, 2), upper), warn_only=False)
    source = ConstantSource(f"__condlint_{name}")
    symbol = env.create_symbol(hint, source, dynamic_dim=DimDynamic.DYNAMIC, constraint_dim=bounds)
    return env.create_symintnode(symbol, hint=hint, source=source)


def unbacked(env: Any, low: int | None = None, high: int | None = None) -> Any:
    """A symbolic size that data decides, from `low` to `high`."""
    size = env.create_unbacked_symint()
    if low is not None:
        from torch.fx.experimental.symbolic_shapes import _constrain_range_for_size

        with contextlib.suppress(Exception):
            _constrain_range_for_size(size, min=low, max=high)
    return size


# Arithmetic and comparisons of whole numbers, as the nodes of symbols have them.
_ARITHMETIC = "add and eq floordiv ge gt int_floordiv le lt mod mul ne or sub sym_max sym_min".split()


@contextlib.contextmanager
def remembered_arithmetic(env: Any) -> Iterator[None]:
    """What is computed of the sizes of `env` is computed once: torch asks the same of each tensor, and again."""
    from torch.fx.experimental.sym_node import SymNode

    def remembering(inherited: Any) -> Any:
        known: dict[Any, Any] = {}
        learnt = 0

        def computed(node: Any, other: Any) -> Any:
            nonlocal learnt
            if node.shape_env is not env or node.pytype is float or other.pytype is float:
                return inherited(node, other)
            if learnt != (now := env._replacements_version_counter):
                known.clear()
                learnt = now
            key = (node._expr, other._expr, node.pytype)
            if (found := known.get(key)) is None:
                found = known[key] = inherited(node, other)
            return found

        return computed

    own = {f"_{name}": SymNode.__dict__.get(f"_{name}") for name in _ARITHMETIC}
    own = {name: method for name, method in own.items() if method is not None and hasattr(env, "_replacements_version_counter")}
    for name, method in own.items():
        setattr(SymNode, name, remembering(method))
    try:
        yield
    finally:
        for name, method in own.items():
            setattr(SymNode, name, method)


def range_of(env: Any, symbol: Any) -> tuple[int | None, int | None]:
    """What is known of a symbol of `env`: least and largest value."""
    bounds = env.var_to_range.get(symbol)
    if bounds is None:
        return None, None

    def number(value: Any) -> int | None:
        # Numbers beyond 2**62 stand for infinity.
        return int(value) if getattr(value, "is_Integer", False) and abs(int(value)) < 2**62 else None

    return number(bounds.lower), number(bounds.upper)


def expression_of(value: Any) -> Any:
    """The sympy expression behind a symbolic number or truth value."""
    return value.node.expr


def is_own_container(value: Any) -> bool:
    """Whether a value is a container of other values by torch's book of them, and no plain tuple, list or dict."""
    from torch.utils import _pytree

    kind = _pytree._get_node_type(value)
    if kind is collections.OrderedDict:
        return version_of(sys.modules["torch"]) < (2, 14)
    return kind in _pytree.SUPPORTED_NODES and kind not in (tuple, list, dict)


def follows_checkpoints() -> bool:
    """Whether torch.export takes `torch.utils.checkpoint` within a branch: newer versions stop there."""
    return version_of(sys.modules["torch"]) < (2, 13)


def fails_on_number_as_index() -> bool:
    """Whether torch.export fails within itself where a tensor of one number is an index: older versions refuse it."""
    return version_of(sys.modules["torch"]) >= (2, 14)


def keeps_assigned_number() -> bool:
    """Whether torch.export makes a constant of a number that is assigned by index within a branch: newer versions make an operator of it."""
    return version_of(sys.modules["torch"]) < (2, 15)


def asserts_tensors() -> bool:
    """Whether torch.export makes an operator of `torch._assert` on a tensor: older versions ask the tensor for its value."""
    return version_of(sys.modules["torch"]) >= (2, 15)


def refuses_data() -> bool:
    """Whether torch.export stops where `t.data` is used outside of any conditional: older versions take it for `t`."""
    return version_of(sys.modules["torch"]) >= (2, 10)


def refuses_symbol_beside_others() -> bool:
    """Whether torch.export stops at a number of a tensor among the parts of an index within a branch; of older versions that is not known."""
    return version_of(sys.modules["torch"]) >= (2, 13)


def follows_digits() -> bool:
    """Whether torch.export takes the number of the example for `bin`, `hex` and `oct` of a symbol: older versions stop there."""
    return version_of(sys.modules["torch"]) >= (2, 14)


def follows_caught(error: BaseException) -> bool:
    """Whether torch.export goes on where an operator fails and the branch catches that: newer versions do, but for an IndexError and the like."""
    return type(error) is RuntimeError and version_of(sys.modules["torch"]) >= (2, 14)


def function_mode(call: Callable[[Any, Any, Any], Any]) -> Any:
    """A mode under which each call of a function or a method of torch is `call(function, args, kwargs)`."""
    from torch.overrides import TorchFunctionMode

    class Calls(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return call(function, args, kwargs or {})

    return Calls()


def refuses_held_numbers() -> bool:
    """Whether torch.export stops where an operator is given a number of numpy for what cannot be a tensor; of older versions it is not known where they do."""
    return version_of(sys.modules["torch"]) >= (2, 13)


def traces_sizes_as_symbols() -> bool:
    """Whether torch.export, unless it is strict, takes sizes that cannot change for symbols while it traces a branch; of older versions that is not known."""
    return version_of(sys.modules["torch"]) >= (2, 13)


def takes_largest_for_smallest() -> bool:
    """Whether torch.export, unless it is strict, writes `sym_min` for `max` of a symbol within a branch."""
    return version_of(sys.modules["torch"]) >= (2, 13)


def refuses_words_of_choice() -> bool:
    """Whether torch.export stops at `max` and `min` with `default` or `key` within a branch; of symbols all versions stop at `key`."""
    return version_of(sys.modules["torch"]) < (2, 14)


def follows_choice() -> bool:
    """Whether torch.export makes a symbol of `max` and `min` of symbols within a branch: 2.6 to 2.9 do not."""
    return version_of(sys.modules["torch"]) >= (2, 10)


def follows_choice_of_data() -> bool:
    """Whether it does where one of them is a number of a tensor: 2.6 does, too."""
    return follows_choice() or version_of(sys.modules["torch"]) == (2, 6)


def settled(env: Any, expr: Any) -> Any:
    """An expression of sizes with what `env` has learnt of them since: that two are one, or that one is a number."""
    return env.replace(expr) if env.replacements else expr


def number_in_example(env: Any, expr: Any) -> Any:
    """What an expression of sizes is in the example; nothing is assumed for it."""
    values = getattr(env, "backed_var_to_val", None) or env.var_to_val
    return expr.xreplace({symbol: values[symbol] for symbol in expr.free_symbols if symbol in values})


def count_of_guards(env: Any) -> int:
    """How often code asked something of sizes that is not so for all that they can be."""
    return len(env.guards)


# What tells something else than a tensor, and torch.export takes within a branch for an operator that does not; and two that it does not know.
_ANSWERS = {
    "torch": """can_cast get_default_device get_device get_float32_matmul_precision is_conj is_deterministic_algorithms_warn_only_enabled
    is_distributed is_inference is_inference_mode_enabled is_neg is_same_size is_signed is_storage is_vulkan_available
    is_warn_always_enabled result_type from_dlpack frombuffer sparse_coo_tensor""",
    "Tensor": "_is_view dense_dim is_conj is_distributed is_inference is_neg is_pinned is_same_size is_signed sparse_dim storage_offset untyped_storage",
}


def untraced_answers() -> list[tuple[Any, str, str]]:
    """Functions and methods of torch that torch.export stops at within a branch: where they are, name, and how they are called."""
    import torch

    owners = {"torch": torch, "Tensor": fake_type()}
    taken = {"Tensor.is_inference"} if version_of(torch) == (2, 6) else set()
    return [
        (owner, name, f"{kind}.{name}")
        for kind, owner in owners.items() for name in _ANSWERS[kind].split() if hasattr(owner, name) and f"{kind}.{name}" not in taken
    ]


# What a branch may not enter by `with`: torch.export stops there.
_CONTEXTS = """contextlib.redirect_stderr contextlib.redirect_stdout torch.autograd.detect_anomaly torch.autograd.forward_ad.dual_level
    torch.autograd.graph.allow_mutation_on_saved_tensors torch.autograd.graph.save_on_cpu torch.autograd.graph.saved_tensors_hooks
    torch.autograd.set_multithreading_enabled torch.backends.cuda.sdp_kernel torch.backends.cudnn.flags torch.backends.mkl.verbose
    torch.backends.mkldnn.flags torch.backends.mkldnn.verbose torch.compiler.set_stance torch.device
    torch.overrides.BaseTorchFunctionMode torch.serialization.safe_globals torch.sparse.check_sparse_tensor_invariants
    torch.utils.checkpoint.set_checkpoint_early_stop torch.utils.flop_counter.FlopCounterMode"""


def untraced_contexts() -> dict[int, str]:
    """By identity: what makes a context that torch.export does not enter within a branch, and its name; of what was imported."""
    found = {}
    for name in _CONTEXTS.split():
        package, _, rest = name.partition(".")
        held: Any = sys.modules.get(package)
        for part in rest.split("."):
            held = getattr(held, part, None)
        if held is not None:
            found[id(getattr(held, "__wrapped__", held))] = name
    return found


def modes_of_gradients() -> tuple[type, ...]:
    """Classes of contexts that torch.export enters where a branch makes them, and not where it is given one."""
    import torch

    return torch.no_grad, torch.enable_grad, torch.set_grad_enabled, torch.inference_mode


def exports_strictly() -> bool:
    """Whether torch.export traces the whole of a module by default, and not conditionals alone."""
    return version_of(sys.modules["torch"]) < (2, 7)


def drops_logging(*functions: Any) -> bool:
    """Whether torch.export passes over a method of a logger within a branch: where it is strict, or was told so of the method."""
    from torch._dynamo import config

    told = {name: getattr(config, name, ()) for name in ("ignore_logging_functions", "ignore_logger_methods", "reorderable_logging_functions")}
    return exports_strictly() or any(function in listed for listed in told.values() for function in functions)


def refuses_print_with_names() -> bool:
    """Whether torch.export, unless it is strict, stops at `print(…, end="")` within a branch: older versions drop it."""
    return version_of(sys.modules["torch"]) >= (2, 14)


def unsaved_structure(value: Any) -> str:
    """The class in a structure of inputs or outputs that torch.export.save cannot write, as of a named tuple; nothing where it can."""
    from torch.utils import _pytree

    try:
        _pytree.treespec_dumps(_pytree.tree_structure(value))
    except NotImplementedError as error:
        found = re.search(r"<class '([^']+)'>", str(error))
        return found[1].rsplit(".", 1)[-1] if found else "a class of its own"
    return ""


def enters_own_contexts() -> bool:
    """Whether torch.export enters an object of the user's that is held outside of the branch: older versions stop there."""
    return version_of(sys.modules["torch"]) >= (2, 14)


def follows_truth_of_address() -> bool:
    """Whether torch.export takes `if t.data_ptr():` within a branch: older and newer versions stop there."""
    return (2, 13) <= version_of(sys.modules["torch"]) < (2, 15)


def answers_as_object() -> bool:
    """Whether torch.export takes `t.__hash__()` and its like within a branch: newer versions stop there."""
    return version_of(sys.modules["torch"]) < (2, 10)


def fails_on_real_part() -> bool:
    """Whether torch.export fails within itself at `t.real` of a real operand within a branch."""
    return version_of(sys.modules["torch"]) == (2, 13)


def lifts_transposed() -> bool:
    """Whether torch.export makes an operand of `t.T` within a branch, and stops where the branch uses `t` besides: the two share memory."""
    return version_of(sys.modules["torch"]) == (2, 13)


def counts_bytes() -> bool:
    """Whether torch.export takes `t.nbytes` within a branch: newer versions stop there."""
    return version_of(sys.modules["torch"]) < (2, 8)


def passes_over_truths(by_bool: bool) -> bool:
    """Whether torch.export passes over `1.0 in t` and `bool(t)` within a branch, of which nothing is made: older versions stop there."""
    return version_of(sys.modules["torch"]) >= ((2, 12) if by_bool else (2, 8))


def follows_held_number() -> bool:
    """Whether torch.export takes `torch.tensor(k)` within a branch, where `k` is a number of numpy from outside: two versions stop there."""
    return version_of(sys.modules["torch"]) not in ((2, 10), (2, 11))


def drawn_numbers() -> tuple[str, ...]:
    """The functions of `random` that torch.export follows within a branch, unless it is strict: it keeps the number that they yield."""
    return ("randint", "random", "randrange", "uniform") if version_of(sys.modules["torch"]) >= (2, 15) else ("randint", "randrange", "uniform")


def refuses_held_sizes() -> bool:
    """Whether torch.export stops where a number of numpy from outside decides the strides of what a branch returns."""
    return version_of(sys.modules["torch"]) < (2, 14)


def follows_held_range() -> bool:
    """Whether torch.export takes `range(k)` within a branch, where `k` is a number of numpy from outside, unless something runs over it."""
    return version_of(sys.modules["torch"]) >= (2, 15)


def raises_held_number() -> bool:
    """Whether torch.export takes `pow(k, 2)` within a branch, where `k` is a number of numpy from outside: older versions stop there."""
    return version_of(sys.modules["torch"]) >= (2, 15)


def refuses_truth_by_operator() -> bool:
    """Whether torch.export stops at `operator.truth` within a branch whatever it is given: older versions do so for symbols alone."""
    return (2, 13) <= version_of(sys.modules["torch"]) < (2, 14)


def follows_conversion() -> bool:
    """Whether torch.export takes `n.__int__()` and `operator.truth(n)` within a branch: older versions stop there."""
    return version_of(sys.modules["torch"]) >= (2, 15)


def follows_offset() -> bool:
    """Whether torch.export takes `t.storage_offset()` of what a branch is given: older versions stop there."""
    return version_of(sys.modules["torch"]) >= (2, 15)


def asks_for_speed(code: CodeType) -> bool:
    """Whether it is a part of torch that asks for sizes to choose a kernel; torch.export may not ask the same."""
    return code.co_name == "conv" and code.co_filename.endswith("fake_impls.py")


def ask_of_layout(tensor: Any) -> None:
    """Asks of an operator's result what torch.export asks of each: whether its memory is in order, and in which."""
    from torch.fx.passes.shape_prop import _extract_tensor_metadata

    _extract_tensor_metadata(tensor)


def is_known_true(condition: Any) -> bool:
    """Whether a comparison of sizes is true for all that they can be; nothing is assumed for it."""
    from torch.fx.experimental.symbolic_shapes import statically_known_true

    return bool(statically_known_true(condition))


def recording_mode(handle: Callable[..., Any]) -> Any:
    """A mode that hands each ATen operator, as torch.export would record it, to `handle(func, args, kwargs)`."""
    import torch
    from torch._subclasses.schema_check_mode import SchemaCheckMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class RecordingMode(SchemaCheckMode):
        """Sees operators before autograd does."""

        def __init__(self) -> None:
            TorchDispatchMode.__init__(self, torch._C.DispatchKey.PreDispatch)

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return handle(func, args, kwargs or {})

    return RecordingMode()


@contextlib.contextmanager
def tracing_state() -> Iterator[None]:
    """Code that asks whether it is exported is told so, and what is compiled runs as it is written."""
    import torch
    from torch._dispatch.python import enable_python_dispatcher

    compiler = torch.compiler
    flags = {name: getattr(compiler, name) for name in ("_is_compiling_flag", "_is_exporting_flag") if hasattr(compiler, name)}
    with contextlib.ExitStack() as stack:
        stack.enter_context(enable_python_dispatcher())
        # An operator that is given what it does not admit is told of in our words; torch logs a traceback besides.
        log = logging.getLogger("torch._subclasses.fake_tensor")
        stack.callback(setattr, log, "disabled", log.disabled)
        log.disabled = True
        if hasattr(compiler, "set_stance"):
            stack.enter_context(compiler.set_stance("force_eager"))
        try:
            for name in flags:
                setattr(compiler, name, True)
            yield
        finally:
            for name, value in flags.items():
                setattr(compiler, name, value)


@contextlib.contextmanager
def unchecked_distributions() -> Iterator[None]:
    """Distributions do not check the values that they are given: the tracer that torch.export calls for a branch switches that off."""
    from torch.distributions import Distribution

    checks = Distribution._validate_args
    Distribution.set_default_validate_args(False)
    try:
        yield
    finally:
        Distribution.set_default_validate_args(checks)


# Public functions of higher order: module below torch._higher_order_ops, function. The first is torch.cond itself.
_FUNCTIONS = (
    ("cond", "cond"),
    ("while_loop", "while_loop"),
    ("scan", "scan"),
    ("map", "map"),
    ("associative_scan", "associative_scan"),
    ("switch", "switch"),
)
# The operators below torch.ops.higher_order that code may call itself, with the function that means the same.
_OPERATORS = (
    ("cond", "CondOp", "cond"),
    ("while_loop", "WhileLoopOp", "while_loop"),
    ("switch", "SwitchOp", "switch"),
    ("map", "MapWrapper", "map"),
)


@contextlib.contextmanager
def higher_order_calls(handlers: dict[str, Callable[..., Any]]) -> Iterator[None]:
    """Calls of torch's functions of higher order go to `handlers`, by whatever name code knows them.

    A function that user code imported by name is the same object everywhere, so it is its code that is replaced while
    this is active, and put back.
    """
    undo: list[Callable[[], None]] = []
    try:
        for module_name, name in _FUNCTIONS:
            try:
                module = importlib.import_module(f"torch._higher_order_ops.{module_name}")
            except ImportError:
                continue
            function = getattr(module, name, None)
            if isinstance(function, FunctionType) and not function.__code__.co_freevars and name in handlers:
                undo.append(_redirect(function, handlers[name]))
        for module_name, class_name, handler in _OPERATORS:
            cls = getattr(sys.modules.get(f"torch._higher_order_ops.{module_name}"), class_name, None)
            if isinstance(cls, type) and handler in handlers:
                undo.append(_redirect_calls(cls, handlers[handler]))
        yield
    finally:
        for put_back in reversed(undo):
            put_back()


@contextlib.contextmanager
def export_calls(handle: Callable[..., Any]) -> Iterator[None]:
    """Calls of `torch.export.export`, by whatever name code knows it, go to `handle(export, *args, **kwargs)`."""
    import torch.export

    found: Any = torch.export.export
    if isinstance(found, FunctionType) and not found.__code__.co_freevars:
        original = FunctionType(found.__code__, found.__globals__, found.__name__, found.__defaults__)
        original.__kwdefaults__ = found.__kwdefaults__
        put_back = _redirect(found, functools.partial(handle, original))
    else:
        torch.export.export = functools.partial(handle, found)
        put_back = functools.partial(setattr, torch.export, "export", found)
    try:
        yield
    finally:
        put_back()


def _redirect(function: FunctionType, handler: Callable[..., Any]) -> Callable[[], None]:
    old: CodeType = function.__code__
    defaults, keyword_defaults = function.__defaults__, function.__kwdefaults__
    key = f"__condlint_{function.__name__}__"
    scope: dict[str, Any] = {}
    exec(f"def redirected(*args, **kwargs):\n    return {key}(*args, **kwargs)\n", scope)
    code: CodeType = scope["redirected"].__code__.replace(co_filename=__file__, co_name=function.__name__)
    function.__globals__[key] = handler
    function.__defaults__ = None
    function.__kwdefaults__ = None
    function.__code__ = code

    def put_back() -> None:
        function.__code__ = old
        function.__defaults__, function.__kwdefaults__ = defaults, keyword_defaults
        function.__globals__.pop(key, None)

    return put_back


def _redirect_calls(cls: type, handler: Callable[..., Any]) -> Callable[[], None]:
    own = cls.__dict__.get("__call__")

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return handler(*args, **kwargs)

    cls.__call__ = call  # type: ignore[method-assign]

    def put_back() -> None:
        if own is None:
            del cls.__call__
        else:
            cls.__call__ = own  # type: ignore[method-assign]

    return put_back


def program_to_json(program: Any) -> bytes:
    """An `ExportedProgram` as the JSON that a `.pt2` holds, without the weights.

    The serializer is private; `torch.export.save`, which writes them, is what is left where it is another.
    """
    import json

    from torch._export.serde import serialize

    artifact = serialize.ExportedProgramSerializer().serialize(
        program, serialize_state_dict=False, serialize_constants=False, serialize_example_inputs=False
    )
    program_as_dict = serialize._dataclass_to_dict(artifact.exported_program)
    return json.dumps(program_as_dict, cls=serialize.EnumEncoder).encode()
