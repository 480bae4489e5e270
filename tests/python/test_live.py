"""Each case of live_cases.py and its sisters: what stands there is found, at its line, and nothing else."""

import contextlib
import gc
import inspect
import io
import os
import re
import subprocess
import sys
import typing

import pytest

torch = pytest.importorskip("torch")

import condlint  # noqa: E402
import live_call_cases  # noqa: E402
import live_cases  # noqa: E402
import live_context_cases  # noqa: E402
import live_effect_cases  # noqa: E402
import live_number_cases  # noqa: E402
import live_outside_cases  # noqa: E402
import live_output_cases  # noqa: E402
import live_size_cases  # noqa: E402
import live_state_cases  # noqa: E402
import live_statement_cases  # noqa: E402
import live_traced_size_cases  # noqa: E402
import live_tracing_cases  # noqa: E402
import live_use_cases  # noqa: E402

EXPECTATION = re.compile(r"# expect(?:@([+-]\d+))?: (.+?)\s*$")
CASES = [
    f
    for cases in (
        live_cases, live_call_cases, live_context_cases, live_effect_cases, live_number_cases, live_outside_cases, live_output_cases,
        live_size_cases, live_state_cases, live_statement_cases,
        live_traced_size_cases, live_tracing_cases, live_use_cases,
    )
    for f in vars(cases).values()
    if inspect.isfunction(f) and f.__module__ == cases.__name__ and not inspect.signature(f).parameters
]


def expected(case):
    """The expectations within a case: line, severity, rule."""
    lines, first = inspect.getsourcelines(case)
    found = set()
    for at, line in enumerate(lines, first):
        if match := EXPECTATION.search(line):
            for part in match[2].split(";"):
                severity, rule = part.split()
                found.add((at + int(match[1] or 0), severity, rule))
    return found


# What older versions cannot run on tensors without numbers is not decided there.
SINCE = {
    **dict.fromkeys(("printed_elsewhere", "logged_by_function", "logging_changed", "level_of_logger_asked"), (2, 7)),
    "entered_and_held_of_torch": (2, 7),
    "entered_and_held_of_python": (2, 7),
    **dict.fromkeys(("real_part_of_captured", "real_part_of_operand", "transposed_beside_itself", "transposed_operand_alone"), (2, 13)),
    # Whether older versions take sizes that cannot change for symbols is not known.
    **dict.fromkeys(("digits_of_fixed_size", "fixed_size_as_text", "fixed_size_printed", "fixed_size_of_captured", "fixed_size_in_nested", "functions_of_fixed_size"), (2, 13)),
    **dict.fromkeys(("sorted_in_place", "inverted_fixed_size", "largest_of_fixed_size", "checked_with_a_message"), (2, 13)),
    "number_of_tensor_beside_others": (2, 13),  # of older versions that is not known
    # Of older versions it is not known.
    **dict.fromkeys(("held_numbers_for_what_is_no_tensor", "held_numbers_in_layers", "held_numbers_within_functions_of_torch"), (2, 13)),
    "dimension_by_held_number_of_numpy": (2, 13),
    "array_as_index_of_assignment_is_fine": (2, 15),  # before, the number that is assigned was a constant
    "assigned_at_number_of_tensor": (2, 13),
    "numbers_beyond_64_bits": (2, 11),
    "checkpointed": (2, 13),  # before, torch.export took them
    "checkpointed_in_parts": (2, 13),
    # The smaller and the larger of a size are no symbols there, and `^` is an error of Python's.
    "smaller_of_size_and_number": (2, 10),
    "nothing_comes_of_it": (2, 10),
    "functions_of_size": (2, 10),
    **dict.fromkeys(("largest_of_a_comprehension", "largest_of_a_comprehension_for_nothing", "largest_of_size_and_number"), (2, 13)),  # before, it is the largest
    "largest_with_default": (2, 14),  # before, torch.export stopped there
    "largest_of_number_of_tensor": (2, 13),
    "offset_of_operand": (2, 15),  # before, torch.export stopped there
    "offset_in_nested": (2, 15),
    "number_by_its_method": (2, 15),
    # Before, torch.export was strict, and took them.
    "whole_number_of_variable": (2, 7),
    "whole_number_in_sizes": (2, 7),
    "number_of_rows_of_another": (2, 7),
    "whole_number_of_attribute": (2, 7),
    "method_of_tensor": (2, 7),
    "method_caller": (2, 7),
    **dict.fromkeys(("logs", "log_asked_for_its_level", "loggers_asked", "logged_below_the_level", "printed", "printed_into_a_text", "warned"), (2, 7)),
    "entered_from_outside": (2, 7),
    **dict.fromkeys(("truths_of_tensors_for_nothing", "numbers_of_numpy_not_made"), (2, 12)),
    "asked_as_an_object": (2, 10),
    "memory_asked": (2, 8),
    "address_asked_for_its_truth": (2, 15),  # before, torch.export took it
    "truth_of_half_a_size": (2, 15),  # before, torch.export stopped there
    # Before, torch._assert asked a tensor for its value.
    "tensor_asserted": (2, 15),
    "text_of_assertion_of_a_tensor": (2, 15),
}
UNTIL = {
    "digits_of_fixed_size": (2, 13),  # then it is the number of the example
    **dict.fromkeys(("catches_errors_of_operators", "error_of_an_operator_caught"), (2, 13)),  # then torch.export goes on with the handler
    "entered_and_held_of_python": (2, 13),  # then torch.export enters it
    **dict.fromkeys(("real_part_of_captured", "real_part_of_operand", "transposed_beside_itself", "transposed_operand_alone"), (2, 13)),
    "largest_by_key": (2, 13),  # then torch.export takes it
    "power_of_held_number": (2, 14),  # then torch.export computes it
    "warned_by_name": (2, 13),  # then torch.export stops at it
    # Then it hands back its operand itself, which torch.export refuses, too.
    "dropout_in_eval": (2, 13),
    "ordered_dict_as_operand": (2, 13),
    "number_assigned": (2, 14),  # then it is no constant any more
    "warns": (2, 13),  # then torch.export stops at `stacklevel=`
    "entered_from_outside": (2, 13),  # then torch.export enters it
    "truth_by_operator": (2, 14),  # then torch.export takes it
    "text_of_assertion": (2, 14),  # then the text of every assertion is
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_case(case):
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if not SINCE.get(case.__name__, version) <= version <= UNTIL.get(case.__name__, version):
        pytest.skip(f"another case with torch {torch.__version__}")
    want = expected(case)
    module, args, kwargs, shapes = case()
    report = condlint.check(module, args, kwargs, dynamic_shapes=shapes, target="torch@2.13")
    got = set()
    for f in report.findings:
        key = (f.location.line if f.location else None, f.severity, f.rule)
        if f.severity != "note" or key in want:
            got.add(key)
    assert got == want, str(report)


def test_left_as_it_was():
    module, args, kwargs, shapes = live_state_cases.two_writes()
    condlint.check(module, args, kwargs, dynamic_shapes=shapes)
    assert module.log == [] and module.count == 0
    module, args, _, _ = live_state_cases.write_to_buffer()
    before = module.steps
    condlint.check(module, args)
    assert module.steps is before and module.steps.item() == 0


class Counting(torch.nn.Module):
    seen, others = 0, []

    def forward(self, x):
        global MADE
        MADE = Counting.made = x
        Counting.seen += 1
        Counting.others.append(x)
        Counting.forward = None
        del Counting.others
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))


def test_classes_and_globals_are_as_they_were():
    before, others = dict(vars(Counting)), Counting.others
    assert condlint.check(Counting(), (torch.ones(2),)).ok
    assert dict(vars(Counting)) == before and Counting.others is others and not others
    assert "MADE" not in globals()


def test_eager_still_works_after_a_check():
    module, args, kwargs, shapes = live_cases.empty_operands()
    condlint.check(module, args, kwargs, dynamic_shapes=shapes)
    assert torch.cond(torch.tensor(True), lambda x: x + 1, lambda x: x - 1, (torch.ones(2),)).tolist() == [2.0, 2.0]
    assert int("3") == 3 and live_cases.__dict__.get("int") is None


def test_torch_is_as_it_was():
    def forward(self, x):
        def left(x):
            torch.set_default_dtype(torch.float64)
            torch.set_grad_enabled(False)
            return x + 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    seed = torch.initial_seed()
    module, args, kwargs, shapes = live_cases.of(forward)
    condlint.check(module, args, kwargs, dynamic_shapes=shapes)
    assert torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled() and torch.initial_seed() == seed


def test_target_decides():
    module, args, kwargs, shapes = live_cases.of(
        lambda self, x: torch.cond(x.sum() > 0, lambda x: x[:2] * 1, lambda x: x * 2, (x,))
    )
    assert condlint.check(module, args, kwargs, dynamic_shapes=shapes, target="torch@2.13").ok
    old = condlint.check(module, args, kwargs, dynamic_shapes=shapes, target="torch@2.6")
    assert ("error", "output-shape") in [(f.severity, f.rule) for f in old.findings]


def test_decision_outside_of_a_branch_ends_it():
    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda x: x, lambda x: x * 2, (x,))
        if y.sum() > 0:
            return y
        return y * 2

    module, args, kwargs, shapes = live_cases.of(forward)
    report = condlint.check(module, args, kwargs, dynamic_shapes=shapes)
    assert [f.rule for f in report.at_least("error")] == ["output-alias"]
    assert len(report.notes) == 1 and "torch.export stops" in report.notes[0]


@pytest.mark.parametrize(("body", "said"), [(lambda i, y: (i + 1, y.double()), 1), (lambda i, y: (i + 1, y * 2), 0)])
def test_loop_that_carries_something_else(body, said):
    from torch._higher_order_ops.while_loop import while_loop

    def forward(self, x):
        return while_loop(lambda i, y: i < 3, body, (torch.tensor(0), x.clone()))[1]

    module, args, kwargs, shapes = live_cases.of(forward)
    notes = condlint.check(module, args, kwargs, dynamic_shapes=shapes).notes
    assert sum("float64" in note and "torch.export stops" in note for note in notes) == said, notes


LOG = []


def of_while(work):
    from torch._higher_order_ops.while_loop import while_loop

    def body(i, y):
        work(y)
        return i + 1, y * 2

    return lambda self, x: while_loop(lambda i, y: i < 3, body, (torch.tensor(0), x.clone()))[1]


def of_condition(work):
    from torch._higher_order_ops.while_loop import while_loop

    def more(i, y):
        work(y)
        return i < 3

    return lambda self, x: while_loop(more, lambda i, y: (i + 1, y * 2), (torch.tensor(0), x.clone()))[1]


def of_scan(work):
    from torch._higher_order_ops.scan import scan

    def step(carry, row):
        work(carry)
        return carry + row, carry * 1

    return lambda self, x: scan(step, torch.zeros(4), x)[1]


def of_map(work):
    from torch._higher_order_ops.map import map as map_rows

    def row(r):
        work(r)
        return r * 2

    return lambda self, x: map_rows(row, x)


def of_associative_scan(work):
    from torch._higher_order_ops.associative_scan import associative_scan

    def combine(a, b):
        work(a)
        return a + b

    return lambda self, x: associative_scan(combine, x, 0, combine_mode="generic")


@pytest.mark.parametrize("loop", [of_while, of_condition, of_scan, of_map, of_associative_scan], ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda y: y.add_(1), "writes to what it was given ('add_'): torch.export stops there"),
        (lambda y: y.view(-1)[0].zero_(), "writes to what it was given ('zero_'): torch.export stops there"),
        (lambda y: LOG.append(1), "writes 'LOG', which outlives it: torch.export stops there"),
        (lambda y: bool(y.sum() > 0), "decides on a tensor's value: torch.export stops there"),
        (lambda y: print("row"), "writes or reads standard output, which torch.export drops"),
        (lambda y: (y * 2).add_(1), ""),
        (lambda y: [].append(1), ""),
    ],
    ids=["operand", "view", "state", "decision", "output", "own", "own_list"],
)
def test_loops_that_do_more_than_compute(loop, work, said):
    module, args, kwargs, shapes = live_cases.of(loop(work))
    notes = condlint.check(module, args, kwargs, dynamic_shapes=None if loop is of_associative_scan else shapes).notes
    assert not LOG
    assert [note for note in notes if said in note and "test_live.py:" in note] if said else not notes, notes


def while_of(body):
    from torch._higher_order_ops.while_loop import while_loop

    return lambda self, x: while_loop(lambda i, y: i < 3, body, (torch.tensor(0), x.clone()))[1]


def scan_of(step):
    from torch._higher_order_ops.scan import scan

    return lambda self, x: scan(step, torch.zeros(4), x)[1]


def map_of(function):
    from torch._higher_order_ops.map import map as map_rows

    return lambda self, x: map_rows(function, x)


# As torch.export 2.13 has it: what is returned is a copy, or it stops.
@pytest.mark.parametrize(
    ("forward", "said"),
    [
        (while_of(lambda i, y: (i + 1, y)), "value 1 that the body of while_loop returns is what it was given"),
        (while_of(lambda i, y: (i, y.t() * 1)), "value 0 that the body of while_loop returns is what it was given"),
        (while_of(lambda i, y: (i + 1, y.view(-1).view(y.shape))), "or a view of it"),
        (while_of(lambda i, y: (i + 1, y.clone())), ""),
        (scan_of(lambda carry, row: (carry + row, row)), "value 1 that the body of scan returns is what it was given"),
        (scan_of(lambda carry, row: (carry + row,) * 2), "shares memory with another value"),
        (scan_of(lambda carry, row: (carry + row, carry + row)), ""),
        (map_of(lambda row: row.view(2, 2)), "value 0 that the body of map_impl returns is what it was given"),
        (map_of(lambda row: row[:2] * 1), ""),
    ],
)
def test_loops_that_hand_back_what_they_were_given(forward, said):
    module, args, kwargs, _ = live_cases.of(forward)
    notes = condlint.check(module, args, kwargs).notes
    assert [note for note in notes if said in note and "torch.export stops there" in note] if said else not notes, notes


@pytest.mark.parametrize(("size", "said"), [(torch.export.Dim("n"), 1), (torch.export.Dim.DYNAMIC, 1), (torch.export.Dim.AUTO, 0), (None, 0)])
def test_associative_scan_of_open_sizes(size, said):
    from torch._higher_order_ops.associative_scan import associative_scan

    module, args, kwargs, _ = live_cases.of(lambda self, x: associative_scan(lambda a, b: a + b, x, 0, combine_mode="generic"))
    notes = condlint.check(module, args, kwargs, dynamic_shapes={"x": {0: size}}).notes
    assert sum("leaves open" in note for note in notes) == said, notes


def test_caught_outside_of_a_branch():
    def forward(self, x):
        try:
            x = x @ torch.ones(5, 4)
        except RuntimeError:
            x = x * 2
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x * 2, (x,))

    module, args, kwargs, shapes = live_cases.of(forward)
    report = condlint.check(module, args, kwargs, dynamic_shapes=shapes)
    assert report.ok and len(report.notes) == 1 and "is caught here" in report.notes[0]


class Pair(typing.NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


@pytest.mark.parametrize(("kind", "said"), [(Pair, 1), (tuple, 0)])
def test_what_forward_returns(kind, said):
    def forward(self, x):
        left, right = torch.cond(x.sum() > 0, lambda x: (x + 1, x * 2), lambda x: (x - 1, x * 3), (x,))
        return kind(left, right) if kind is Pair else kind((left, right))

    module, args, kwargs, shapes = live_cases.of(forward)
    notes = condlint.check(module, args, kwargs, dynamic_shapes=shapes).notes
    assert ["'Pair', which torch.export.save fails on" in note for note in notes] == [True] * said, notes


def added(x, y):
    return torch.cond(x.sum() > 0, lambda x, y: x + y, lambda x, y: x - y, (x, y))


def added_in_place(x, y):
    return added(x.add_(1), y)


@pytest.mark.parametrize(
    ("function", "of", "said"),
    [
        (added, lambda x: (x, x), ""),
        (added_in_place, lambda x: (x, x.clone()), ""),
        (added_in_place, lambda x: (x, x), "'x' and 'y' are given one tensor"),
        (added, lambda x: (x, x.view(3, 4)), "two inputs that lie in the same memory"),
    ],
)
def test_inputs_of_one_memory(function, of, said):
    notes = condlint.check(function, of(torch.ones(3, 4))).notes
    assert [said in note for note in notes] == ([True] if said else []), notes


def test_iterator_is_set_back():
    scales, used = iter([1.0, 2.0, 3.0]), enumerate([1.0, 2.0, 3.0])

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * next(scales), lambda x: x * next(used)[1], (x,))

    module, args, kwargs, shapes = live_cases.of(forward)
    assert not condlint.check(module, args, kwargs, dynamic_shapes=shapes).ok
    assert next(scales) == 1.0 and next(used)[1] == 1.0


def test_callers_are_related():
    module, args, kwargs, shapes = live_state_cases.write_through_helper_and_view()
    finding = condlint.check(module, args, kwargs, dynamic_shapes=shapes).at_least("error")[0]
    assert any(r.message == "called from here" and r.location.path.endswith("live_state_cases.py") for r in finding.related)


def test_large_module_costs_no_memory():
    with torch.device("meta"):
        layers = [torch.nn.Linear(20_000, 20_000) for _ in range(4)]

    class Large(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleList(layers)

        def forward(self, x):
            for layer in self.layers:
                x = torch.cond(x.sum() > 0, layer, lambda x: x * 2, (x,))
            return x

    report = condlint.check(Large(), (torch.randn(2, 20_000, device="meta"),))
    assert report.summary.conditionals["total"] == 4


@pytest.mark.parametrize(
    ("rows", "size", "said"),
    [(1, torch.export.Dim("n"), "'n' is 1"), (1, torch.export.Dim.AUTO, ""), (2, torch.export.Dim("n"), "")],
)
def test_example_of_one_row(rows, size, said):
    module, _, _, _ = live_cases.of(lambda self, x: torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x * 2, (x,)))
    notes = condlint.check(module, (torch.ones(rows, 4),), dynamic_shapes={"x": {0: size}}).notes
    assert [said in note and "2 or more" in note for note in notes] == ([True] if said else []), notes


@pytest.mark.parametrize(("shapes", "said"), [({"x": None}, "'y': None"), ({"x": None, "y": None}, ""), ({}, ""), (None, "")])
def test_input_without_dynamic_shapes(shapes, said):
    def forward(x, y):
        return torch.cond(x.sum() > 0, lambda x: x + y, lambda x: x * y, (x,))

    notes = condlint.check(forward, (torch.ones(2, 4), torch.ones(2, 4)), dynamic_shapes=shapes).notes
    assert [said in note and "torch.export refuses" in note for note in notes] == ([True] if said else []), notes


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: condlint.check(m), "give its example inputs"),
        (lambda m: condlint.check(m, torch.ones(3, 4)), "args is the tuple"),
        (lambda m: condlint.check(m, ()), "do not fit forward"),
        (lambda m: condlint.check(m, (torch.ones(3, 5),)), "could not be run"),
        (lambda m: condlint.check(m, (torch.ones(3, 4),), dynamic_shapes={"y": None}), "no input"),
        (lambda m: condlint.check(m, (torch.ones(3, 4),), dynamic_shapes={"x": {5: None}}), "no dimension 5"),
        (lambda m: condlint.check(3), "nothing that can be checked"),
        (lambda m: condlint.check(type(m), (torch.ones(3, 4),)), "is a class; give a module of it"),
        (lambda m: condlint.torch.export(torch.export.export(m, (torch.ones(3, 4),)), ()), "exported already"),
        (lambda m: condlint.check("no-such-file.pt2"), "no such file"),
        (lambda m: condlint.check(m, (torch.ones(3, 4),), target="tensrt"), "tensrt"),
    ],
)
def test_errors_say_what_to_do(call, message):
    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x):
            return self.linear(x)

    with pytest.raises(condlint.CondlintError, match=message):
        call(Module())


def test_constant_of_a_branch_cannot_be_saved():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + torch.tensor(2.0), lambda x: x * torch.full((), 2.0), (x,))

    module, args, kwargs, shapes = live_cases.of(forward)
    report = condlint.check(module, args, kwargs, dynamic_shapes=shapes)
    assert [f.rule for f in report.findings] == ["side-effect"] and "as its constant" in report.findings[0].message
    with pytest.raises(Exception):  # older versions stop there, newer ones cannot write it
        torch.export.save(torch.export.export(module, args, kwargs), io.BytesIO())


def test_constant_of_a_size_is_open():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + torch.tensor(x.shape[0]), lambda x: x * 2, (x,))

    module, args, kwargs, shapes = live_cases.of(forward, {"x": None})
    report = condlint.check(module, args, kwargs, dynamic_shapes=shapes)
    assert report.ok and len(report.notes) == 1 and "may be kept as its constant" in report.notes[0]


@pytest.mark.parametrize("mode", ["pointwise", "generic"])
def test_conditional_in_associative_scan(mode):
    from torch._higher_order_ops.associative_scan import associative_scan

    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 13):
        pytest.skip("what older versions do there was not measured")

    class Module(torch.nn.Module):
        def forward(self, x):
            return associative_scan(lambda a, b: torch.cond(a.sum() > 0, torch.sin, torch.cos, (a,)) + b, x, 0, combine_mode=mode)

    module = Module()
    notes = condlint.check(module, (torch.randn(3, 4),)).notes
    assert any("stops at a conditional in associative_scan" in note for note in notes)
    assert (mode == "pointwise") == any("on this device" in note for note in notes)
    with pytest.raises(Exception):
        torch.export.export(module, (torch.randn(3, 4),))


def test_data_outside_of_a_branch():
    class Module(torch.nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)) + x.data

    said = [note for note in condlint.check(Module(), (torch.randn(3, 4),)).notes if "'.data'" in note]
    try:
        torch.export.export(Module(), (torch.randn(3, 4),))
        assert not said
    except RuntimeError:
        assert len(said) == 1


def test_script_module_says_what_to_do():
    with pytest.raises(condlint.InputError, match="TorchScript"):
        condlint.check(torch.jit.script(torch.nn.Linear(2, 2)), (torch.randn(1, 2),))


class Misfit(torch.nn.Module):
    def __init__(self, layer, error=None):
        super().__init__()
        self.layer, self.error = layer, error

    def forward(self, x):
        if self.error is not None:
            raise self.error
        return self.layer(x)


@pytest.mark.parametrize(
    ("module", "kwargs", "said"),
    [
        (Misfit(torch.nn.Linear(9, 2)), None, "could not be run"),
        (Misfit(torch.nn.LazyLinear(2)), None, "has no size yet"),
        (Misfit(torch.nn.Identity(), SystemExit(3)), None, "could not be run: SystemExit: 3"),
        (Misfit(torch.nn.Identity()), ["x"], "kwargs is a dict"),
    ],
    ids=["sizes", "lazy", "exits", "kwargs"],
)
def test_what_cannot_be_run(module, kwargs, said, capfd):
    with pytest.raises(condlint.InputError, match=said):
        condlint.check(module, (torch.randn(3, 4),), kwargs)
    assert "Traceback" not in capfd.readouterr().err


def test_torch_that_cannot_be_imported(tmp_path, monkeypatch):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise ImportError('libcudart.so.12: cannot open shared object file')")
    program = "import condlint\ntry:\n    condlint.check(lambda x: x, (1,))\nexcept condlint.MissingPackageError as error:\n    print(error)"
    package = os.path.dirname(os.path.dirname(condlint.__file__))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{package}")
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "cannot be imported: libcudart.so.12" in said


def test_pythons_collector_runs_again_afterwards():
    class Module(torch.nn.Module):
        def __init__(self, error=None):
            super().__init__()
            self.error = error

        def forward(self, x):
            if self.error:
                raise self.error
            return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    for error in (None, ValueError("no"), KeyboardInterrupt()):
        with contextlib.suppress(condlint.InputError, KeyboardInterrupt):
            condlint.check(Module(error), (torch.ones(2),))
        assert gc.isenabled()
    gc.disable()
    try:
        condlint.check(Module(), (torch.ones(2),))
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("outside", [True, False])
def test_autocast_around_a_conditional(outside):
    def scaled(x):
        with contextlib.nullcontext() if outside else torch.autocast("cpu", dtype=torch.bfloat16):
            return (x @ x.t()).float()

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16) if outside else contextlib.nullcontext():
            return torch.cond(x.sum() > 0, scaled, lambda x: (x @ x.t()).float() * 2, (x,))

    module, args, _, _ = live_cases.of(forward)
    notes = condlint.check(module, args).notes
    assert [note for note in notes if "torch.autocast" in note and "torch.export.save fails" in note and "test_live.py:" in note] if outside else not notes, notes


@pytest.mark.parametrize("function", [torch.vmap, lambda f: torch.func.grad(lambda x: f(x).sum())], ids=["vmap", "grad"])
def test_conditional_within_a_transform(function):
    def row(x):
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x + 1, (x,))

    module, args, _, _ = live_cases.of(lambda self, x: function(row)(x) + 1)
    report = condlint.check(module, args)
    assert not report.findings and any("was not recorded; torch.export stops there" in note for note in report.notes), report.notes


def test_keyword_inputs_in_a_tuple_of_shapes():
    def forward(x, **others):
        return torch.cond(x.sum() > 0, lambda x, z: x + z, lambda x, z: x - z, (x, others["z"]))

    n = torch.export.Dim("n")
    args, others = (torch.ones(3, 4),), {"z": torch.ones(3, 4)}
    assert condlint.check(forward, args, others, dynamic_shapes=({0: n}, {"z": {0: n}})).ok
    with pytest.raises(condlint.InputError, match="3 entries for 2 inputs"):
        condlint.check(forward, args, others, dynamic_shapes=({0: n}, {0: n}, None))
