"""What code of the host makes of symbols, sizes that can change and numbers of tensors: text, roundings, the largest of some.

torch.export follows arithmetic. Of the rest it refuses some, writes others into no file, and makes of `max` the smallest.
"""

from __future__ import annotations

import builtins
import functools
import operator
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_places import at_user, caller, here, is_users
from ._record_source import calls_method, converts, converts_container, formats, makes_text, running, takes_text
from ._record_uses import is_dropped, is_part, is_printed, is_read, is_unused

if TYPE_CHECKING:
    from ._record import Recorder

# Functions of `math` that torch.export makes neither a symbol of nor asks the example for.
_REFUSED = frozenset(
    """acos asin atan comb cos cosh factorial gcd isclose isfinite isinf isnan isqrt lcm log2 perm sin sinh tan tanh""".split()
)
_REFUSED_OF_PYTHON = (chr, complex)
_DIGITS = (bin, hex, oct)
# Those of them that it makes symbols of, which it cannot write down.
_NOT_WRITTEN = frozenset(f"math.{name}" for name in "acos asin atan cos cosh log2 sin sinh tan tanh".split())
_NOT_TAKEN = "torch.export stops at it"
_NOT_SAVED = "torch.export.save fails on it"


class Symbols:
    """Watches symbols while user code runs, and notes what a branch makes of them that export does not take."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        torch = recorder.torch
        self.numbers = (torch.SymInt, torch.SymFloat)
        self.kinds = (*self.numbers, torch.SymBool)
        self._text_of: tuple[int, int, Any] | None = None  # where user code last put a size into an f-string

    def shims(self) -> dict[str, Callable[..., Any]]:
        """Stand-ins for functions of Python, for the modules of the user."""
        own = {
            "getattr": self._attribute(getattr), "hasattr": self._attribute(hasattr), "len": self._len, "max": self._largest(max),
            "min": self._largest(min), "sorted": self._sorted, "sum": self._sum, "divmod": self._divmod,
        }
        return {name: _stand_in(getattr(builtins, name), function) for name, function in own.items()}

    def patches(self) -> list[tuple[Any, str, Any]]:
        """Methods of symbols that are to be others for the time of a recording: class, name, method."""
        torch = self.recorder.torch
        tensors = compat.fake_type()
        found: list[tuple[Any, str, Any]] = [
            (torch, "_check", self._check(torch._check)), (torch, "_assert", self._assert(torch._assert)),
            (torch, "tensor", self._tensor(torch.tensor, 0)), (tensors, "new_tensor", self._tensor(tensors.new_tensor, 1)),
        ]
        if (total := getattr(torch, "sym_sum", None)) is not None:
            found.append((torch, "sym_sum", self._stand_in_sum(total)))
        for cls in self.kinds:
            found += [(cls, name, self._text(cls.__dict__[name])) for name in ("__str__", "__repr__") if name in cls.__dict__]
            found += [(cls, "__format__", self._formatted()), (cls, "__bool__", self._truth(cls.__bool__))]
        for cls in self.numbers:
            found.append((cls, "__array__", self._array()))
            if "is_integer" in cls.__dict__:
                found.append((cls, "is_integer", self._is_integer(cls.__dict__["is_integer"])))
            saved = {"__abs__": "abs", "__ceil__": "math.ceil", "__floor__": "math.floor", "__round__": "round"}
            for name, said in saved.items():
                if name in cls.__dict__:
                    found.append((cls, name, self._computed(cls.__dict__[name], said, _NOT_SAVED)))
            for name in ("real", "imag", "numerator", "denominator"):
                if not hasattr(cls, name):
                    found.append((cls, name, self._part(name)))
            if cls is not self.recorder.torch.SymFloat:
                found.append((cls, "__hash__", self._hash(cls.__hash__)))
            for name in ("__xor__", "__rxor__"):
                if name in cls.__dict__:
                    found.append((cls, name, self._computed(cls.__dict__[name], "^", _NOT_TAKEN)))
        return found

    def asked(self, frame: FrameType | None, expr: Any) -> bool:
        """User code in `frame` asks for the number that a symbol is; whether that was noted."""
        if frame is None or not expr.free_symbols or self.recorder.scope.parent is None:
            return False
        called = running(frame)
        names = ["%"] if takes_text(frame) else []
        names += [function.__name__ for function in called if function in (_REFUSED_OF_PYTHON if compat.follows_digits() else (*_REFUSED_OF_PYTHON, *_DIGITS))]
        names += [f"math.{function.__name__}" for function in called
                  if getattr(function, "__module__", None) == "math" and function.__name__ in _REFUSED]
        for name in names:
            if name not in _NOT_WRITTEN or not is_dropped(frame) and not self.recorder.traced.is_on:
                self._note(name, expr, _NOT_TAKEN)
        return bool(names)

    def _note(self, name: str, expr: Any, why: str) -> None:
        """Notes that user code calls a function of that name on a symbol."""
        recorder = self.recorder
        if recorder.scope.parent is None or not expr.free_symbols or recorder.traced.is_on and why is _NOT_SAVED:
            return
        recorder.effect_once("symbol", f"'{name}' of {recorder.sizes.kind_of(expr)}: {why}", here(recorder.until))

    def _is_symbol(self, value: Any) -> bool:
        return isinstance(value, self.kinds) and bool(compat.expression_of(value).free_symbols)

    def _is_of_data(self, value: Any) -> bool:
        return self._is_symbol(value) and not self.recorder.sizes.are_sizes(compat.expression_of(value))

    # Methods.

    def _text(self, inherited: Any) -> Any:
        """`str(n)` and `repr(n)`; of a text that is formatted torch.export keeps the parts, and not its letters."""
        @functools.wraps(inherited)
        def text(value: Any) -> str:
            frame = caller()
            if frame is not None and self._is_symbol(value):
                if makes_text(frame):
                    self._note("str", compat.expression_of(value), _NOT_TAKEN)
                elif converts_container(frame):
                    self._note("str", compat.expression_of(value), _NOT_TAKEN)
                elif converts(frame) and is_part(frame) and self._is_size_in_branch(value):
                    return str(self._in_example(value))
                elif is_read(frame) and not is_printed(frame):
                    self._note("str", compat.expression_of(value), _NOT_TAKEN)
            return str(inherited(value))

        return text

    def _is_size_in_branch(self, value: Any) -> bool:
        return self.recorder.scope.parent is not None and self.recorder.sizes.are_sizes(compat.expression_of(value))

    def _formatted(self) -> Any:
        """`f"{n}"`: the symbol's name, in whatever form; where it is one of several parts, or its letters are wanted, those of the example."""

        def formatted(value: Any, form: str) -> str:
            expr, frame = compat.expression_of(value), caller()
            if frame is None or not self._is_symbol(value) or self.recorder.scope.parent is None:
                return str(expr)
            of_sizes = self.recorder.sizes.are_sizes(expr)
            if format in running(frame):
                self._note("format", expr, _NOT_TAKEN)
            elif formats(frame) and of_sizes and (is_read(frame) or is_part(frame)):
                return format(self._in_example(value), form)
            elif is_read(frame, or_tested=of_sizes, or_kept=formats(frame)) and not is_printed(frame):
                if formats(frame):
                    self.recorder.decisions.on_host("a number")
                else:
                    self._note("format", expr, _NOT_TAKEN)
            self._text_of = (id(frame), frame.f_lineno, value) if formats(frame) and of_sizes else None
            return str(expr)

        return formatted

    def _in_example(self, value: Any) -> Any:
        """The number that a symbol is in the example: code decides on it."""
        guard = {"SymInt": "guard_int", "SymFloat": "guard_float", "SymBool": "guard_bool"}[type(value).__name__]
        return getattr(value.node, guard)("", 0)

    def _truth(self, inherited: Any) -> Any:
        """`operator.truth(n)` and `n.__bool__()`, which torch.export does not take for `bool(n)`."""

        @functools.wraps(inherited)
        def truth(value: Any) -> bool:
            if isinstance(value, self.recorder.torch.SymFloat) and caller() is not None and self._is_of_data(value):
                return self.recorder.decisions.on_host("a decision")  # torch.export follows mathematics of such a number, and no truth
            frame = caller() if self.recorder.scope.parent is not None else None
            if frame is not None and calls_method(frame, "sort"):
                self._note("sort", compat.expression_of(value), _NOT_TAKEN)
            elif frame is not None and calls_method(frame, "__bool__"):
                self._note("__bool__", compat.expression_of(value), _NOT_TAKEN)
            elif frame is not None and operator.truth in running(frame) and not (compat.follows_conversion() or compat.refuses_truth_by_operator()):
                self._note("operator.truth", compat.expression_of(value), _NOT_TAKEN)
            return bool(inherited(value))

        return truth

    def _array(self) -> Any:
        """`np.prod(x.shape)`: numpy takes numbers."""

        def array(value: Any, *args: Any, **kwargs: Any) -> Any:
            if caller() is not None and not self.recorder.sizes.are_sizes(compat.expression_of(value)):
                self._note("numpy", compat.expression_of(value), _NOT_TAKEN)
            return sys.modules["numpy"].asarray(self._in_example(value))

        return array

    def _part(self, name: str) -> Any:
        """`n.real`, which torch's symbols do not have, and torch.export passes over where nothing is made of it."""

        def part(value: Any) -> Any:
            frame = caller()
            if frame is not None and self.recorder.scope.parent is not None and is_unused(frame):
                return value
            raise AttributeError(f"{type(value).__name__!r} object has no attribute {name!r}")

        return property(part)

    def _is_integer(self, inherited: Any) -> Any:
        """`(n / 2).is_integer()`: torch.export takes the answer of the example."""

        @functools.wraps(inherited)
        def asked(value: Any) -> bool:
            return bool(inherited(value))

        return asked

    def _hash(self, inherited: Any) -> Any:
        """A key of a dict or a member of a set: torch.export takes the number of the example."""

        def hashed(value: Any) -> int:
            if not is_users(sys._getframe(1).f_code.co_filename) or not self._is_symbol(value):
                return int(inherited(value))
            return hash(value.node.guard_int("", 0))

        return hashed

    def _check(self, inherited: Any) -> Any:
        """`torch._check(…, lambda: f"{n}")`: of what surrounds it the message may read constants alone."""

        @functools.wraps(inherited)
        def checked(condition: Any, message: Any = None) -> None:
            recorder = self.recorder
            if recorder.in_branch(sys._getframe(1)):
                held = [cell.cell_contents for cell in getattr(message, "__closure__", None) or ()]
                if any(isinstance(value, recorder.torch.Tensor) or self._is_symbol(value) for value in held):
                    words = "torch._check with a message that is made of a tensor or of a size that can change"
                    recorder.effect_once("call", words, here(recorder.until))
            inherited(condition, message)

        return checked

    def _assert(self, inherited: Any) -> Any:
        """`torch._assert(True, f"{n}")`: where nothing is left to ask, torch.export takes the text for a constant.

        Versions that make an operator of it do so for every condition.
        """
        tensors = self.recorder.torch.Tensor

        @functools.wraps(inherited)
        def asserted(condition: Any, message: Any) -> None:
            frame, text = caller(), self._text_of
            is_operator = compat.asserts_tensors()
            settled = isinstance(condition, bool) or is_operator and self.recorder.scope.parent is not None
            if settled and frame is not None and text is not None and text[:2] == (id(frame), frame.f_lineno):
                self._in_example(text[2])
            if is_operator and isinstance(condition, tensors) and isinstance(message, str) and condition.numel() == 1:
                self.recorder.torch._assert_async(condition, message)
            else:
                inherited(condition, message)

        return asserted

    def _tensor(self, inherited: Any, at: int) -> Any:
        """`torch.tensor(n > 2)`, of which torch.export makes an operator: here what the comparison is in the example."""
        recorder = self.recorder

        def number(data: Any) -> Any:
            if isinstance(data, (list, tuple)):
                return type(data)(number(part) for part in data) if type(data) in (list, tuple) else data
            if not isinstance(data, recorder.torch.SymBool) or not recorder.sizes.are_sizes(compat.expression_of(data)):
                return data
            recorder.decisions.number_at = at_user(sys._getframe(1))
            return bool(compat.number_in_example(recorder.env, compat.expression_of(data)))

        @functools.wraps(inherited)
        def made(*args: Any, **kwargs: Any) -> Any:
            if len(args) > at and recorder.in_branch(sys._getframe(1)):
                args = (*args[:at], number(args[at]), *args[at + 1 :])
            return inherited(*args, **kwargs)

        return made

    def _computed(self, inherited: Any, name: str, why: str) -> Any:
        """A method that computes another symbol; one that comes to what it was given is no matter."""

        @functools.wraps(inherited)
        def computed(value: Any, *args: Any) -> Any:
            out = inherited(value, *args)
            if is_users(sys._getframe(1).f_code.co_filename) and self._is_symbol(value) and self._is_symbol(out):
                expr = compat.expression_of(value)
                if compat.expression_of(out) not in (expr, -expr) and not is_dropped(sys._getframe(1)):
                    self._note(name, expr, why)
            return out

        return computed

    # Functions.

    def _len(self, held: Any, /) -> Any:
        """`len(t)`: the symbol that the first size is."""
        torch = self.recorder.torch
        return held.shape[0] if isinstance(held, torch.Tensor) and held.dim() else len(held)

    def _attribute(self, function: Any) -> Callable[..., Any]:
        """`hasattr(n, "name")` and `getattr(n, "name", None)`."""

        def asked(held: Any, name: str, /, *default: Any) -> Any:
            if (default or function is hasattr) and self._is_symbol(held):
                self._note(function.__name__, compat.expression_of(held), _NOT_TAKEN)
            return function(held, name, *default)

        return asked

    def _largest(self, function: Any) -> Callable[..., Any]:
        """`max`, which is the smallest in torch's program, and `min`."""

        def chosen(*args: Any, **kwargs: Any) -> Any:
            if not kwargs or kwargs.keys() == {"default"} and not compat.refuses_words_of_choice():
                if len(args) == 1 and not isinstance(args[0], (self.recorder.torch.Tensor, str)):
                    args = tuple(args[0])
                    if len(args) < 2:
                        return args[0] if args else function((), **kwargs)
                    kwargs = {}
            if not kwargs and self.recorder.scope.parent is not None and (tensor := self._of_tensors(function, args)) is not None:
                return tensor
            expr = next((compat.expression_of(value) for value in args if self._is_symbol(value)), None)
            refused = list(kwargs) if compat.refuses_words_of_choice() else []
            if refused and self.recorder.scope.parent is not None:
                words = f"{function.__name__} with {' and '.join(f'{name}=' for name in refused)}"
                self.recorder.effect_once("call", words, here(self.recorder.until))
            parts = [part for value in args if isinstance(value, (tuple, list)) for part in value]
            if (part := next((part for part in parts if self._is_symbol(part)), None)) is not None:
                self._note(function.__name__, compat.expression_of(part), _NOT_TAKEN)
            if expr is not None and function is max and compat.takes_largest_for_smallest() and not _dropped() and not self._are_one(args):
                self._note("max", expr, "in torch's program it is the smallest; torch.sym_max is the largest")
            numbers = all(isinstance(value, (int, float, *self.numbers)) for value in args)
            if expr is not None and not kwargs and numbers and self._is_followed(args):
                torch = self.recorder.torch
                return functools.reduce(torch.sym_max if function is max else torch.sym_min, args)
            return function(*args, **kwargs)

        return chosen

    def _of_tensors(self, function: Any, values: tuple[Any, ...]) -> Any:
        """The larger of two of which one is a tensor of one number: torch.export makes an operator of that; nothing where it does not."""
        torch = self.recorder.torch
        tensors = [value for value in values if isinstance(value, torch.Tensor)]
        others = [value for value in values if type(value) in (int, float)]
        if len(values) != 2 or not tensors or len(tensors) + len(others) < 2 or any(tensor.numel() != 1 for tensor in tensors):
            return None
        if others:
            return tensors[0].clamp(**{"min" if function is max else "max": others[0]})
        return (torch.maximum if function is max else torch.minimum)(*tensors)

    def _are_one(self, values: Iterable[Any]) -> bool:
        """Whether all of these are one number where no size changes: the largest is the smallest then."""
        env = self.recorder.env
        if not self.recorder.traced.is_on:
            return False
        numbers = [compat.number_in_example(env, compat.expression_of(value)) if self._is_symbol(value) else value for value in values]
        return all(number == numbers[0] for number in numbers)

    def _is_followed(self, values: Iterable[Any]) -> bool:
        """Whether torch.export makes a symbol of the largest of these."""
        exprs = [compat.expression_of(value) for value in values if self._is_symbol(value)]
        of_sizes = all(self.recorder.sizes.are_sizes(expr) for expr in exprs)
        return compat.follows_choice() if of_sizes else compat.follows_choice_of_data()

    def _divmod(self, one: Any, other: Any, /) -> Any:
        """`divmod(n, 2)`, which symbols do not have."""
        if (symbol := next((value for value in (one, other) if self._is_symbol(value)), None)) is None:
            return divmod(one, other)
        self._note("divmod", compat.expression_of(symbol), _NOT_TAKEN)
        return one // other, one % other

    def _sorted(self, values: Any, /, **kwargs: Any) -> list[Any]:
        values = list(values)
        for value in values:
            if self._is_symbol(value):
                self._note("sorted", compat.expression_of(value), _NOT_TAKEN)
        return sorted(values, **kwargs)

    def _stand_in_sum(self, inherited: Any) -> Any:
        @functools.wraps(inherited)
        def total(values: Any) -> Any:
            return self._sum(values) if is_users(sys._getframe(1).f_code.co_filename) else inherited(values)

        return total

    def _sum(self, values: Any, /, *start: Any, **named: Any) -> Any:
        """`sum([n, 4])`: of whole numbers in a list or a tuple torch makes an operator of its own."""
        if isinstance(values, (list, tuple)) and not start and not named and all(
                isinstance(value, (int, self.recorder.torch.SymInt)) for value in values):
            if (symbol := next((value for value in values if self._is_symbol(value)), None)) is not None and not _dropped():
                self._note("sum", compat.expression_of(symbol), _NOT_SAVED)
        return sum(values, *start, **named)


def _dropped() -> bool:
    """Whether user code makes nothing of what it calls for."""
    frame = caller()
    return frame is not None and is_dropped(frame)


def _stand_in(real: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` under the name of `real`."""

    @functools.wraps(real)
    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return called
