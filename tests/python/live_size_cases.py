"""As live_cases.py: what a branch makes of sizes that can change, and of other symbols.

Each was tried with torch.export 2.13: what stands without an expectation is exported, saved, and right for other sizes.
"""

import copy
import math
import operator

import numpy as np
import torch
import torch.nn.functional as F
from torch.export import Dim

from live_cases import of


def branch(true, size=None):
    """A conditional whose first branch works on rows of which there may be any number."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: true(x, x.shape[0]), lambda x: x * 1.0, (x,))

    return of(forward, {"x": {0: size or Dim("n")}})


# Operators that go by a size.


def rows_one_by_one():
    return branch(lambda x, n: x.unbind(0)[0] + x)  # expect: error side-effect


def pieces_of_two_rows():
    return branch(lambda x, n: x.split(2)[0].sum() + x)  # expect: error side-effect


def two_pieces():
    return branch(lambda x, n: torch.chunk(x, 2)[0].sum() + x)  # expect: error side-effect


def pieces_of_fixed_size():
    return branch(lambda x, n: x.unbind(1)[0].sum() + x.split(2, 1)[0].sum() + x)


def part_that_may_be_one_row():
    def true(x, n):
        y = x[1:].sum()  # expect: error side-effect
        return y + x.narrow(0, 0, n // 2).sum() + x  # expect: error side-effect

    return branch(true)


def part_of_enough_rows():
    return branch(lambda x, n: x[1:].sum() + x[:-1].sum() + x, Dim("n", min=3, max=9))


def row_that_may_not_be_there():
    return branch(lambda x, n: x + x[2])  # expect: error side-effect


def row_that_is_there():
    return branch(lambda x, n: x + x[0] + x[-1], Dim("n", min=3, max=9))


def view_that_must_divide():
    return branch(lambda x, n: x.view(2, -1).sum() + x)  # expect: error side-effect


def pieces_of_size_left_to_torch():
    return branch(lambda x, n: x.unbind(0)[0] + x.split(2)[0].sum() + x, Dim.AUTO)


def operators_of_any_size():
    def true(x, n):
        weights = (x @ x.t()).softmax(-1)
        heads = x.view(n, 2, 2).transpose(0, 1).softmax(-1).transpose(0, 1).reshape(n, 4)
        rows = torch.arange(n)[:, None] + torch.zeros(n, 4) + x.cumsum(0) + F.layer_norm(x, (4,)) + x.topk(1, 0)[0]
        return weights @ x + heads + rows + torch.cat([x, x]).sum() + x.flip(0) + x.sum(0).expand(n, 4)

    return branch(true)


# Text.


def size_as_text():
    def true(x, n):
        name = str(n)  # expect: error side-effect
        name = name + repr(n * 2)  # expect: error side-effect
        name = name + format(n)  # expect: error side-effect
        name = name + str(x.shape)  # expect: error side-effect
        name = name + "%d rows" % n  # expect: error side-effect
        name = name + "%d rows" % (n,)  # expect: error side-effect
        name = name + chr(n)  # expect: error side-effect
        return x * 2

    return branch(true, Dim.AUTO)


def size_in_parts_of_text():
    def true(x, n):
        f"{n}"
        "{} rows".format(n)
        str(x.shape[1]) + str(x.dim())
        return x * 2

    return branch(true)


def text_as_key():
    return branch(lambda x, n: x * {f"{n}": 1.0}.get("3", 2.0))  # expect: error side-effect


def text_that_is_printed():
    def true(x, n):
        print(f"{n} rows")  # expect: error side-effect
        return x * 2

    return branch(true)


def text_that_is_compared():
    def true(x, n):
        name = f"{n}"  # expect: error side-effect
        return x * 2 if name == "3" else x * 3

    return branch(true)


def text_within_text():
    def true(x, n):
        name = f"{n > 3}"  # expect: error side-effect
        longer = f"{name} rows"
        return x * 2

    return branch(true)


def text_that_is_joined():
    def true(x, n):
        name = ", ".join(f"{k}" for k in x.shape)  # expect: error side-effect
        return x * 2

    return branch(true)


def text_as_name():
    return branch(lambda x, n: x * getattr(x, f"part_{n / 2:.1f}", 2.0))  # expect: error side-effect


def text_that_is_read_left_to_torch():
    return branch(lambda x, n: x * {"3": 1.5}.get(f"{n}", 2.5), Dim.AUTO)


def text_that_is_kept():
    def true(x, n):
        kept = [f"{n}"]
        kept.append(f"{n / 2}")
        by_name = {"rows": f"{n}"}
        if x.shape[1] > 9:
            raise ValueError(f"{n} rows")
        assert x.shape[1] == 4, f"{n} rows"
        return x * len(kept)

    return branch(true)


def text_of_container_of_sizes():
    def true(x, n):
        name = "%s" % (x.shape,)  # expect: error side-effect
        name = "%s of %s" % (4, (n, 2))  # expect: error side-effect
        name = f"{x.shape!s}"  # expect: error side-effect
        name = "{}".format(n) == "3"  # expect: error side-effect
        name = str(n > 2)  # expect: error side-effect
        "%s" % (n,)
        return x * 2

    return branch(true, Dim.AUTO)


def number_of_tensor_in_text_that_is_read():
    def forward(self, x):
        def left(x):
            print(f"{x.argmax().item()}")  # expect: warning side-effect
            return x * len(f"{x.mean().item()}")  # expect: error host-sync

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


# Comparisons of which torch.export makes symbols, as long as nothing goes by them.


def comparison_that_is_a_value():
    def true(x, n):
        same = x.shape == (3, 4)
        known = [n in (3, 4), (n, 2) == (3, 2)]
        bool(n > 3)
        return x * same + len(known)

    return branch(true)


def comparison_that_decides():
    def true(x, n):
        same = x.shape == (3, 4)  # expect: error side-effect
        if same:
            x = x + 1
        return x * 2

    return branch(true)


def membership_that_decides():
    return branch(lambda x, n: x * (2 if n in (3, 4) else 3))  # expect: error side-effect


def comparison_that_is_answered_at_once():
    def true(x, n):
        same = x.shape != (3, 4)  # expect: error side-effect
        return x * 2

    return branch(true)


def comparison_that_is_asserted():
    def true(x, n):
        assert x.size() != (5, 4)  # expect: error side-effect
        return x * 2

    return branch(true)


def nothing_comes_of_it():
    def true(x, n):
        most = max(n, 5)
        half = round(n / 2), math.floor(n / 2), abs(n - 4)
        all_of_them = sum([n, 4])
        mixed = n ^ 1
        math.sin(n)
        return x * 2

    return branch(true)


def size_in_message_of_check():
    def true(x, n):
        torch._check(n > 0, lambda: f"{n} rows")  # expect: error side-effect
        torch._check(n > 0, lambda: "no rows")
        return x * 2

    return branch(true)


def size_as_key():
    def true(x, n):
        return x * {3: 1.5}.get(n, 2.5)  # expect: error side-effect

    return branch(true)


def size_as_key_left_to_torch():
    return branch(lambda x, n: x * {3: 1.5}.get(n, 2.5), Dim.AUTO)


# Numbers.


def largest_of_size_and_number():
    def true(x, n):
        y = x + max(n, 5)  # expect: error side-effect
        y = y + max((5, n))  # expect: error side-effect
        y = y + max(*x.shape)  # expect: error side-effect
        return y + max(x.shape[1], 5) + min(n, 5) + torch.sym_max(n, 5)

    return branch(true)


def largest_of_number_of_tensor():
    def forward(self, x):
        def left(x):
            return x + max(x.sum().item(), 0.5)  # expect: error side-effect

        return torch.cond(x.mean() > 0, left, lambda x: x + 0.5, (x,))

    return of(forward)


def largest_of_a_comprehension():
    def true(x, n):
        m = max(m for m in (n, 5))  # expect: error side-effect
        return x + m

    return branch(true)


def largest_of_a_comprehension_for_nothing():
    def true(x, n):
        m = max(m for m in (n, 5))  # noqa: F841
        return x + 1

    return branch(true)


def largest_with_default():
    def true(x, n):
        unused = max([n, 5], default=0)  # noqa: F841
        x = x + max([], default=2) + max([3, 5], default=0) + max([2.5, -3.5], key=abs) + min([n, 5], default=0)
        return x + max([n, 5], default=0)  # expect: error side-effect

    return branch(true)


def largest_by_key():
    def true(x, n):
        return x + max([2.5, -3.5], key=abs) + max(2.5, 3.5)  # expect: error side-effect

    return branch(true)


def rounded():
    def true(x, n):
        y = x * round(n / 2)  # expect: error side-effect
        y = y * math.floor(n / 2)  # expect: error side-effect
        y = y * math.ceil(n / 2)  # expect: error side-effect
        y = y * abs(n - 4)  # expect: error side-effect
        return y * sum([n, 4])  # expect: error side-effect

    return branch(true, Dim.AUTO)


def numbers_that_export_follows():
    def true(x, n):
        y = x * (n // 2) * (n % 2 + 1) * int(n / 2) * math.trunc(n / 2) * float(n) / n**0.5 * math.sqrt(n / 2)
        y = y * len(x) * round(n) * round(2.5) * math.floor(2.5) * abs(-3) * sum([1, 2]) * sum(k for k in x.shape)
        return y + torch.tensor(n) + x.new_tensor([n]) + torch.full((), n)

    return branch(true)


def functions_of_size():
    def true(x, n):
        y = x * math.gcd(n, 4)  # expect: error side-effect
        y = y * math.sin(n)  # expect: error side-effect
        y = y * (n ^ 1)  # expect: error side-effect
        return y * sorted([n, 4])[0]  # expect: error side-effect

    return branch(true, Dim.AUTO)


def functions_that_export_does_not_take():
    def true(x, n):
        return x * max(x.shape, (2, 9))[1]  # expect: error side-effect

    return branch(true, Dim.AUTO)


def whole_number():
    return branch(lambda x, n: x * (n / 2).is_integer())  # expect: error side-effect


def functions_of_numpy():
    def true(x, n):
        return x * int(np.prod(x.shape[1:])) * int(np.prod(x.shape))  # expect: error side-effect

    return branch(true)


def functions_of_numpy_left_to_torch():
    def true(x, n):
        elements = np.prod(x.shape)
        return x * 2

    return branch(true, Dim.AUTO)


def elements_of_shape():
    return branch(lambda x, n: x * x.shape.numel() + x.numel())


def elements_of_shape_beside_others():
    return branch(lambda x, n: x + torch.arange(x.shape.numel()).reshape(x.shape))


def elements_of_shape_fix_nothing():
    def forward(self, x):
        x = torch.cond(x.sum() > 0, lambda x: x * x.shape.numel(), lambda x: x * 1.0, (x,))
        return torch.cond(x.sum() > 0, lambda x: x + x.unbind(0)[0], lambda x: x * 1.0, (x,))  # expect: error side-effect

    return of(forward, {"x": {0: Dim("n")}})


def arrays_of_numpy():
    def true(x, n):
        y = x + torch.from_numpy(np.zeros(n, dtype=np.float32))[:, None]
        return y * torch.from_numpy(np.ones((n, 4), dtype=np.float32))

    return branch(true)


TABLE = np.ones(4, dtype=np.float32)


def numbers_of_numpy():
    def true(x, n):
        y = x * np.float32(2)  # expect: error side-effect
        y = y * np.sqrt(2.0)  # expect: error side-effect
        y = y * float(np.sqrt(2.0))  # expect: error side-effect
        return y * TABLE.mean() * np.pi * np.mean(TABLE)

    return branch(true)


# Comparisons that become a tensor, and copies.


def truth_in_tensor():
    def true(x, n):
        y = x * torch.tensor(n > 2) + x.new_tensor([n > 2, True, False, n > 5])
        return torch.where(torch.tensor(n > 2), y, x)

    return branch(true)


def copied():
    def true(x, n):
        rows = copy.copy(n)
        copy.copy((1, 2))
        copy.copy([n])  # expect: error side-effect
        return x * rows

    return branch(true)


def absolute_of_negative():
    return branch(lambda x, n: x * abs(-n) + abs(2 * n))


def looked_for_by_function():
    def true(x, n):
        operator.contains([3, 4], n)
        bool(n > 2)
        return x * 2

    return branch(true)


# Texts that are handed on.


def show(text):
    return text


def letters_of(text):
    return len(text)


def letters_of_second(first, *, text):
    return letters_of(text)


def text_handed_to_function():
    def true(x, n):
        show(f"{n}")
        return x * letters_of(f"{n}")  # expect: error side-effect

    return branch(true)


def text_handed_on_twice():
    return branch(lambda x, n: x * letters_of_second(1, text=f"{n} rows"))  # expect: error side-effect


def text_of_assertion_of_a_tensor():
    def true(x, n):
        torch._assert((x > -100).all(), "rows")
        torch._assert((x > -100).all(), f"{n}")  # expect: error side-effect
        return x * 2

    return branch(true)


def text_of_assertion():
    def true(x, n):
        torch._assert(n > 0, f"{n}")
        torch._assert(True, f"{n}")  # expect: error side-effect
        return x * 2

    return branch(true)


def text_of_several_parts():
    def true(x, n):
        text = f"{n!r}"
        text = f"rows {n!r}"  # expect: error side-effect
        return x * 2

    return branch(true)


def text_of_several_parts_in_a_form():
    def true(x, n):
        text = f"{n / 2:.2f} rows"  # expect: error side-effect
        return x * 2

    return branch(true)


def text_in_a_form():
    def true(x, n):
        text = f"{n:d}"
        text = f"{n / 2:.2f}"
        text = f"{x.sum().item():.2f} rows"
        return x * 2

    return branch(true)


def text_in_set():
    def true(x, n):
        texts = {"{}".format(n)}
        return x * len(texts) * len({"{}".format(n): 1}) * len(frozenset(["{}".format(n)]))

    return branch(true)


def logarithm_of_size():
    return branch(lambda x, n: x * math.log(n))  # expect: error side-effect


def logarithm_of_size_left_to_torch():
    return branch(lambda x, n: x * math.log(n), Dim.AUTO)


# Assertions on tensors, of which torch.export makes operators.


def assertion_on_tensor():
    def true(x, n):
        assert (x > -9).all()
        assert x.argmax().item() >= 0
        return x * 2

    return branch(true)


def decision_on_tensor():
    def true(x, n):
        if (x > -9).all():  # expect: error host-sync
            x = x + 1
        return x * 2

    return branch(true)
