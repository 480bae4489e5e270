"""More cases, in the form of live_cases.py: what of torch and of Python torch.export does not follow, sizes, containers."""

import array
import calendar
import cmath
import collections
import copy
import dataclasses
import inspect
import queue
import statistics
import threading

import numpy as np
import torch
from live_cases import X, of
from torch import nn
from torch.export import Dim
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

Pair = collections.namedtuple("Pair", "a b")
FIRST = np.int64(1)


@dataclasses.dataclass
class Both:
    a: torch.Tensor
    b: torch.Tensor


torch.export.register_dataclass(Both, serialized_type_name="live_call_cases.Both")


def branch(true, shapes=None, inputs=None, **attributes):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: true(self, x), lambda x: x * 1.0, (x,))

    return of(forward, shapes or {"x": None}, inputs, **attributes)


# Of torch.


def lstm():
    def true(self, x):
        return self.rnn(x)[0]  # expect: error side-effect

    return branch(true, inputs=(torch.randn(2, 3, 4),), rnn=nn.LSTM(4, 4))


def gru_in_layer():
    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.GRU(4, 4)

        def forward(self, x):
            return self.rnn(x)[0]  # expect: error side-effect

    return branch(lambda self, x: self.encoder(x), inputs=(torch.randn(2, 3, 4),), encoder=Encoder())


def lstm_before():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x * 1.0, (self.rnn(x)[0],))

    return of(forward, {"x": None}, (torch.randn(2, 3, 4),), rnn=nn.LSTM(4, 4))


def cell():
    return branch(lambda self, x: self.cell(x)[0], cell=nn.LSTMCell(4, 4))


def checkpointed():
    def true(self, x):
        return checkpoint(self.linear, x, use_reentrant=False)  # expect: error side-effect

    return branch(true)


def checkpointed_in_parts():
    def true(self, x):
        return checkpoint_sequential(self.parts, 2, x, use_reentrant=False)  # expect: error side-effect

    return branch(true, parts=nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)))


def checkpointed_before():
    def forward(self, x):
        y = checkpoint(self.linear, x, use_reentrant=False)
        return torch.cond(x.sum() > 0, lambda y: y * 2, lambda y: y * 1.0, (y,))

    return of(forward)


def gradient():
    def true(self, x):
        y = (self.linear(x) ** 2).sum()
        return torch.autograd.grad(y, self.linear.bias)[0] * x  # expect: error side-effect

    return branch(true)


def jacobian():
    def true(self, x):
        return torch.autograd.functional.jacobian(lambda z: z * 2, x).sum((0, 1))  # expect: error side-effect

    return branch(true)


def backward():
    def true(self, x):
        (self.linear(x) ** 2).sum().backward()  # expect: error side-effect; error global-mutation
        return x * 2

    return branch(true)


def vmapped():
    def true(self, x):
        return torch.vmap(lambda row: row * 2)(x)  # expect: error side-effect

    return branch(true)


def transformed_gradient():
    def true(self, x):
        return torch.func.grad(lambda z: (z**2).sum())(x)  # expect: error side-effect

    return branch(true)


def vmapped_before():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda y: y * 2, lambda y: y * 1.0, (torch.vmap(lambda row: row * 2)(x),))

    return of(forward)


def functional_call():
    def true(self, x):
        return torch.func.functional_call(self.linear, dict(self.linear.named_parameters()), (x,))

    return branch(true)


def layer_made():
    def true(self, x):
        return nn.Linear(4, 4)(x)  # expect: error side-effect

    return branch(true)


def layer_without_parameters_made():
    return branch(lambda self, x: nn.GELU()(nn.Identity()(x)))


# Of Python.


def bytes_as_text():
    def true(self, x):
        return x * len(b"ab".hex())  # expect: error side-effect

    return branch(true)


def bytes_decoded():
    return branch(lambda self, x: x * len(b"ab".decode()))


def text_and_numbers():
    return branch(lambda self, x: x * len("a b".split()) * (3).bit_length() * (1.5).is_integer())


def integer_of_bytes():
    def true(self, x):
        return x * int.from_bytes(b"a", "big")  # expect: error side-effect

    return branch(true)


def day_of_week():
    def true(self, x):
        return x * calendar.monthrange(2024, 2)[1]  # expect: error side-effect

    return branch(true)


def leap_year():
    return branch(lambda self, x: x * calendar.isleap(2024))


def mean_of_numbers():
    def true(self, x):
        return x * statistics.mean([1.0, 2.0])  # expect: error side-effect

    return branch(true)


def median_of_numbers():
    return branch(lambda self, x: x * statistics.median([1.0, 2.0]) * statistics.fmean([1.0, 2.0]))


def frame_of_caller():
    def true(self, x):
        return x * inspect.currentframe().f_lineno  # expect: error side-effect

    return branch(true)


def signature_asked():
    return branch(lambda self, x: x * len(inspect.signature(of).parameters))


def complex_exponential():
    def true(self, x):
        return x * abs(cmath.exp(1j))  # expect: error side-effect

    return branch(true)


def objects_made():
    def true(self, x):
        numbers = array.array("i", [1, 2])  # expect: error side-effect
        space = bytearray(2)  # expect: error side-effect
        pending = queue.Queue()  # expect: error side-effect
        event = threading.Event()  # expect: error side-effect
        return x * len(numbers) * len(space) * pending.empty() * event.is_set()

    return branch(true)


def names_asked():
    def true(self, x):
        return x * len(globals())  # expect: error side-effect

    return branch(true)


def tensor_as_text():
    def true(self, x):
        return x * len(str(x)) * len(repr(x))  # expect: error host-sync

    return branch(true)


def parts_of_text():
    def true(self, x):
        name = f"{type(x).__name__} {x.dtype} {x.shape} {x}"
        assert x.dim() == 2, name
        return x * 2

    return branch(true)


# Sizes.

OPEN = {"x": {1: Dim("width")}}
WIDE = {"x": {1: Dim("width", min=3)}}


def size_checked():
    def true(self, x):
        torch._check(x.shape[1] > 2)  # expect: error side-effect
        return x * 2

    return branch(true, OPEN)


def tensor_asserted():
    def true(self, x):
        torch._assert((x > -100).all(), "too small")
        torch._assert(condition=x.sum() > -100, message="too small")
        return x * 2

    return branch(true)


def tensor_asserted_without_a_text():
    def true(self, x):
        torch._assert((x > -100).all(), None)  # expect: error host-sync
        return x * 2

    return branch(true)


def size_asserted():
    def true(self, x):
        assert x.shape[1] > 2  # expect: error side-effect
        return x * 2

    return branch(true, OPEN)


def size_checked_within_range():
    def true(self, x):
        torch._check(x.shape[1] > 2)
        assert x.shape[1] != 2
        return x * 2

    return branch(true, WIDE)


def size_checked_of_any():
    def true(self, x):
        torch._check(x.shape[1] > 2)
        return x * 2

    return branch(true, {"x": {1: Dim.AUTO}})


def size_must_divide():
    def true(self, x):
        return x.view(x.shape[0], -1, 2).sum(-1).sum(-1)  # expect: error side-effect

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: true(self, x), lambda x: x.sum(1), (x,))

    return of(forward, OPEN)


def sizes_must_agree():
    def forward(self, x, y):
        return torch.cond(x.sum() > 0, lambda x, y: x + y, lambda x, y: x * 2, (x, y))  # expect: error side-effect

    return of(forward, {"x": {0: Dim("rows")}, "y": {0: Dim("others")}}, (X, X + 1))


def sizes_agree_by_use():
    def forward(self, x, y):
        return torch.cond((x + y).sum() > 0, lambda x, y: x * 1.0, lambda x, y: y * 2, (x, y))

    return of(forward, {"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}, (X, X + 1))


def sizes_agree_by_use_in_branch():
    def forward(self, x, y):
        return torch.cond(x.sum() > 0, lambda x, y: x + y, lambda x, y: y * 2, (x, y))

    return of(forward, {"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}, (X, X + 1))


def number_as_predicate():
    def forward(self, x):
        y = torch.cond(len(x), lambda x: x + 1, lambda x: x * 2, (x,))  # expect: warning predicate-constant
        return torch.cond(0.5, lambda x: x + 1, lambda x: x * 2, (y,))  # expect: warning predicate-constant

    return of(forward, {"x": None})


# Containers.


def dataclass_given():
    def forward(self, both):
        return torch.cond(both.a.sum() > 0, lambda a, b: a + b, lambda a, b: b * 2, (both.a, both.b))

    rows = Dim("rows")
    return of(forward, {"both": [{0: rows}, {0: rows}]}, (Both(X, X + 1),))


def field_of_dataclass_returned():
    def forward(self, both):
        return torch.cond(both.a.sum() > 0, lambda a: a, lambda a: a * 2, (both.a,))  # expect: error output-alias

    return of(forward, {"both": None}, (Both(X, X + 1),))


def dataclass_as_operand():
    def forward(self, x):
        both = Both(x, x + 1)
        return torch.cond(x.sum() > 0, lambda p: p.a + p.b, lambda p: p.a * 2, (both,))  # expect: error operand-kind

    return of(forward)


def named_tuple_as_operand():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda p: p.a + p.b, lambda p: p.a * 2, (Pair(x, x),))  # expect: error operand-kind

    return of(forward)


def ordered_dict_as_operand():
    def forward(self, x):
        named = collections.OrderedDict(a=x)
        return torch.cond(x.sum() > 0, lambda d: d["a"] + 1, lambda d: d["a"] * 2, (named,))  # expect: error operand-kind

    return of(forward)


def dict_and_list_as_operands():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda d, l: d["a"] + l[0], lambda d, l: d["a"] * 2, ({"a": x}, [x + 1]))

    return of(forward)


def dataclass_returned():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: Both(x + 1, x * 2), lambda x: Both(x - 1, x * 3), (x,)).a  # expect: error output-kind

    return of(forward)


def named_tuple_returned():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: Pair(x + 1, x * 2), lambda x: Pair(x - 1, x * 3), (x,)).a

    return of(forward)


def largest_or_smallest():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.max(0), lambda x: x.min(0), (x,))[0]  # expect: error output-count

    return of(forward)


def process_ended():
    def true(self, x):
        raise SystemExit(3)  # expect: error side-effect

    return branch(true)


# Sizes that the caller leaves open.


def decision_on_size():
    def true(self, x):
        if x.shape[0] > 2:  # expect: error side-effect
            x = x + 1
        return x * 2

    return branch(true, {"x": {0: Dim("n")}})


def decision_on_size_that_is_so():
    def true(self, x):
        if x.shape[0] > 2:
            x = x + 1
        return x * 2

    return branch(true, {"x": {0: Dim("n", min=3, max=9)}})


def decision_on_size_left_to_torch():
    def true(self, x):
        if x.shape[0] > 2:
            x = x + 1
        return x * 2

    return branch(true, {"x": {0: Dim.AUTO}})


def decision_on_number_of_rows():
    def true(self, x):
        while len(x) < 3:  # expect: error side-effect
            x = torch.cat([x, x])
        return x[:3].sum() + x * 0

    return branch(true, {"x": {0: Dim("n")}})


def loop_over_size():
    def true(self, x):
        for k in range(x.shape[0]):  # expect: error side-effect
            x = x + k
        return x

    return branch(true, {"x": {0: Dim("n")}})


def loop_over_rows():
    def true(self, x):
        total = 0
        for row in x:  # expect: error side-effect
            total = total + row
        return x + total

    return branch(true, {"x": {0: Dim("n")}})


def loop_over_fixed_size():
    def true(self, x):
        for k in range(x.shape[1]):
            x = x + k
        return x

    return branch(true, {"x": {0: Dim("n")}})


def decision_on_size_in_nested():
    def inner(x):
        return x + (1 if x.shape[0] != 5 else 2)  # expect: error side-effect

    def true(self, x):
        return torch.cond(x.mean() > 0, inner, lambda x: x * 2, (x,))

    return branch(true, {"x": {0: Dim("n")}})


def smaller_of_size_and_number():
    return branch(lambda self, x: x + min(x.shape[0], 2), {"x": {0: Dim("n")}})


def root_of_size():
    return branch(lambda self, x: x / x.shape[0] ** 0.5 + float(x.shape[0]), {"x": {0: Dim("n")}})


def root_of_size_before():
    def forward(self, x):
        scale = x.shape[0] / 2
        return torch.cond(x.sum() > 0, lambda x: x * scale, lambda x: x + 1, (x,))  # expect: error closure-scalar

    return of(forward, {"x": {0: Dim("n")}})


# Constants of a branch, and what `data` gives.


def constant_made():
    def true(self, x):
        return x + torch.tensor(2.0)  # expect: error side-effect

    return branch(true)


def number_assigned():
    def true(self, x):
        y = x * 2
        y[0] = 1.0  # expect: error side-effect
        return y

    return branch(true)


def number_assigned_at_places():
    def true(self, x):
        y = x * 2
        y[[0, 2]] = 1.0  # expect: error side-effect
        return y

    return branch(true)


def sizes_asked_by_numbers_of_numpy():
    def true(self, x):
        n = x.size(np.int64(1))  # expect: error side-effect
        first = np.int64(0)  # expect: error side-effect
        n += x.stride(first)  # expect: error side-effect
        return x * (n + x.shape[first] + x.size(int(first)))

    return branch(true)


def slices_bounded_by_numbers_of_numpy():
    def true(self, x):
        columns = np.int64(2)  # expect: error side-effect
        y = x[:, :columns].sum()
        return x * y + x[: np.int64(1)] + x[:, :FIRST]  # expect: error side-effect

    return branch(true)


def slices_bounded_by_held_numbers_of_numpy():
    return branch(lambda self, x: x * 2 + x[:, :FIRST])


def offset_of_operand():
    def true(self, x):
        return x * (x.storage_offset() + 2)

    return branch(true)


def offset_in_nested():
    def true(self, x):
        return torch.cond(x.amax() > 1, lambda x: x * ((x * 2)[1:].storage_offset() + x.storage_offset()), lambda x: x * 2, (x,))

    return branch(true)


def offset_of_outer_in_nested():
    def true(self, x):
        y = x * 2
        return torch.cond(x.amax() > 1, lambda x: x * y.storage_offset(), lambda x: x * 2, (x,))  # expect: error side-effect

    return branch(true)


def offset_of_what_it_makes():
    def true(self, x):
        return x * ((x * 2).storage_offset() + 2)  # expect: error side-effect

    return branch(true)


def number_filled():
    def true(self, x):
        y = x * 2
        y[0].fill_(1.0)
        return y.masked_fill(y > 3, 0.0)

    return branch(true)


def tensor_assigned():
    def true(self, x):
        y = x * 2
        y[0] = y[1]
        return y

    return branch(true)


def rows_by_list():
    def true(self, x):
        return x[[0, 1, 2]] * 1  # expect: error side-effect

    return branch(true)


def constant_of_size():
    return branch(lambda self, x: x + torch.tensor([x.shape[0]]), {"x": {0: Dim("n")}})


def constant_made_before():
    def forward(self, x):
        two = torch.tensor(2.0)
        return torch.cond(x.sum() > 0, lambda x, two: x + two, lambda x, two: x - two, (x, two))

    return of(forward)


def constant_filled():
    return branch(lambda self, x: x + torch.full((), 2.0) + torch.arange(4.0))


def data_read():
    def true(self, x):
        return x.data + 1  # expect: error side-effect

    return branch(true)


def data_of_own_written():
    def true(self, x):
        y = x * 2
        y.data.add_(1)  # expect: error side-effect
        return y * 1

    return branch(true)


def data_of_operand_written():
    def true(self, x):
        x.data.add_(1)  # expect: error input-mutation
        return x * 2

    return branch(true)


def data_of_weight():
    def true(self, x):
        return x + self.w.data  # expect: error side-effect

    return branch(true, w=nn.Parameter(torch.ones(4)))


def size_of_data():
    return branch(lambda self, x: x * x.data.shape[1] + x.detach())


def tensors_copied():
    def forward(self, x):
        def left(x):
            return copy.deepcopy([x, 2.0])[0] * copy.deepcopy([1.0, 2.0])[1]  # expect: error side-effect

        return torch.cond(x.sum() > 0, left, lambda x: x * copy.deepcopy(self.linear.bias), (x,))  # expect: error side-effect

    return of(forward)


def numbers_copied_are_fine():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * copy.deepcopy([1.0, 2.0])[1], lambda x: x * 3, (x,))

    return of(forward)


def error_of_an_operator_caught():
    def forward(self, x):
        def left(x):
            try:
                return x @ x.new_ones(7, 7)  # expect: error side-effect
            except RuntimeError:
                return x * 3

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def index_error_of_an_operator_caught():
    def forward(self, x):
        def left(x):
            try:
                return x[:, 9] + x  # expect: error side-effect
            except IndexError:
                return x * 3

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def number_of_tensor_beside_others():
    def forward(self, x):
        def left(x):
            k = x[0].argmax().item()
            x = x + x[:, k].sum()  # expect: error side-effect
            x = x + x[..., k, None].sum()  # expect: error side-effect
            return x + x[0, int(x[0].argmin())]  # expect: error side-effect

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def number_of_tensor_as_index_is_fine():
    def forward(self, x):
        def left(x):
            k = x[0].argmax().item()
            return x + x[:, k : k + 1].sum() + x.select(1, k).sum() + x[:, x.shape[1] - 1].sum() + x[x[:, 0].argmax().item()]

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    return of(forward)


def seeded_as_before():
    before = torch.initial_seed()

    def forward(self, x):
        def left(x):
            torch.manual_seed(before)  # expect: error side-effect
            return x * 2

        return torch.cond(x.sum() > 0, left, lambda x: x * 3, (x,))

    return of(forward)
