"""As live_cases.py: modules whose branches enter contexts that functions hand back or that are held, and ask numbers of tensors for their truth."""

import contextlib
import threading

import torch

from live_cases import BATCH, of

LOCK = threading.Lock()
GRADIENTS = torch.no_grad()
QUIET = contextlib.suppress(ValueError)


class Mode:
    def __enter__(self):
        return 2.0

    def __exit__(self, *error):
        return False


class Modes:
    def __init__(self):
        self.held = torch.no_grad()

    def new(self):
        return torch.no_grad()

    @contextlib.contextmanager
    def scaled(self):
        with torch.no_grad():
            yield 3.0


MODE, MODES = Mode(), Modes()


def entered_by(made=None):
    return torch.device("cpu") if made is None else made()


def found(held):
    return held


def within(left):
    def forward(self, x):
        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    module, args, kwargs, _ = of(forward)
    return module, args, kwargs, {"x": {0: BATCH}}


def entered_as_handed_back():
    def left(x):
        with entered_by():  # expect: error side-effect
            x = x + 1
        with found(LOCK):  # expect: error side-effect
            x = x * 2
        with entered_by() if x.dim() == 2 else entered_by(torch.no_grad):  # expect: error side-effect
            x = x * 2
        with entered_by(lambda: contextlib.redirect_stdout(None)):  # expect: error side-effect
            return x + 1

    return within(left)


def entered_as_handed_back_is_fine():
    def left(x):
        with entered_by(torch.no_grad), MODES.scaled() as scale:
            x = x * scale
        with MODES.new(), contextlib.nullcontext():
            x = x + 1
        mode, modes = entered_by(torch.no_grad), Modes()
        with mode, modes.held, Mode() as scale:
            return x * scale

    return within(left)


def entered_and_held_of_torch():
    def left(x):
        with GRADIENTS:  # expect: error side-effect
            x = x + 1
        with MODES.held:  # expect: error side-effect
            x = x + 1
        with found(GRADIENTS):  # expect: error side-effect
            return x * 2

    return within(left)


def entered_and_held_of_python():
    def left(x):
        with QUIET:  # expect: error side-effect
            x = x + 1
        with MODE as scale:  # expect: error side-effect
            return x * scale

    return within(left)


def truth_of_floating_number():
    def left(x):
        if x.sum().item():  # expect: error host-sync
            x = x + 1
        known = not x.mean().item()  # expect: error host-sync
        return x if known else x * 2

    return within(left)


def truth_of_floating_number_for_nothing_is_fine():
    def left(x):
        return x * x.sum().item() + x.mean().item() / 2

    return within(left)


def real_part_of_operand():
    def left(x):
        y = x * 2
        z = x.real * 2 + y.real  # expect: error side-effect
        return z + getattr(x, "real")  # expect: error side-effect

    return within(left)


def real_part_of_result_is_fine():
    def left(x):
        y = x * 2
        unused = x.real  # noqa: F841
        return y.real * 2

    return within(left)


def real_part_of_captured():
    def forward(self, x):
        held = x * 2

        def left(x):
            y = held.real + held  # expect: error side-effect
            return x * self.linear.weight.real.sum() + y

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def real_part_of_captured_alone_is_fine():
    def forward(self, x):
        held = x * 2

        def left(x):
            y = held.real
            return x * (y + y)

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)
