"""As live_size_cases.py: numbers of numpy, texts of several values, dicts, and what nothing is made of."""

import contextlib
import functools
import itertools
import operator

import numpy as np
import torch
import torch.nn.functional as F

from live_cases import of
from live_size_cases import TABLE, branch

HELD_BYTES = bytearray(16)
FIRST, HALF = np.int64(0), np.float32(0.5)


# Numbers of numpy that operators are given.


def numbers_of_numpy_given():
    def true(x, n):
        y = x.clamp(np.float32(0.1))  # expect: error side-effect
        y = torch.clamp(y, max=np.float64(0.9))  # expect: error side-effect
        step = 2 * np.float32(0.1)  # expect: error side-effect
        y = y.add(step) * step
        return y * torch.tensor(np.float32(2))  # expect: error side-effect

    return branch(true)


def numbers_of_numpy_made():
    def true(x, n):
        y = F.leaky_relu(x, np.float32(0.1))  # expect: error side-effect
        y = y.roll(np.int64(1), 0)  # expect: error side-effect
        y = torch.add(y, y, alpha=np.float32(2))  # expect: error side-effect
        y = y.clamp(np.int64(0), 1)  # expect: error side-effect
        y = y[np.int64(0), ...] + y[[np.int64(0), ...]]  # expect: error side-effect
        y = y + x.tensor_split(np.int64(1))[0]  # expect: error side-effect
        for _ in range(np.int64(2)):  # expect: error side-effect
            y = y + int(np.int64(1))  # expect: error side-effect
        if np.int64(2) > 1:  # expect: error side-effect
            y = y + min(np.int64(2), 3)  # expect: error side-effect
        held = 2.0
        unused = np.array([held, 1.0])  # expect: error side-effect
        return y * [1.0, 2.0][np.int64(1)]  # expect: error side-effect

    return branch(true)


def numbers_of_numpy_of_sizes_and_tensors():
    def true(x, n):
        y = x * np.int64(x.shape[1])  # expect: error side-effect
        return y * np.float32(x.mean().item())  # expect: error side-effect

    return branch(true)


def numbers_of_numpy_not_made():
    def true(x, n):
        never = lambda: np.float32(2)
        y = x * (2.0 if x.shape[1] == 4 else np.float32(2)) + np.pi
        limits = np.finfo(np.float32).max > 1 and np.iinfo(np.int32).max > 1
        y = y.clamp(FIRST, 1).roll(FIRST, 0) + int(FIRST)
        return y + x.clamp(min=TABLE[0]) + torch.zeros(4, dtype=torch.float32) + limits + torch.tensor(HALF)

    return branch(true)


def dimension_by_held_number_of_numpy():
    def true(x, n):
        y = x.sum(FIRST)  # expect: error side-effect
        return x * y + torch.sum(x, dim=FIRST)  # expect: error side-effect

    return branch(true)


def numbers_in_index_beside_open_rows():
    return branch(lambda x, n: x[:, [0, 2]].sum() + x)  # expect: error side-effect


# Texts of several values, dicts, and what is asked of a size by its name.


def text_in_parts():
    def true(x, n):
        y = f"rows {n}"  # expect: error side-effect
        return x * 2

    return branch(true)


def text_beside_another():
    def true(x, n):
        y = f"{x.shape[1]:d}{n}"  # expect: error side-effect
        return x * 2

    return branch(true)


def text_in_parts_by_percent():
    def true(x, n):
        y = "%s rows" % (n,)  # expect: error side-effect
        return x * 2

    return branch(true)


def text_by_percent_of_number():
    def true(x, n):
        y = "%d of %s" % (4, n)  # expect: error side-effect
        return x * 2

    return branch(true)


def text_of_one_value():
    def true(x, n):
        y = [f"{n}", "%s" % (n,), "{} rows of {}".format(n, 4)]
        return x * len(y)

    return branch(true)


def dicts_compared():
    def true(x, n):
        {"a": n} == {"a": 3}  # expect: error side-effect
        return x * 2

    return branch(true)


def dicts_of_one_size_compared():
    def true(x, n):
        {"a": n} == {"a": n}
        {"a": n} == {"a": 3, "b": 2}
        return x * 2

    return branch(true)


def asked_by_name():
    def true(x, n):
        hasattr(n, "rows")  # expect: error side-effect
        getattr(n / 2, "rows", None)  # expect: error side-effect
        hasattr(x, "rows")
        return x * 2

    return branch(true)


def nothing_made_of_it():
    def true(x, n):
        rows = n.real
        first = list(itertools.islice([1, 2, 3, 4], n))
        same = x.data_ptr() == x.data_ptr()
        x.shape.__contains__(3)
        return x * x.shape.__eq__((3, 4))

    return branch(true)


def something_made_of_it():
    def true(x, n):
        for number in itertools.islice([1, 2, 3, 4], n):  # expect: error side-effect
            x = x + number
        return x

    return branch(true)


def class_made_in_branch():
    def true(x, n):
        class Pair:  # expect: error side-effect
            left = 2.0

        return x * Pair.left

    return branch(true)


def truths_of_tensors_for_nothing():
    def true(x, n):
        y = 1.0 in x
        y = [1.0 not in x, x.__contains__(2.0), operator.contains(x, 1.0)]
        y = bool(x.sum() > 0)
        1.0 in x
        return x + 1

    return branch(true)


def truth_of_tensor():
    def true(x, n):
        return x + (1.0 in x)  # expect: error host-sync

    return branch(true)


def truth_of_half_a_size():
    return branch(lambda x, n: x * operator.truth(n / 2))


def truth_of_comparison():
    return branch(lambda x, n: x * operator.truth(n > 2))  # expect: error side-effect


# What every object of Python answers, and tensors do not while torch.export traces.


def asked_as_an_object():
    def true(x, n):
        y = x.__dict__  # expect: error side-effect
        y = vars(x)  # expect: error side-effect
        y = x.__hash__()  # expect: error side-effect
        y = x.__sizeof__()  # expect: error side-effect
        y = x.__deepcopy__({})  # expect: error side-effect
        return x * 2

    return branch(true)


def asked_as_a_tensor():
    def true(x, n):
        y = {x: 1.0}[x] + hash(x) * 0 + (1.0 if type(x) is torch.Tensor else 2.0)
        return x * y * x.__add__(1) * x.__neg__() * x.__len__() + x.itemsize * x.element_size()

    return branch(true)


def memory_asked():
    def true(x, n):
        y = x.nbytes  # expect: error side-effect
        return x * (x.data_ptr() * 0)  # expect: error side-effect

    return branch(true)


def address_asked_for_its_truth():
    return branch(lambda x, n: x * (1 if x.data_ptr() else 2))  # expect: error side-effect


def address_for_nothing():
    def true(x, n):
        y = x.data_ptr()
        return x * 2

    return branch(true)


def bytes_as_tensor():
    return branch(lambda x, n: x + torch.frombuffer(HELD_BYTES, dtype=torch.float32))  # expect: error side-effect


# Functions that go by the type of what they are given, and contexts.


@functools.singledispatch
def doubled(value):
    return 2


@doubled.register
def _(value: torch.Tensor):
    return value * 2


def chosen_by_type():
    return branch(lambda x, n: doubled(x) * 1)  # expect: error side-effect


class Doubling:
    @functools.singledispatchmethod
    def times(self, value):
        return 2

    @times.register
    def _(self, value: torch.Tensor):
        return value * 2


def method_chosen_by_type():
    doubling = Doubling()
    return branch(lambda x, n: doubling.times(x) * 1)  # expect: error side-effect


def stack_of_contexts():
    def true(x, n):
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.no_grad())  # expect: error side-effect
            return x * 2

    return branch(true)


class Factor:
    def __enter__(self):
        return 2.0

    def __exit__(self, *error):
        return False


FACTOR = Factor()


def entered_from_outside():
    def true(x, n):
        with FACTOR as factor:  # expect: error side-effect
            return x * factor

    return branch(true)


def entered_where_it_is_made():
    def true(x, n):
        with Factor() as factor:
            return x * factor

    return branch(true)


# A tensor that the branch is given, and its transposed self.


def transposed_beside_itself():
    def true(x, n):
        y = x @ x.T @ x  # expect: error side-effect
        y = y + (x.mT * x.mT).sum()  # expect: error side-effect
        return y + getattr(x, "T").sum()  # expect: error side-effect

    return branch(true)


def transposed_is_fine():
    def true(x, n):
        y = x * 2
        return y + (y @ y.T).sum() + (x @ x.t()).sum() + (x @ x.transpose(0, 1)).sum()

    return branch(true)


def transposed_alone_is_fine():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x @ self.linear.weight.T, lambda x: x @ self.linear.weight, (x,))

    return of(forward)


def transposed_operand_alone():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.T.sum() + self.linear.weight, lambda x: self.linear.weight * 2, (x,))  # expect: error side-effect

    return of(forward)


def transposed_captured_alone_is_fine():
    def forward(self, x):
        held = x * 2
        return torch.cond(x.sum() > 0, lambda: held.T.sum() + self.linear.weight, lambda: self.linear.weight * 2)

    return of(forward)
