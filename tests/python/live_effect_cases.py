"""As live_cases.py: modules whose branches do more than compute, on Python's own state and on the host.

Each stands beside a near miss that torch.export takes.
"""

import array
import collections
import contextlib
import contextvars
import datetime
import itertools
import math
import os
import pathlib
import queue
import random
import secrets
import sys
import threading
import time
import types
import uuid
import weakref

import torch

from live_cases import of


def iterator_of_list():
    scales = iter([1.0, 2.0, 3.0])

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * next(scales), lambda x: x * 2, (x,))  # expect: error global-mutation

    return of(forward)


def iterators_of_iterators():
    pairs, turned, counted = zip([1.0, 2.0], [3.0, 4.0]), map(float, (1, 2)), enumerate([1.0, 2.0])
    numbers, cycle = itertools.count(), itertools.cycle([1.0, 2.0])

    def forward(self, x):
        def left(x):
            a, b = next(pairs)  # expect: error global-mutation
            x = x * a + b
            x = x * next(turned)  # expect: error global-mutation
            x = x * next(counted)[1]  # expect: error global-mutation
            x = x * next(numbers)  # expect: error global-mutation
            return x * next(cycle)  # expect: error global-mutation

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def generator_of_the_module():
    def steps():
        n = 0.0
        while True:
            n += 1
            yield n

    def forward(self, x):
        def left(x):
            y = x + 1
            return y * next(self.steps)  # expect: error global-mutation

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward, steps=steps())


def generator_used_up_by_a_loop():
    def forward(self, x):
        factors = (float(n) for n in range(3))

        def left(x):
            for factor in factors:  # expect: error global-mutation
                x = x + factor
            return x * 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def iterators_within_are_fine():
    values = [1.0, 2.0]

    def forward(self, x):
        def left(x):
            numbers = itertools.count()
            for a, b in zip(iter(values), (v * 2 for v in values)):
                x = x * a + b + next(numbers)
            return x

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def iterator_read_outside_is_fine():
    scales = iter([1.0, 2.0, 3.0])

    def forward(self, x):
        scale = next(scales)
        return torch.cond(x.sum() > 0, lambda x: x * scale, lambda x: x * 2, (x,))

    return of(forward)


def clock():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * time.time(), lambda x: x * 2, (x,))  # expect: error side-effect

    return of(forward)


def clock_by_helpers():
    from time import perf_counter

    def stamp():
        return datetime.datetime.now().second + perf_counter()  # expect: error side-effect

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * stamp(), lambda x: x * 2, (x,))

    return of(forward)


def questions_to_the_system():
    def forward(self, x):
        def left(x):
            x = x * (uuid.uuid4().int % 7)  # expect: error side-effect
            x = x + secrets.randbelow(7)  # expect: error side-effect
            x = x + len(os.listdir("."))  # expect: error side-effect
            if pathlib.Path("scale.txt").exists():  # expect: error side-effect
                x = x + 1
            return x + threading.get_ident()  # expect: error side-effect

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def threads_of_torch():
    def forward(self, x):
        def left(x):
            torch.set_num_threads(torch.get_num_threads())  # expect: error side-effect
            return x + 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def host_that_is_traced_is_fine():
    folder = pathlib.Path("models")

    def forward(self, x):
        def left(x):
            name = os.path.join("a", os.fspath("b"))
            return x * len(name) * math.sqrt(2.0) * float(os.environ.get("NO_SUCH_SCALE", "2"))

        return torch.cond(x.sum() > 0, left, lambda x: x * (2 if sys.platform else 3), (x,))

    return of(forward, folder=folder)


def clock_outside_is_fine():
    def forward(self, x):
        now = time.time()
        return torch.cond(x.sum() > 0, lambda x: x * now, lambda x: x * 2, (x,))

    return of(forward)


def attributes_of_tensors():
    def forward(self, x):
        y = x * 2

        def left(x):
            x.mark = 1  # expect: error global-mutation
            y.seen = True  # expect: error global-mutation
            self.linear.weight.frozen = True  # expect: error global-mutation
            return x + y

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def attributes_of_own_tensors_are_fine():
    def forward(self, x):
        scaled = x * 2
        scaled.scale = 3.0

        def left(x):
            y = x * 2
            y.mark = 1
            y.requires_grad_(True)
            return y * getattr(x, "missing", 2.0) * scaled.scale

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def gradients_switched_and_set():
    def forward(self, x):
        def left(x):
            self.linear.bias.requires_grad_(False)  # expect: error global-mutation
            return x + 1

        def right(x):
            self.linear.weight.grad = torch.zeros(4, 4)  # expect: error global-mutation
            return x + 1

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def written_with_a_gradient():
    def forward(self, x):
        x = x + 0

        def left(x):
            return x.sub_(self.linear(x)) * 1.0  # expect: error input-mutation

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def data_of_weights():
    def forward(self, x):
        def left(x):
            self.linear.weight.data.mul_(0.5)  # expect: error capture-mutation
            return x + 1

        def right(x):
            self.linear.bias.data = self.linear.bias * 2  # expect: error global-mutation
            return x + 1

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def catches_errors_of_operators():
    def forward(self, x):
        def left(x):
            try:
                return x @ torch.ones(5, 4)  # expect: error side-effect
            except RuntimeError:
                return x * 2

        def right(x):
            with contextlib.suppress(IndexError):
                x = x[0, 0, 0]  # expect: error side-effect
            with contextlib.suppress(IndexError):
                x = torch.cat([x, x], dim=5)  # expect: error side-effect
            return x * 3

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def handlers_that_torch_follows_are_fine():
    def refuse(x):
        if x.dim() == 2:
            raise ValueError("two")
        return x

    def forward(self, x):
        def left(x):
            try:
                refuse(x)
            except ValueError:
                x = x * 2
            try:
                return x * {"a": 1}["b"] + self.missing
            except (KeyError, AttributeError):
                return x * 2

        def right(x):
            try:
                y = x * 3
            finally:
                x = x + 1
            with contextlib.suppress(ValueError):
                y = y * int("x")
            return y + x

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def generators_of_random_numbers():
    numpy = sys.modules["numpy"]
    python, array_of, seeded = random.Random(3), numpy.random.default_rng(3), numpy.random.RandomState(3)
    of_torch = torch.Generator().manual_seed(3)

    def forward(self, x):
        def left(x):
            x = x * python.random()  # expect: error global-mutation
            x = x * float(array_of.random())  # expect: error global-mutation
            x = x * float(seeded.rand())  # expect: error global-mutation
            return x + torch.randn(4, generator=of_torch)  # expect: error side-effect; note random-in-branch

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def rarer_containers():
    numbers, view, order = array.array("d", [1.0]), memoryview(bytearray(b"ab")), collections.OrderedDict(a=1, b=2)
    counts, window = collections.Counter(), collections.deque([1, 2, 3])

    def forward(self, x):
        def left(x):
            numbers[0] += 1  # expect: error global-mutation
            view[0] = 1  # expect: error global-mutation
            order.move_to_end("a")  # expect: error global-mutation
            counts.update("ab")  # expect: error global-mutation
            window.rotate(1)  # expect: error global-mutation
            return x + 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def state_of_threads_and_weak_tables():
    waiting, chosen, own = queue.SimpleQueue(), contextvars.ContextVar("chosen"), threading.local()
    marks = weakref.WeakKeyDictionary()

    def forward(self, x):
        def left(x):
            waiting.put(1)  # expect: error side-effect
            chosen.set(1)  # expect: error side-effect
            own.calls = 1  # expect: error global-mutation
            marks[self] = 1  # expect: error global-mutation
            return x + 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def class_that_gets_an_attribute():
    class Settings:
        scale = 2.0

    def forward(self, x):
        def left(x):
            Settings.used = True  # expect: error global-mutation
            return x * Settings.scale

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def descriptors_and_deletions():
    class Kept:
        def __set_name__(self, owner, name):
            self.key = "_" + name

        def __get__(self, instance, owner=None):
            return getattr(instance, self.key, 0)

        def __set__(self, instance, value):
            setattr(instance, self.key, value)  # expect: error global-mutation

    class Holder:
        value = Kept()

    holder, table = Holder(), {"a": 1, "b": 2}

    def forward(self, x):
        def left(x):
            holder.value = 3
            del table["a"]  # expect: error global-mutation
            del self.spare  # expect: error global-mutation
            return x + 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward, spare=1)


def sorted_in_place():
    order = [3, 1, 2]

    def forward(self, x):
        def left(x):
            order.sort()  # expect: error global-mutation
            return x + order[0]

        return torch.cond(x.sum() > 0, left, lambda x: x + sorted(order)[0], (x,))

    return of(forward)


def own_containers_are_fine():
    def forward(self, x):
        def left(x):
            order, counts = collections.OrderedDict(a=1, b=2), collections.Counter()
            order.move_to_end("a")
            counts["a"] += 1
            numbers = [3, 1, 2]
            numbers.sort()
            state = types.SimpleNamespace
            return x + numbers[0] + counts["a"] + len(order) + (1 if state else 0)

        return torch.cond(x.sum() > 0, left, lambda x: x * float("2"), (x,))

    return of(forward)
