"""More cases, in the form of live_cases.py: numbers read outside of a branch, contexts that it enters, branches that are no functions of Python."""

import contextlib
import logging
import operator
import warnings

import numpy as np
import torch
from live_cases import BATCH, X, of
from torch import nn
from torch.export import Dim

log = logging.getLogger("gate")
ADAPTER = logging.LoggerAdapter(log, {})
HELD = np.float32(0.5)


def reading(left, *, of_tensor=None):
    """A branch that is given `k`, a whole number of a tensor."""

    def forward(self, x, i):
        k = i.item() if of_tensor is None else of_tensor(x)
        return torch.cond(x.sum() > 0, lambda x: left(x, k), lambda x: x[:1] * 2, (x,))

    return of(forward, inputs=(X, torch.tensor(2)))


# Numbers.


def whole_number_of_variable():
    return reading(lambda x, k: x[:1] + k)  # expect: error side-effect


def whole_number_in_sizes():
    def left(x, k):
        torch._check(k >= 1)
        return x.new_ones(k, 4).sum(0, keepdim=True)  # expect: error side-effect

    return reading(left)


def number_of_rows_of_another():
    return reading(lambda x, k: x[:1] * k, of_tensor=lambda x: x.nonzero().shape[0])  # expect: error side-effect


def whole_number_of_attribute():
    def forward(self, x, i):
        self.k = i.item()
        return torch.cond(x.sum() > 0, lambda x: x + self.k, lambda x: x * 2, (x,))  # expect: error side-effect

    return of(forward, inputs=(X, torch.tensor(2)))


def whole_number_read_in_branch():
    def forward(self, x, i):
        def left(x, i):
            k = i.item()
            add = lambda x: x + k
            return torch.cond(x.amax() > 1, lambda x: add(x), lambda x: x * k, (x,))

        return torch.cond(x.sum() > 0, left, lambda x, i: x * 2, (x, i))

    return of(forward, inputs=(X, torch.tensor(2)))


def size_that_data_gives_of_operand():
    def forward(self, x):
        rows = x.nonzero()
        return torch.cond(x.sum() > 0, lambda rows: rows.view(rows.shape[0], -1) + rows.shape[0], lambda rows: rows * 2, (rows,))

    return of(forward)


def size_of_variable():
    def forward(self, x):
        n = x.shape[0]
        return torch.cond(x.sum() > 0, lambda x: x + n, lambda x: x * 2, (x,))

    return of(forward, {"x": {0: BATCH}})


def number_of_numpy_compared():
    return of(lambda self, x: torch.cond(x.sum() > 0, lambda x: (x > np.float32(0.5)).float(), lambda x: x * 2, (x,)))  # expect: error side-effect


def number_of_numpy_held_and_compared():
    return of(lambda self, x: torch.cond(x.sum() > 0, lambda x: (x > HELD).float(), lambda x: x * 2, (x,)))


def number_of_numpy_for_nothing():
    def left(x):
        y = x * np.float32(2)  # expect: error side-effect
        y = np.int64(2)  # expect: error side-effect
        return x + 1

    return of(lambda self, x: torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,)))


def compared_by_name():
    return of(lambda self, x: torch.cond(x.sum() > 0, lambda x: x.__eq__(x).float(), lambda x: x * 2, (x,)))


# Contexts.


def within(left):
    return of(lambda self, x: torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,)))


def device_as_context():
    def left(x):
        with torch.device("cpu"):  # expect: error side-effect
            return x + torch.ones(4)

    return within(left)


def device_held_as_context():
    device = torch.device("cpu")

    def left(x):
        with device:  # expect: error side-effect
            return x + torch.ones(4)

    return within(left)


def flags_of_backend():
    def left(x):
        with torch.backends.cudnn.flags(enabled=False):  # expect: error side-effect
            return x + 1

    return within(left)


def output_redirected():
    def left(x):
        with contextlib.redirect_stdout(None):  # expect: error side-effect
            return x + 1

    return within(left)


def contexts_that_export_enters():
    def left(x):
        with torch.no_grad(), contextlib.suppress(ValueError), contextlib.nullcontext(), torch.autocast("cpu", enabled=False):
            return x + torch.ones(4, device=torch.device("cpu"))

    return within(left)


# Branches that are no functions of Python.


def method_of_tensor():
    return of(lambda self, x: torch.cond(x.sum() > 0, x.add, lambda x: x * 2, (x,)))  # expect: error side-effect


def method_caller():
    return of(lambda self, x: torch.cond(x.sum() > 0, operator.methodcaller("sin"), lambda x: x * 2, (x,)))  # expect: error side-effect


def function_of_torch():
    return of(lambda self, x: torch.cond(x.sum() > 0, torch.sin, operator.neg, (x,)))


# Warnings and logs.


def operator_that_warns():
    def left(x):
        return torch.sparse_coo_tensor(torch.zeros(2, 4, dtype=torch.long), x[0], (1, 4)).to_dense()  # expect: error side-effect

    return within(left)


def log_asked_for_its_level():
    def left(x):
        if log.isEnabledFor(logging.DEBUG):  # expect: error side-effect
            log.debug("left")
        return x + 1

    return within(left)


def logged_by_functions():
    def left(x):
        logging.info("left")
        logging.warning("left")  # expect: warning side-effect
        return x + 1

    return within(left)


def loggers_asked():
    def left(x):
        log.getEffectiveLevel()  # expect: error side-effect
        log.setLevel(log.level)  # expect: error side-effect
        log.debug("left")  # expect: error side-effect
        ADAPTER.info("left")  # expect: error side-effect
        return x + len(log.name)  # expect: error side-effect

    return within(left)


def printed():
    def left(x):
        print("left", x, None, x.dtype)  # expect: warning side-effect
        print([1, 2])  # expect: error side-effect
        print(log)  # expect: error side-effect
        return x + 1

    return within(left)


def warned():
    def left(x):
        warnings.warn("left")  # expect: warning side-effect
        warnings.warn("left", DeprecationWarning)  # expect: error side-effect
        warnings.warn(UserWarning("left"))  # expect: error side-effect
        return x + 1

    return within(left)


# What torch itself writes to objects of its own.


def distribution_from_outside():
    def forward(self, x):
        over = torch.distributions.Categorical(logits=x, validate_args=False)
        return torch.cond(x.sum() > 0, lambda x: over.probs * x, lambda x: x * 2, (x,))  # expect: error global-mutation

    return of(forward)


def distribution_made_in_branch():
    def left(x):
        over = torch.distributions.Categorical(logits=x)
        return over.probs * x

    return within(left)


# Sizes.


def keyword_inputs_by_their_name():
    class Sum(nn.Module):
        def forward(self, x, **others):
            return torch.cond(x.sum() > 0, lambda x, z: x + z, lambda x, z: (x - z).double(), (x, others["z"]))  # expect: error output-dtype

    return Sum(), (X,), {"z": X * 2}, {"x": {0: (n := Dim("n", min=3))}, "others": {"z": {0: n}}}


def truth_by_its_method():
    return of(lambda self, x: torch.cond(x.sum() > 0, lambda x: x * x.shape[0].__bool__(), lambda x: x * 2, (x,)), {"x": {0: BATCH}})  # expect: error side-effect


def truth_by_operator():
    return of(lambda self, x: torch.cond(x.sum() > 0, lambda x: x * operator.truth(x.shape[0]), lambda x: x * 2, (x,)), {"x": {0: BATCH}})  # expect: error side-effect


def number_by_its_method():
    return of(lambda self, x: torch.cond(x.sum() > 0, lambda x: x * x.shape[0].__int__(), lambda x: x * 2, (x,)), {"x": {0: BATCH}})
