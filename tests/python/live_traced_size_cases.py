"""As live_cases.py: what a branch makes of sizes none of which is to change: torch.export takes them for symbols while it traces the branch.

Each was tried with torch.export 2.13 and 2.14: what stands without an expectation is exported, saved, and computes the same.
"""

import logging
import math

import numpy as np
import torch

from live_cases import of

FIXED = {"x": None}


def branch(true, **attributes):
    """A conditional whose first branch works on three rows of four."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: true(x, x.shape[0]), lambda x: x * 1.0, (x,))

    return of(forward, FIXED, **attributes)


def fixed_size_as_text():
    def true(x, n):
        text = str(n)  # expect: error side-effect
        text = text + repr(n * 2)  # expect: error side-effect
        text = text + "%d rows" % n  # expect: error side-effect
        text = text + "%d rows" % (n,)  # expect: error side-effect
        text = text + "x".join(str(size) for size in x.shape)  # expect: error side-effect
        text = text + chr(n)  # expect: error side-effect
        text = text + ascii((x * 2).numel())  # expect: error side-effect
        return x if text is None else x * 2

    return branch(true)


def digits_of_fixed_size():
    def true(x, n):
        x = x * len(bin(n))  # expect: error side-effect
        return x * len(oct(n)) * 2 if x is None else x * len(hex((x * 2).numel()))  # expect: error side-effect

    return branch(true)


def fixed_size_printed():
    def true(x, n):
        print(n)  # expect: error side-effect
        print("rows", len(x) // 2)  # expect: error side-effect
        logging.info("%d rows", n)  # expect: error side-effect
        return x * 2

    return branch(true)


def text_of_what_is_no_symbol_is_fine():
    def true(x, n):
        "%d axes %s" % (x.dim(), x.dtype)
        str(x.dim()) + str(x.dtype) + str(torch.zeros(3, 4).shape[0])
        f"{n} rows"
        "{} rows".format(n)
        return x * len(f"{x.dim()}")

    return branch(true)


def text_of_weights_and_results_of_theirs_is_fine():
    def forward(self, x):
        def true(x):
            text = str(self.linear.weight.shape[0]) + str(self.linear(x).shape[1]) + str(self.linear.in_features)
            return x * len(text)

        return torch.cond(x.sum() > 0, true, lambda x: x * 1.0, (x,))

    return of(forward, FIXED)


def size_of_one_row_is_fine():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * len(str(x.shape[0])), lambda x: x * 1.0, (x,))

    return of(forward, FIXED, (torch.randn(1, 4),))


def size_beside_one_that_can_change_is_fine():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * len(str(x.shape[1])), lambda x: x * 1.0, (x,))

    return of(forward)


def fixed_size_of_captured():
    def forward(self, x):
        table = torch.ones(3, 4)

        def true(x):
            return x * len(str(table.shape[0]))  # expect: error side-effect

        return torch.cond(x.sum() > 0, true, lambda x: x * 1.0, (x,))

    return of(forward)


def fixed_size_in_nested():
    def forward(self, x):
        def true(x):
            return torch.cond(x.mean() > 0, lambda x: x * len(str(x.shape[0])), lambda x: x + 1, (x,))  # expect: error side-effect

        return torch.cond(x.sum() > 0, true, lambda x: x * 1.0, (x,))

    return of(forward, FIXED)


def functions_of_fixed_size():
    def true(x, n):
        x = x * sorted([n, 2])[0]  # expect: error side-effect
        x = x * sorted(x.shape)[0]  # expect: error side-effect
        x = x * divmod(n, 2)[0]  # expect: error side-effect
        x = x * math.gcd(n, 2)  # expect: error side-effect
        return x * abs(complex(n, 1))  # expect: error side-effect

    return branch(true)


def sorted_in_place():
    def true(x, n):
        sizes = list(x.shape)
        sizes.sort()  # expect: error side-effect
        return x * sizes[0]

    return branch(true)


def inverted_fixed_size():
    return branch(lambda x, n: x * ~n)  # expect: error side-effect


def mathematics_of_fixed_size_is_fine():
    def true(x, n):
        x = x * math.sqrt(n) * math.log(n) * math.ceil(n / 2) * round(n / 2) * abs(n - 5) * n ** -0.5
        x = x * sum(x.shape) * math.prod(x.shape) * min(n, 5) * min(x.shape) * int(n / 2) * float(n) * (n % 2)
        if n > 2 and x.shape == (3, 4) and all(size > 1 for size in x.shape):
            return x * {3: 2.0}[n] * [1, 2, 3, 4][n]
        return x

    return branch(true)


def largest_of_fixed_size():
    def true(x, n):
        x = x * max(n, 5)  # expect: error side-effect
        return x * max(x.shape)  # expect: error side-effect

    return branch(true)


def largest_that_is_the_smallest_is_fine():
    def true(x, n):
        max(n, 5)
        return x * max(n, 3) * max(1, n // 2) * torch.sym_max(n, 5) * x.max()

    return branch(true)


def product_by_numpy():
    def true(x, n):
        x = x * float(np.prod(x.shape))  # expect: error side-effect
        return x * int(np.array(x.shape).max())  # expect: error side-effect

    return branch(true)


def checked_with_a_message():
    def true(x, n):
        torch._check(n > 2, lambda: f"{n} rows")  # expect: error side-effect
        torch._check(n > 2, lambda: "too few")
        torch._check(n > 1)
        return x * 2

    return branch(true)
