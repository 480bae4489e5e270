"""As live_cases.py: what torch.cond itself sees of a conditional, what the tracer sees, and what nobody sees."""

import torch
from torch.export import Dim

from live_cases import of


def branch_not_taken_is_never_called():
    """The predicate is a constant of Python: torch calls one branch, and compares nothing."""

    def forward(self, x):
        return torch.cond(  # expect: warning predicate-constant
            x.dim() == 2, lambda x: x + 1, lambda x: (x.sum(), x), (x,)
        )

    return of(forward)


def training_flag_as_predicate():
    def forward(self, x):
        def never(x):
            torch.cond(x.sum() > 0, lambda x: x, lambda x: x.add_(1), (x,))
            raise ValueError("not here")

        return torch.cond(self.training, never, lambda x: x[:], (x, ))  # expect: warning predicate-constant

    return of(forward)


def taken_branch_belongs_to_the_one_around_it():
    """Its code stands in the branch around it, as if there were no second conditional."""

    def forward(self, x):
        def outer(x):
            def inner(x):
                print("inner")  # expect: warning side-effect
                return x + 1 if x.sum() > 1 else x + 2  # expect: error host-sync

            return torch.cond(True, inner, lambda x: x * 3, (x,))  # expect: warning predicate-constant

        return torch.cond(x.sum() > 0, outer, lambda x: x * 2, (x,))

    return of(forward)


def number_among_operands():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x, n: x * n, lambda x, n: x + n, (x, 3))  # expect: error operand-kind

    return of(forward)


def size_among_operands():
    def forward(self, x):
        return torch.cond(  # expect: error operand-kind
            x.sum() > 0, lambda x, n: x * n, lambda x, n: x + n, (x, x.shape[0])
        )

    return of(forward, {"x": {0: Dim("n")}})


def number_in_a_dictionary_among_operands():
    def forward(self, x):
        return torch.cond(  # expect: error operand-kind
            x.sum() > 0, lambda d: d["a"] * d["b"], lambda d: d["a"] * 1, ({"a": x, "b": 2},)
        )

    return of(forward)


def constants_among_operands_within_a_branch():
    """There the tracer sees the operands, and takes what is the same in every call as it takes a size."""

    def forward(self, x):
        def outer(x):
            a = torch.cond(x.sum() > 0, lambda x, n, m: x * n, lambda x, n, m: x + n, (x, 3, None))
            b = torch.cond(x.sum() > 1, lambda x, n, m: x * n, lambda x, n, m: x + n, (x, x.shape[0], "name"))
            return a + b

        return torch.cond(x.sum() > 0, outer, lambda x: x * 2, (x,))

    return of(forward, {"x": {0: Dim("n")}})


def constants_among_operands_of_a_taken_branch():
    """The branch around it is code of `forward` itself, so that torch.cond sees the operands."""

    def forward(self, x):
        def outer(x):
            return torch.cond(x.sum() > 0, lambda x, n: x * n, lambda x, n: x + n, (x, 3))  # expect: error operand-kind

        return torch.cond(True, outer, lambda x: x * 2, (x,))  # expect: warning predicate-constant

    return of(forward)


def sizes_that_turn_out_to_be_one():
    """The second branch adds what the first was given before: both sizes are one from there on."""

    def forward(self, x, y):
        return torch.cond(x.sum() > 0, lambda x, y: x * 2, lambda x, y: x - y, (x, y))

    return of(forward, {"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}, (torch.randn(3, 4), torch.randn(3, 4)))


def size_that_turns_out_to_be_a_number():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x + torch.ones(3, 4), (x,))

    return of(forward, {"x": {0: Dim.AUTO}}, (torch.randn(3, 4),))


def conditional_within_that_nobody_returns_from():
    """Neither of its branches takes its operands: the branch around it ends there, and what stands beside it is recorded."""

    def forward(self, x, y):
        def left(x, y):
            inner = torch.cond(x.sum() > 0, lambda x, y: x + y, lambda x, y: x - y, (x,))  # expect: error operand-count
            return inner * 2

        def right(x, y):
            y.add_(x)  # expect: error input-mutation
            return y * 2

        kept = torch.cond(x.sum() > 0, left, right, (x, y))
        return torch.cond(kept.sum() > 0, lambda k: k * 2, lambda k: k.double(), (kept,))  # expect: error output-dtype

    return of(forward, {"x": None, "y": None}, (torch.randn(3, 4), torch.randn(3, 4)))


def taken_branch_that_cannot_be_called():
    def forward(self, x):
        return torch.cond(True, lambda x, y: x + y, lambda x: x * 2, (x,))  # expect: error operand-count; warning predicate-constant

    return of(forward)


def what_comes_after_goes_on_with_the_taken_branch():
    def forward(self, x):
        kept = torch.cond(True, lambda x: x + 1, lambda x: x.double(), (x,))  # expect: warning predicate-constant
        return torch.cond(x.sum() > 0, lambda k: k * 2, lambda k: k.double(), (kept,))  # expect: error output-dtype

    return of(forward)


def size_as_predicate_within_a_branch():
    """There the tracer takes no size for a constant: it compares both branches, which the recording cannot know."""

    def forward(self, x):
        def outer(x):
            torch.cond(x.shape[0] > 2, lambda x: x.sum(), lambda x: x * 2, (x,))  # expect: warning predicate-constant
            return x * 2

        return torch.cond(x.sum() > 0, outer, lambda x: x * 3, (x,))

    return of(forward, {"x": None}, (torch.randn(3, 4),))


# Operators that have no rule for tensors without numbers, and answers that are no tensors.


def operators_without_rule():
    def forward(self, x):
        def left(x):
            return x.to_sparse().to_dense()  # expect: error side-effect

        def right(x):
            return torch.geqrf(x)[0] + x  # expect: error side-effect

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward, {"x": None})


def operator_that_asks_for_values():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: torch.cov(x).sum() + x, lambda x: x * 2, (x,))  # expect: error side-effect

    return of(forward, {"x": None})


def answers_that_are_no_tensors():
    def forward(self, x):
        def left(x):
            if x.is_same_size(x):  # expect: error side-effect
                x = x + 1
            if torch.is_conj(x):  # expect: error side-effect
                x = x.conj()
            return x * 2 if torch.result_type(x, x) == x.dtype else x * 3  # expect: error side-effect

        def right(x):
            return x * 2 if x.is_contiguous() and not x.is_complex() and torch.is_grad_enabled() else x * 3

        return torch.cond(x.sum() > 0, left, right, (x,))

    return of(forward)
