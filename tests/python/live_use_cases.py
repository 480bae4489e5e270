"""As live_size_cases.py: numbers of numpy, texts of several values, dicts, and what nothing is made of."""

import itertools

import numpy as np
import torch
import torch.nn.functional as F

from live_size_cases import TABLE, branch


# Numbers of numpy that operators are given.


def numbers_of_numpy_given():
    def true(x, n):
        y = x.clamp(np.float32(0.1))  # expect: error side-effect
        y = torch.clamp(y, max=np.float64(0.9))  # expect: error side-effect
        step = 2 * np.float32(0.1)
        y = y.add(step) * step  # expect: error side-effect
        return y * torch.tensor(np.float32(2))  # expect: error side-effect

    return branch(true)


def numbers_of_numpy_that_stay_numbers():
    def true(x, n):
        y = F.leaky_relu(x, np.float32(0.1)).roll(np.int64(1), 0)
        y = torch.add(y, y, alpha=np.float32(2)) + x.new_full((4,), np.float32(2))
        return y + torch.ones(4, np.int64(1)).t() + x.clamp(min=TABLE[0])

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
