"""Numbers that a branch draws of generators of the host, and seeds that it sets."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat
from ._record_places import here
from ._record_uses import is_unused

if TYPE_CHECKING:
    from ._record import Recorder


class Draws:
    """Watches the functions that draw and seed, as far as torch.export knows them; of others the state of their generator tells."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def patches(self) -> list[tuple[Any, str, Any]]:
        """Functions that are to be others for the time of a recording: module, name, function."""
        torch = self.recorder.torch
        found: list[tuple[Any, str, Any]] = [(owner, "seed", self._dropped(owner.seed, "torch.seed", 0)) for owner in (torch, torch.random)]
        found += [(owner, "manual_seed", self._seeded(owner.manual_seed)) for owner in (torch, torch.random)]
        if (generator := sys.modules.get("random")) is not None:
            found += [(generator, name, self._drawn(getattr(generator, name))) for name in compat.drawn_numbers()]
        if (generator := sys.modules.get("numpy.random")) is not None:
            found.append((generator, "seed", self._dropped(generator.seed, "numpy.random.seed", None)))
            found += [(generator, name, self._drawn_array(getattr(generator, name))) for name in ("normal", "randint", "randn", "shuffle")]
        return found

    def _dropped(self, inherited: Any, name: str, answer: Any) -> Any:
        """A function that seeds, which torch.export drops from a branch."""
        recorder = self.recorder

        @functools.wraps(inherited)
        def seed(*args: Any, **kwargs: Any) -> Any:
            if not recorder.in_branch(sys._getframe(1)):
                return inherited(*args, **kwargs)
            recorder.effect_once("other", f"{name}, which torch.export drops", here(recorder.until))
            return answer

        return seed

    def _seeded(self, inherited: Any) -> Any:
        """`torch.manual_seed(0)`: another seed is seen, the same one as before is not, and torch.export stops there all the same."""
        recorder = self.recorder

        @functools.wraps(inherited)
        def seeded(seed: Any) -> Any:
            if recorder.in_branch(sys._getframe(1)) and seed == recorder.torch.initial_seed():
                recorder.effect_once("call", "torch.manual_seed", here(recorder.until))
            return inherited(seed)

        return seeded

    def _drawn(self, inherited: Any) -> Any:
        """`random.randint(0, 3)`: torch.export passes over one of which nothing is made, and keeps the number of any other."""
        recorder = self.recorder

        @functools.wraps(inherited)
        def drawn(*args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            if not recorder.in_branch(frame):
                return inherited(*args, **kwargs)
            generator = sys.modules["random"]
            before, at = generator.getstate(), here(recorder.until)
            key = ("", 0, "draw") if at[0] is None else (at[0].path, at[0].line, "draw")
            if not recorder.silent and not is_unused(frame) and key not in recorder.scope.told:
                recorder.scope.told.add(key)
                words = f"the generator of random: torch.export draws {inherited.__name__}() once while it traces, and its program has that number in every run"
                recorder.write_state(words, "global", at=at)
            try:
                return inherited(*args, **kwargs)
            finally:
                generator.setstate(before)

        return drawn

    def _drawn_array(self, inherited: Any) -> Any:
        """`np.random.randn(4)`: of an array torch.export makes an operator of its own, and of a number none."""

        @functools.wraps(inherited)
        def drawn(*args: Any, **kwargs: Any) -> Any:
            numpy = sys.modules["numpy"]
            before = numpy.random.get_state() if self.recorder.in_branch(sys._getframe(1)) else None
            out = inherited(*args, **kwargs)
            if before is not None and (out is None or isinstance(out, numpy.ndarray)):
                numpy.random.set_state(before)
            return out

        return drawn
