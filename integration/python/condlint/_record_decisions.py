"""What the host decides while a module is recorded: on sizes that can change, and on tensors' values."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_graph import Stopped
from ._record_places import HERE, at_user, here, is_users, spelt, user_frame
from ._record_source import asserts, counts_elements, fails_otherwise, fills_array, is_followed, makes_symbol, running
from ._record_uses import is_tested, is_unused, is_unused_truth

if TYPE_CHECKING:
    from ._record import Recorder


class Decisions:
    """Answers where code asks for the value of a symbol, and notes what torch.export makes of the question.

    Attributes
    ----------
    asked : dict
        By place: how often a tensor's value decided there.
    number_at : tuple, optional
        Where user code last made a number of a symbol.
    lists_numbers : bool
        Whether an index is read that lists numbers, and no symbol: what is asked meanwhile makes none of its tensors.
    by_array : bool
        Whether an array of numpy is the index that is read: a tensor that is made meanwhile is no constant.
    is_tried : bool
        Whether an operator is tried with numbers that are not known: nobody answers for them.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.asked: dict[tuple[str, int], int] = {}
        self.number_at: tuple[int, int] | None = None
        self.lists_numbers = self.by_array = self.is_tried = False

    def decide(self, expr: Any, evaluate: Callable[[], Any]) -> Any:
        """Code asks for the value of a symbolic size or number."""
        recorder = self.recorder
        if self.is_tried:
            return evaluate()
        if not getattr(expr, "is_Boolean", False):
            if not recorder.silent and not self.lists_numbers:
                self.number_at = at_user(sys._getframe(1))
            user = user_frame(sys._getframe(1))
            told = recorder.host.symbols.asked(user, expr) or user is not None and (makes_symbol(user) or self._loses(user) or self._passes(user))
            if told and recorder.sizes.are_sizes(expr):
                return compat.number_in_example(recorder.env, expr)
        asked = compat.count_of_guards(recorder.env)
        try:
            answer = evaluate()
            if compat.count_of_guards(recorder.env) > asked and not recorder.silent:
                self._pinned(expr, answer)
            return answer
        except compat.data_dependent_errors():
            if self._asked_by_torch():
                raise
            import sympy

            is_truth = isinstance(expr, sympy.logic.boolalg.Boolean) and not isinstance(expr, sympy.Expr)
            if not is_truth and not expr.is_integer:
                # A floating number that mathematics of the host goes on with: torch follows it.
                return sympy.Float(1.0)
            answer = self.on_host("a decision" if is_truth else "a number")
            if is_truth:
                return sympy.true if answer else sympy.false
            return sympy.Integer(1 if answer else 2)

    def _passes(self, user: FrameType) -> bool:
        """Whether a branch takes as many of an iterator, of which it makes nothing: torch.export passes over that."""
        if self.recorder.scope.parent is None or itertools.islice not in running(user) or not is_unused(user):
            return False
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_back is not user:
            frame = frame.f_back
        return frame.f_code.co_name == "__index__"  # and not what a tensor is asked whose rows are taken

    def _loses(self, user: FrameType) -> bool:
        """Whether a branch makes a number here of what is a symbol for torch.export."""
        scope = self.recorder.scope
        if scope.parent is None:
            return False
        if counts_elements(user):
            scope.frozen = "counts the elements of a shape by 'numel()', which is a number here and a symbol for torch.export"
        elif fills_array(user):
            scope.frozen = "makes an array of numpy of a size that can change, which torch.export follows and condlint does not"
        else:
            return False
        return True

    def _pinned(self, expr: Any, answer: Any) -> None:
        """Code asked for what is not so for all sizes that `dynamic_shapes` admits: torch.export refuses that."""
        recorder = self.recorder
        if (found := recorder.sizes.pinned(expr, answer)) is None:
            return
        words, names = found
        place, calls = here(recorder.until)
        frame: FrameType | None = sys._getframe(1)
        callee = None
        while frame is not None and not is_users(frame.f_code.co_filename):
            if compat.asks_for_speed(frame.f_code):
                return
            callee, frame = callee if frame.f_code.co_filename.startswith(HERE) else frame, frame.f_back
        sizes = " and ".join(f"'{name}'" for name in names)
        asks_truth = callee is not None and callee.f_code.co_name == "__bool__"
        if recorder.scope.parent is not None and frame is not None and asks_truth and not is_tested(frame):
            return  # `x.shape == (3, 4)` by itself: torch.export makes a symbol of it
        if recorder.scope.frozen and not asks_truth and getattr(expr, "is_Boolean", False):
            recorder.scope.unknown = recorder.scope.frozen
            return
        if recorder.scope.parent is not None and frame is not None and callee is not None and fails_otherwise(frame, callee, expr, answer):
            return recorder.effect("throw", f"it needs {words}, and dynamic_shapes admits other sizes of {sizes}", (place, calls))
        # Not by an operator: of the pieces that `split` makes, of the layout of what it yields.
        by_python = callee is None or callee.f_code.co_name.startswith(("__bool__", "__float__", "__int__", "__index__", "__iter__", "_check"))
        followed = frame is not None and callee is not None and is_followed(frame, callee)
        if recorder.scope.parent is not None and callee is not None and not followed:
            return recorder.effect_once("size", f"{words}, and dynamic_shapes admits other sizes of {sizes}", (place, calls))
        if not followed:
            recorder.note(f"{spelt(place)}whether {words} is decided here by the sizes of the example: torch.export "
                      f"{'refuses' if by_python else 'may refuse'} a dynamic_shapes that admits others of {sizes}")

    def _asked_by_torch(self) -> bool:
        """Whether an operator of torch, and no line of user code, wants the value."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            path = frame.f_code.co_filename
            if path.endswith(("fake_tensor.py", "_ops.py", "fake_impls.py")):
                return True
            if is_users(path):
                return False
            frame = frame.f_back
        return False

    def on_host(self, what: str) -> bool:
        """A tensor's value decides how user code goes on: a break in a branch, the end outside of any."""
        recorder = self.recorder
        place, calls = here(recorder.until)
        if recorder.scope.parent is None and not recorder.silent:
            where = f"{place.path}:{place.line}" if place else "a place that is not known"
            recorder.note(
                f"{where}: the host decides on a tensor's value here, outside of any conditional: torch.export stops "
                "there; what comes after was not recorded"
            )
            raise Stopped
        if (user := user_frame(sys._getframe(1))) is not None and user.f_lineno in asserts(user.f_code.co_filename):
            return True  # an assertion in a branch, of which torch.export makes an operator
        if what in ("a decision", "aten::is_nonzero") and recorder.scope.parent is not None and user is not None and is_unused_truth(user):
            return False
        key = (place.path, place.line) if place else ("", 0)
        asked = self.asked.get(key, 0)
        self.asked[key] = asked + 1
        if asked > 1000:
            raise Stopped
        if not asked:
            recorder.node("cxx.host_read", [{"name": "what", "string": what}], wanted="host_read", at=(place, calls))
        recorder.decided = True
        # First the way into the body; a loop ends at the second question.
        return asked % 2 == 0
