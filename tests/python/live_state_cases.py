"""As live_cases.py: modules whose branches write what outlives them: tensors that they are given or hold, and Python's own state."""

import collections
import dataclasses
import enum
import os
import random
import sys
from random import randint

import torch
from torch import nn

from live_cases import BATCH, X, of

COUNTS = {"calls": 0}
TOTAL = 0

def write_by_index():
    def forward(self, x):
        x = x + 0

        def first(x):
            x[:, 0] = x[:, 1]  # expect: error input-mutation
            return x * 2

        return torch.cond(x.sum() > 0, first, lambda x: x * 2, (x,))

    return of(forward)


def write_through_helper_and_view():
    def fill(rows):
        rows.zero_()  # expect: error input-mutation

    def forward(self, x):
        x = x + 0

        def first(x):
            fill(x.view(-1)[:2])
            return x * 2

        return torch.cond(x.sum() > 0, first, lambda x: x * 2, (x,))

    return of(forward)


def write_to_buffer():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("steps", torch.zeros(()))

        def count(self, x):
            self.steps.add_(1)  # expect: error capture-mutation
            return x * self.steps

        def forward(self, x):
            return torch.cond(x.sum() > 0, self.count, lambda x: x * 2, (x,))

    return Module(), (X,), {}, {"x": {0: BATCH}}


def write_to_plain_tensor():
    table = torch.zeros(4)

    def forward(self, x):
        def store(x):
            table.copy_(x.mean(0))  # expect: error capture-mutation
            return x + table

        return torch.cond(x.sum() > 0, store, lambda x: x * 2, (x,))

    return of(forward)


def write_to_parameter_with_grad():
    def forward(self, x):
        def step(x):
            self.linear.weight.mul_(0.9)  # expect: error capture-mutation
            return self.linear(x)

        return torch.cond(x.sum() > 0, step, lambda x: x * 2, (x,))

    return of(forward)


def attribute_set():
    class Module(nn.Module):
        def remember(self, x):
            self.last = x.mean()  # expect: error global-mutation
            return x * 2

        def forward(self, x):
            return torch.cond(x.sum() > 0, self.remember, lambda x: x * 3, (x,))

    return Module(), (X,), {}, {"x": {0: BATCH}}


def counter_incremented():
    class Module(nn.Module):
        calls = 0

        def remember(self, x):
            self.calls += 1  # expect: error global-mutation
            return x * 2

        def forward(self, x):
            return torch.cond(x.sum() > 0, self.remember, lambda x: x * 3, (x,))

    return Module(), (X,), {}, {"x": {0: BATCH}}


def class_attribute():
    class Module(nn.Module):
        calls = 0

        def remember(self, x):
            Module.calls += 1  # expect: error global-mutation
            return x * 2

        def forward(self, x):
            return torch.cond(x.sum() > 0, self.remember, lambda x: x * 3, (x,))

    return Module(), (X,), {}, {"x": {0: BATCH}}


def global_number():
    def forward(self, x):
        def count(x):
            global TOTAL
            TOTAL += 1  # expect: error global-mutation
            return x * 2

        return torch.cond(x.sum() > 0, count, lambda x: x * 3, (x,))

    return of(forward)


def global_dict_by_helper():
    def note(name):
        COUNTS[name] = COUNTS.get(name, 0) + 1  # expect: error global-mutation

    def forward(self, x):
        def count(x):
            note("calls")
            return x * 2

        return torch.cond(x.sum() > 0, count, lambda x: x * 3, (x,))

    return of(forward)


def set_and_deque():
    seen, window = set(), collections.deque(maxlen=3)

    def forward(self, x):
        def left(x):
            seen.add("left")  # expect: error global-mutation
            return x * 2

        def right(x):
            window.append(1)  # expect: error global-mutation
            return x * 3

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def two_writes():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.log, self.count = [], 0

        def noted(self, x):
            self.log.append(1)  # expect: error global-mutation
            y = x * 2
            self.count += 1  # expect: error global-mutation
            return y

        def forward(self, x):
            return torch.cond(x.sum() > 0, self.noted, lambda x: x * 3, (x,))

    return Module(), (X,), {}, {"x": {0: BATCH}}


def write_in_inner_branch():
    history = []

    def forward(self, x):
        def deep(x):
            history.append(1)  # expect: error global-mutation
            return x * 2

        def outer(x):
            return torch.cond(x.amax() > 1, deep, lambda x: x * 4, (x,))

        return torch.cond(x.sum() > 0, outer, lambda x: x * 3, (x,))

    return of(forward)


def local_state_is_fine():
    @dataclasses.dataclass
    class State:
        steps: int = 0

    def forward(self, x):
        def left(x):
            state, parts = State(), []
            for row in (x, x * 2):
                state.steps += 1
                parts.append(row)
            return torch.stack(parts).sum(0) * state.steps

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def outer_state_is_fine():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x * 3, (x,))

    return Module(), (X,), {}, {"x": {0: BATCH}}


def array_of_numpy_written():
    numpy = sys.modules["numpy"]
    counts = numpy.zeros(3)

    def forward(self, x):
        def left(x):
            counts[0] = 1  # expect: error global-mutation
            return x + 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def array_of_numpy_read():
    numpy = sys.modules["numpy"]
    scales = numpy.arange(4.0)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * float(scales[1]), lambda x: x * 2, (x,))

    return of(forward)


def hook_that_counts():
    seen = []

    def hook(module, inputs, output):
        seen.append(1)  # expect: error global-mutation

    def forward(self, x):
        return torch.cond(x.sum() > 0, self.linear, lambda x: x * 3, (x,))

    made = of(forward)
    made[0].linear.register_forward_hook(hook)
    return made


def state_of_the_process():
    def forward(self, x):
        def left(x):
            os.environ["CONDLINT_TEST"] = "1"  # expect: error global-mutation
            torch.manual_seed(3)  # expect: error global-mutation
            return x * random.random()  # expect: error global-mutation

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def seeded_anew():
    def forward(self, x):
        def left(x):
            torch.seed()  # expect: warning side-effect
            return x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def numbers_drawn():
    def forward(self, x):
        def left(x):
            x = x * random.randint(1, 3)  # expect: error global-mutation
            scale = random.uniform(0, 1)  # expect: error global-mutation
            return x * scale if scale > 2 else x

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def numbers_drawn_for_nothing_are_fine():
    def forward(self, x):
        def left(x):
            random.randint(1, 3)
            random.uniform(0, 1)
            unused = random.randrange(3)  # noqa: F841
            return x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def draw(high=3):
    return random.randint(1, high)


def numbers_drawn_by_name():
    def forward(self, x):
        def left(x):
            x = x * randint(1, 3)  # expect: error global-mutation
            return x * draw()  # expect@-7: error global-mutation

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def numbers_drawn_elsewhere_for_nothing_are_fine():
    def forward(self, x):
        def left(x):
            randint(1, 3)
            draw()
            unused = draw()  # noqa: F841
            sys.modules["numpy"].random.shuffle(sys.modules["numpy"].arange(3))
            return x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def numpy_seeded():
    def forward(self, x):
        def left(x):
            sys.modules["numpy"].random.seed(0)  # expect: warning side-effect
            return x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def state_of_generator_asked():
    def forward(self, x):
        def left(x):
            state = sys.modules["numpy"].random.get_state()  # expect: error side-effect
            return x if state is None else x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def arrays_drawn_are_fine():
    numpy = sys.modules["numpy"]

    def forward(self, x):
        def left(x):
            numpy.random.randn(3)
            x = x + torch.as_tensor(numpy.random.randn(4)).float()
            return x + torch.as_tensor(numpy.random.randint(0, 3, 4)) * torch.from_numpy(numpy.random.normal(size=4)).float()

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def number_drawn_by_numpy():
    numpy = sys.modules["numpy"]

    def forward(self, x):
        def left(x):
            numpy.random.randn()  # expect: error global-mutation
            return x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def flags_combined_are_fine():
    class Part(enum.Flag):
        ROWS = 1
        COLUMNS = 2

    def forward(self, x):
        def left(x):
            return x * 2 if Part.ROWS in (Part.ROWS | Part.COLUMNS) else x

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)
