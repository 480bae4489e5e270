"""As live_cases.py: branches whose single statements torch.export refuses, though nothing of them is left behind.

Each stands beside a near miss that torch.export takes.
"""

import bisect
import builtins
import collections
import contextvars
import copy
import datetime
import decimal
import heapq
import io
import json
import locale
import logging
import math
import re
import struct
import sys
import threading
import types
import warnings
import zlib

import torch

from live_cases import of

TABLE = {"a": 1}
COUNT = 1


def containers_put_back():
    log, table, seen, window = [], {"a": 1}, set(), collections.deque()

    def forward(self, x):
        def left(x):
            log.append(1)  # expect: error global-mutation
            x = x * len(log)
            log.pop()  # expect: error global-mutation
            table["b"] = 2  # expect: error global-mutation
            del table["b"]  # expect: error global-mutation
            seen.add(1)  # expect: error global-mutation
            seen.discard(1)  # expect: error global-mutation
            window.append(1)  # expect: error global-mutation
            window.clear()  # expect: error global-mutation
            return x

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def containers_given_what_they_hold():
    order, numbers, known = [1, 2, 3], [1], {1}

    def forward(self, x):
        def left(x):
            TABLE["a"] = 1  # expect: error global-mutation
            self.table["a"] = 1  # expect: error global-mutation
            numbers[0] = 1  # expect: error global-mutation
            order.sort()  # expect: error global-mutation
            known.add(1)  # expect: error global-mutation
            self.table.update({})  # expect: error global-mutation
            return x * 1.5

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward, table={"a": 1})


def variable_of_outer_function_put_back():
    def forward(self, x):
        n = 1

        def left(x):
            nonlocal n
            n = 2  # expect: error global-mutation
            y = x * n * 1.5
            n = 1  # expect: error global-mutation
            return y

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


class Settings:
    """Has an attribute of its own."""

    scale = 1


def attributes_and_globals_put_back_are_fine():
    def forward(self, x):
        def left(x):
            global COUNT
            old, self.flag = self.flag, 2
            y = x * self.flag * 1.5
            self.flag = old
            COUNT, Settings.scale = 3, 2
            y = y * COUNT * Settings.scale
            COUNT, Settings.scale = 1, 1
            return y

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward, flag=1)


def methods_that_change_nothing_are_fine():
    numbers, table, known = [1], {"a": 1}, {1}

    def forward(self, x):
        def left(x):
            numbers.extend([])
            table.pop("missing", None)
            known.discard(5)
            known.update({1})
            own = [x]
            own.append(x * 2)
            own[0] = own[1]
            local = dict(table)
            local["b"] = table.setdefault("a", 3)
            return own.pop() * len(local) * 1.5

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def locks():
    lock, again, condition = threading.Lock(), threading.RLock(), threading.Condition()

    def forward(self, x):
        def left(x):
            with lock:  # expect: error side-effect
                x = x * 3
            with self.guard, again:  # expect: error side-effect
                x = x * 3
            return x

        def right(x):
            with condition:  # expect: error side-effect
                return x * 3

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward, guard=threading.Lock())


def lock_outside_is_fine():
    def forward(self, x):
        with self.guard:
            x = x * 3
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x * 3, (x,))

    return of(forward, guard=threading.Lock())


def filters_of_warnings():
    def forward(self, x):
        def left(x):
            warnings.simplefilter("ignore")  # expect: error side-effect
            return x * 3

        def right(x):
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore")  # expect: error side-effect
                return x * 2

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def warnings_caught_are_fine():
    def forward(self, x):
        def left(x):
            with warnings.catch_warnings():
                return x * 3

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def attributes_of_modules_of_python():
    def forward(self, x):
        def left(x):
            builtins.scale_of_gate = 3  # expect: error global-mutation
            math.of_gate = 3  # expect: error global-mutation
            sys.of_gate = 3  # expect: error global-mutation
            torch.of_gate = 3  # expect: error global-mutation
            return x * 3

        def right(x):
            torch.backends.cudnn.benchmark = not torch.backends.cudnn.benchmark  # expect: error global-mutation
            return x * 2

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def attributes_of_modules_read_are_fine():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * math.pi, lambda x: x * sys.maxsize * builtins.len(x.shape), (x,))

    return of(forward)


def sizes_beyond_their_number_caught():
    def forward(self, x):
        def left(x):
            try:
                n = x.shape[9]  # expect: error side-effect
            except IndexError:
                n = 2
            return x * n

        def right(x):
            try:
                n = x.size(9)  # expect: error side-effect
            except IndexError:
                n = 3
            return x * n

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def assertions_caught():
    def need(x):
        assert x.dim() == 3  # expect: error side-effect

    def forward(self, x):
        def left(x):
            try:
                need(x)
            except AssertionError:
                return x * 1.5
            return x * 2

        def right(x):
            try:
                assert x.dim() == 3, "wants three"  # expect: error side-effect
            except AssertionError:
                return x * 3
            return x * 2

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def errors_of_python_caught_are_fine():
    numbers, table = [1], {}

    def forward(self, x):
        assert x.dim() == 2

        def left(x):
            assert x.dim() == 2
            try:
                n = numbers[9] + table["a"]
            except LookupError:
                n = 2
            try:
                n += 1 / (x.dim() - 2)
            except ZeroDivisionError:
                n += 1
            try:
                a, b, c = x.shape
            except ValueError:
                a = 2
            return x * n * a

        def right(x):
            try:
                raise RuntimeError("no")
            except RuntimeError:
                x = x * next(iter([]), 4)
            try:
                raise AssertionError("no")
            except AssertionError:
                return x

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def objects_that_are_not_made():
    def forward(self, x):
        def left(x):
            x = x * datetime.date(2020, 1, 2).day  # expect: error side-effect
            x = x * datetime.timedelta(days=2).days  # expect: error side-effect
            x = x * float(decimal.Decimal("1.5"))  # expect: error side-effect
            return x * io.StringIO().write("a")  # expect: error side-effect

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def objects_made_outside_are_fine():
    day = datetime.date(2020, 1, 2)
    pattern = re.compile("a")

    def forward(self, x):
        def left(x):
            n = types.SimpleNamespace
            return x * day.day * (3 if pattern.match("abc") else 4) * len(struct.pack("i", 1)) * (1 if n else 2)

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def functions_in_c():
    chosen = contextvars.ContextVar("chosen", default=1)

    def forward(self, x):
        def left(x):
            x = x * chosen.get()  # expect: error side-effect
            x = x * bisect.bisect([1, 2, 3], 2)  # expect: error side-effect
            x = x * len(zlib.compress(b"abc"))  # expect: error side-effect
            heap = []
            heapq.heappush(heap, 3.0)  # expect: error side-effect
            return x * len(locale.localeconv())  # expect: error side-effect

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def functions_that_are_refused_whole():
    state, numpy = torch.get_rng_state(), sys.modules["numpy"]

    def forward(self, x):
        def left(x):
            torch.set_rng_state(state)  # expect: error side-effect
            torch.set_printoptions(precision=4)  # expect: error side-effect
            numpy.save(io.BytesIO(), numpy.ones(2))  # expect: error side-effect
            with torch.random.fork_rng():  # expect: error side-effect
                return x * len(json.dumps({"a": 1}))  # expect: error side-effect

        def right(x):
            return x * copy.copy([3.0])[0] * (torch.initial_seed() % 7)  # expect: error side-effect

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def copies_of_data_are_fine():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * copy.deepcopy([3.0])[0], lambda x: x * [2.0].copy()[0], (x,))

    return of(forward)


def printed_into_a_text():
    text = io.StringIO()

    def forward(self, x):
        def left(x):
            print("gate", file=text)  # expect: error side-effect
            return x * 3

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def logged_below_the_level():
    def forward(self, x):
        def left(x):
            logging.getLogger("gate").debug("left")  # expect: error side-effect
            return x * 3

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)
