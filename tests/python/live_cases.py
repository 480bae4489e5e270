"""Modules with what condlint must find in them: `# expect: severity rule` on the line, as in the annotated C++ sources.

Each function makes a module, its inputs and its dynamic sizes; all that belongs to it stands within. Notes that are not
written are not compared.
"""

import collections
import logging
import math
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn

BATCH = torch.export.Dim("batch", min=2, max=64)
X = torch.randn(3, 4)


def of(forward, shapes=None, inputs=None, **attributes):
    """A module with that forward."""

    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(4, 4)
            for name, value in attributes.items():
                setattr(self, name, value)

    Module.forward = forward
    return Module().eval(), inputs or (X,), {}, shapes or {"x": {0: BATCH}}


def alias_detach():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.detach(), lambda x: x * 2, (x,))  # expect: error output-alias

    return of(forward)


def look_at_missing_key():
    def forward(self, x):
        scales = collections.defaultdict(int)
        return torch.cond(x.sum() > 0, lambda x: x * (scales["a"] + 1), lambda x: x * 2, (x,))

    return of(forward)


def write_to_default():
    def forward(self, x):
        seen = collections.defaultdict(list)

        def first(x):
            seen["a"].append(1)  # expect: error global-mutation
            return x + 1

        return torch.cond(x.sum() > 0, first, lambda x: x * 2, (x,))

    return of(forward)


def alias_contiguous():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.contiguous(), lambda x: x * 2, (x,))  # expect: error output-alias

    return of(forward)


def alias_of_same_dtype():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.to(torch.float32), lambda x: x * 2, (x,))  # expect: error output-alias

    return of(forward)


def converted_is_new():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.to(torch.float64), lambda x: x.double() * 2, (x,))

    return of(forward)


def alias_reshape_is_view():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.reshape(-1), lambda x: (x * 2).reshape(-1), (x,))  # expect: error output-alias

    return of(forward)


def reshape_that_copies():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.t().reshape(-1), lambda x: (x * 2).reshape(-1), (x,))

    return of(forward)


def alias_of_parameter():
    def forward(self, x):
        def weight(x):
            return self.linear.weight

        return torch.cond(x.sum() > 0, weight, lambda x: x[:1] * self.linear.weight, (x,))  # expect: error output-alias

    return of(forward)


def alias_of_captured():
    def forward(self, x):
        y = x * 2

        def given():
            return y

        return torch.cond(x.sum() > 0, given, lambda: y * 3)  # expect: error output-alias

    return of(forward)


def empty_operands():
    def forward(self, x):
        y = x * 2
        return torch.cond(x.sum() > 0, lambda: y + 1, lambda: y * 3)

    return of(forward)


def factories_in_branches():
    def forward(self, x):
        def zeros(x):
            y = torch.zeros(x.shape[0], 4)
            y.add_(1.0)
            y += torch.arange(4.0)
            return y

        def ones(x):
            y = torch.ones_like(x)
            y.copy_(x)
            y[:, 0] = y[:, 1]
            return y

        return torch.cond(x.sum() > 0, zeros, ones, (x,))

    return of(forward)


def prints_to_error_stream():
    def forward(self, x):
        def left(x):
            sys.stderr.write("left\n")  # expect: error side-effect
            return x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def logs():
    logger = logging.getLogger("live")

    def forward(self, x):
        def left(x):
            logger.warning("left")  # expect: error side-effect
            return x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def print_outside_is_fine():
    def forward(self, x):
        print("running")
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x * 3, (x,))

    return of(forward)


def raises_in_helper():
    def refuse(x):
        raise NotImplementedError("never")  # expect: error side-effect

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: refuse(x), lambda x: x * 3, (x,))

    return of(forward)


def both_raise():
    def forward(self, x):
        def left(x):
            raise ValueError("left")  # expect: error side-effect

        def right(x):
            raise ValueError("right")  # expect: error side-effect

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)


def sizes_do_not_fit():
    def forward(self, x):
        def left(x):
            return x @ torch.ones(5, 4)  # expect: error side-effect

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def catches_its_own():
    def forward(self, x):
        def left(x):
            try:
                raise KeyError("no")
            except KeyError:
                return x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def while_on_value():
    def forward(self, x):
        def left(x):
            while x.abs().amax() > 1:  # expect: error host-sync
                x = x * 0.5
            return x * 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def assert_on_value_is_fine():
    def forward(self, x):
        def left(x):
            assert (x > -100).all()
            return x * 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def python_max_of_three_tensors():
    def forward(self, x):
        def left(x):
            return x * max(x.mean(), x.std(), x.sum())  # expect: error host-sync

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def python_max_of_a_tensor_and_another_is_fine():
    def forward(self, x):
        def left(x):
            x = x * max(x.mean(), x.std()) * min([x.sum(), x.mean()])
            return x * min(max(x.sum(), 0.0), 1) * max(x.argmax(), 2)

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def range_over_value():
    def forward(self, x):
        def left(x):
            for _ in range(int(x.abs().mean())):  # expect: error host-sync
                x = x * 0.5
            return x * 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def size_decides_in_branch():
    def forward(self, x):
        def left(x):
            if x.shape[0] > 1 and x.dim() == 2:
                return x * 2
            return x * 4

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def predicate_float():
    def forward(self, x):
        return torch.cond(x.mean(), lambda x: x + 1, lambda x: x * 3, (x,))  # expect: error predicate-dtype

    return of(forward)


def predicate_vector():
    def forward(self, x):
        return torch.cond(x.sum(1) > 0, lambda x: x + 1, lambda x: x * 3, (x,))  # expect: error predicate-shape

    return of(forward)


def predicate_none():
    def forward(self, x):
        return torch.cond(None, lambda x: x + 1, lambda x: x * 3, (x,))  # expect: error predicate-kind

    return of(forward)


def predicate_static_size():
    def forward(self, x):
        return torch.cond(x.shape[1] > 2, lambda x: x + 1, lambda x: x * 3, (x,))  # expect: warning predicate-constant

    return of(forward)


def predicate_never_reached():
    def forward(self, x):
        return torch.cond(x.shape[0] > 100, lambda x: x + 1, lambda x: x * 3, (x,))  # expect: warning predicate-constant

    return of(forward)


def predicate_of_two_sizes():
    def forward(self, x):
        big = torch.sym_not(x.shape[0] < 8)
        return torch.cond(big, lambda x: x + 1, lambda x: x * 3, (x,))

    return of(forward)


def predicate_of_a_number_that_is_read():
    def forward(self, x):
        return torch.cond(x.sum().item() > 3, lambda x: x + 1, lambda x: x * 3, (x,))

    return of(forward)


def predicate_of_a_size_that_data_gives():
    def forward(self, x):
        return torch.cond(x.nonzero().shape[0] > 3, lambda x: x + 1, lambda x: x * 3, (x,))

    return of(forward)


def operand_not_in_tuple():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x * 3, x)  # expect: error operand-kind

    return of(forward)


def operand_float():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x, f: x + f, lambda x, f: x * f, (x, 0.5))  # expect: error operand-kind

    return of(forward)


def operand_count_of_module():
    def forward(self, x):
        return torch.cond(x.sum() > 0, self.linear, lambda x, y: x * y, (x, x + 1))  # expect: error operand-count

    return of(forward)


def operand_count_of_function():
    def forward(self, x):
        return torch.cond(x.sum() > 0, torch.relu, lambda x, y: x * y, (x, x + 1))  # expect: error operand-count

    return of(forward)


def branch_is_missing():
    def forward(self, x):
        return torch.cond(x.sum() > 0, None, lambda x: x * 3, (x,))  # expect: error branch-missing

    return of(forward)


def operand_views():
    def forward(self, x):
        y = x + 0
        return torch.cond(x.sum() > 0, torch.add, torch.sub, (y, y.flip(0)[:] if False else y.view(-1, 4)))  # expect: error operand-alias

    return of(forward)


def returns_numbers():
    def forward(self, x):
        y, n = torch.cond(x.sum() > 0, lambda x: (x + 1, 3), lambda x: (x * 3, 3), (x,))
        return y * n

    return of(forward)


def returns_float():
    def forward(self, x):
        y, n = torch.cond(x.sum() > 0, lambda x: (x + 1, 3.0), lambda x: (x * 3, 1.0), (x,))  # expect: error output-kind
        return y * n

    return of(forward)


def returns_size():
    def forward(self, x):
        y, n = torch.cond(x.sum() > 0, lambda x: (x + 1, x.shape[0]), lambda x: (x * 3, x.shape[0]), (x,))  # expect: error output-kind
        return y * n

    return of(forward)


def returns_none_twice():
    def forward(self, x):
        y, n = torch.cond(x.sum() > 0, lambda x: (x + 1, None), lambda x: (x * 3, None), (x,))  # expect: error output-kind
        return y

    return of(forward)


def integer_mean():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.argmax(1), lambda x: x.amax(1), (x,))  # expect: error output-dtype

    return of(forward)


def dtype_after_broken():
    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda x: x.half(), lambda x: x * 3, (x,))  # expect: error output-dtype
        y = y * 2
        return torch.cond(y.sum() > 0, lambda y: y + 1, lambda y: y * 3, (y,))

    return of(forward)


def two_breaks():
    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda x: x, lambda x: x * 3, (x,))  # expect: error output-alias
        return torch.cond(y.sum() > 0, lambda y: y.sum(0), lambda y: y * 3, (y,))  # expect: error output-rank

    return of(forward)


def transposed_side():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: (x @ torch.ones(4, 3)).t().contiguous().t(), lambda x: x @ torch.ones(4, 3), (x,))  # expect: error output-layout

    return of(forward)


def operator_by_its_own_name():
    def forward(self, x):
        return torch.ops.higher_order.cond(x.sum() > 0, lambda x: (x + 1,), lambda x: (x.half(),), (x,))[0]  # expect: error output-dtype

    return of(forward)


def imported_name():
    from torch._higher_order_ops import cond as choose

    def forward(self, x):
        return choose(x.sum() > 0, lambda x: x + 1, lambda x: x.half(), (x,))  # expect: error output-dtype

    return of(forward)


def cond_in_scan():
    from torch._higher_order_ops.scan import scan

    def forward(self, x):
        def step(carry, row):
            carry = torch.cond(row.sum() > 0, lambda c, r: c + r, lambda c, r: c.half(), (carry, row))  # expect: error output-dtype
            return carry, carry * 1

        return scan(step, torch.zeros(4), x)[1]

    return of(forward)


def cond_in_while():
    from torch._higher_order_ops.while_loop import while_loop

    def forward(self, x):
        def body(i, y):
            return i + 1, torch.cond(y.sum() > 0, lambda y: y.add_(1) * 1, lambda y: y * 2, (y,))  # expect: error input-mutation

        return while_loop(lambda i, y: i < 3, body, (torch.zeros((), dtype=torch.int64), x + 0))[1]

    return of(forward)


def captured_number_of_tensor():
    def forward(self, x):
        gain = x.mean().item() * 2

        def outer(x):
            return torch.cond(x.amax() > 1, lambda x: x * gain, lambda x: x * 4, (x,))

        return torch.cond(x.sum() > 0, outer, lambda x: x * 3, (x,))  # expect: error closure-scalar

    return of(forward)


def captured_size_is_fine():
    def forward(self, x):
        rows = x.shape[0]
        return torch.cond(x.sum() > 0, lambda x: x / rows, lambda x: x * rows, (x,))

    return of(forward)


def dropout_in_eval():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: F.dropout(x, 0.5, self.training), lambda x: x * 2, (x,))

    return of(forward)


def noise():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + torch.randn_like(x), lambda x: x * 2, (x,))  # expect: note random-in-branch

    return of(forward)


def derived_sizes():
    n = torch.export.Dim("n", min=2, max=10)

    def forward(self, x, y):
        return torch.cond(x.sum() > 0, lambda x, y: x.sum(0) + y.sum(0), lambda x, y: x.sum(0), (x, y))

    return of(forward, {"x": {0: 2 * n}, "y": {0: n}}, (torch.randn(6, 4), torch.randn(3, 4)))


def sizes_that_data_decides():
    def forward(self, x):
        kept = x[x[:, 0] > 0]
        return torch.cond(x.sum() > 0, lambda k: k.sum(0), lambda k: k.amax(0) * 0 if False else k.sum(0) * 2, (kept,))

    return of(forward)


def recurrent_layer():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(4, 4)

        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda x: self.lstm(x)[0], lambda x: x * 2, (x,))  # expect: error side-effect

    return Module(), (X,), {}, {"x": {0: BATCH}}


def transforms_are_not_seen_into():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: torch.vmap(lambda row: row * 2)(x), lambda x: x * 2, (x,))  # expect: error side-effect

    return of(forward)


def constant_tensor_in_branch():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + torch.tensor(2.0), lambda x: x * torch.tensor([1.0, 2.0, 3.0, 4.0]), (x,))  # expect: error side-effect

    return of(forward)


def numpy_in_branch():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * float(x.numpy().mean()), lambda x: x * 2, (x,))

    return of(forward)


def mathematics_of_a_number():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * math.sqrt(x.mean().item()), lambda x: x * 2, (x,))  # expect: note host-sync

    return of(forward)


def weights_by_autograd():
    def forward(self, x):
        def slope(x):
            return torch.autograd.grad(self.linear(x).square().sum(), self.linear.weight)[0]  # expect: error side-effect

        return torch.cond(x.sum() > 0, slope, lambda x: self.linear.weight * 2, (x,))

    return of(forward)


def other_keys():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: {"a": x + 1}, lambda x: {"b": x * 2}, (x,))  # expect: error output-count

    return of(forward)


def same_keys_in_another_order():
    def forward(self, x):
        y = torch.cond(  # expect: error output-count
            x.sum() > 0, lambda x: {"a": x + 1, "b": x * 2}, lambda x: {"b": x - 1, "a": x * 3}, (x,)
        )
        return y["a"] + y["b"]

    return of(forward)


def list_and_tuple():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: [x + 1, x * 2], lambda x: (x * 2, x + 3), (x,))[0]  # expect: error output-count

    return of(forward)


def named_and_plain_tuple():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.topk(2), lambda x: (x[:, :2] * 1, x[:, 2:].long()), (x,))[0]  # expect: error output-count

    return of(forward)


def single_output_in_a_tuple_is_fine():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: (x + 1,), lambda x: x * 2, (x,))

    return of(forward)


def same_nesting_is_fine():
    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda x: {"a": x + 1, "b": [x * 2]}, lambda x: {"a": x * 3, "b": [x - 1]}, (x,))
        return y["a"] + y["b"][0]

    return of(forward)


def warns():
    def forward(self, x):
        def left(x):
            warnings.warn("slow", stacklevel=1)  # expect: warning side-effect
            return x + 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def within_vmap():
    def forward(self, x):
        return torch.vmap(lambda r: torch.cond(r.sum() > 0, lambda r: r + 1, lambda r: r * 2, (r,)))(x)

    return of(forward)


def numbers_of_numpy():
    def forward(self, x):
        def left(x):
            return x * float(sys.modules["numpy"].random.rand())  # expect: error global-mutation

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def list_of_floats():
    def forward(self, x):
        def left(x):
            return x * x.mean(0).tolist()[0]  # expect: error host-sync

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)


def index_by_number_of_tensor():
    def forward(self, x, n):
        def left(x, n):
            at = n.item()
            return x[at] + x[:at].sum(0) + x[x.shape[0] - 1] + x.select(0, at)

        return torch.cond(x.sum() > 0, left, lambda x, n: x[0] * 2, (x, n))

    return of(forward, {"x": {0: BATCH}, "n": None}, (X, torch.tensor(2)))


def index_by_tensor_in_branch():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x[x[0].argmax() % 2] * 1, lambda x: x[0] * 2, (x,))  # expect: error host-sync

    return of(forward)


def number_of_tensor_as_text():
    def forward(self, x):
        def left(x):
            name = f"mean {x.mean().item():.2f}"
            return x + 1 if name else x

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def assigned_at_number_of_tensor():
    def forward(self, x, n):
        def left(x, n):
            x[n.item()] = 0.0  # expect: error input-mutation
            return x * 1

        return torch.cond(x.sum() > 0, left, lambda x, n: x * 2, (x, n))

    return of(forward, {"x": {0: BATCH}, "n": None}, (X, torch.tensor(2)))


def numbers_beyond_64_bits():
    seed = 2**63 + 1

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * seed, lambda x: x + 1, (x,))

    return of(forward)
