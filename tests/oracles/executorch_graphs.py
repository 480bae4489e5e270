#!/usr/bin/env python3
"""Draws torch modules with several conditionals, from a seed: what the ExecuTorch oracle holds condlint against.

`draw(seed)` gives (source, module, inputs): the source of forward(p, q, x), and inputs for each pair of predicates.
"""
import random

import torch

UNARY = ["torch.sin", "torch.cos", "torch.exp", "torch.neg", "torch.abs", "torch.tanh", "torch.sigmoid"]
BINARY = ["torch.add", "torch.mul", "torch.sub", "torch.maximum"]
KEPT = ["{0}", "{0}.clone()", "{0} * 2.0", "{0}.view(2, 2).view(4)", "{0}.reshape(4)", "{0}.contiguous()",
        "{0}.view(2, 2).t().reshape(4)", "{0} + x"]


def branch(rng, name, parameters, outputs):
    """Lines of a branch function: a chain of kernels, some of which read parameters again."""
    lines = [f"def {name}({', '.join(parameters)}):"]
    values = list(parameters)
    made = []
    for i in range(rng.randint(1, 3) + outputs - 1):
        v = f"v{i}"
        if rng.random() < 0.6:
            lines.append(f"    {v} = {rng.choice(UNARY)}({rng.choice(values)})")
        else:
            lines.append(f"    {v} = {rng.choice(BINARY)}({rng.choice(values)}, {rng.choice(values)})")
        values.append(v)
        made.append(v)
    if rng.random() < 0.1:
        lines.append(f"    wide = torch.cat([{made[-1]}, {parameters[0]}])")
        lines.append(f"    {made[-1]} = torch.sin(wide[:4])")
    lines.append("    return " + (made[-1] if outputs == 1 else "(" + ", ".join(made[-outputs:]) + ",)"))
    return lines


def source(rng):
    lines = ["def forward(p, q, x):"]
    live = ["x"]
    for k in range(rng.randint(2, 3)):
        outputs = rng.choice([1, 1, 1, 2])
        operands = rng.sample(live, min(len(live), rng.choice([1, 1, 2])))
        names = [f"a{i}" for i in range(len(operands))]
        for side in ("t", "f"):
            lines += ["    " + line for line in branch(rng, f"{side}{k}", names, outputs)]
        results = [f"y{k}_{i}" for i in range(outputs)]
        predicate = rng.choice(["p", "q", f"{operands[0]}.sum() > 0.5"])
        lines.append(f"    {', '.join(results)}{',' if outputs > 1 else ''} = torch.cond({predicate}, t{k}, f{k}, "
                     f"({', '.join(operands)},))")
        for r in results:
            kept = rng.choice(KEPT) if rng.random() < 0.5 else "{0}"
            if kept != "{0}":
                lines.append(f"    {r} = {kept.format(r)}")
            if rng.random() < 0.8:
                live.append(r)
    returned = [v for v in live if v != "x"] or ["x"]
    if rng.random() < 0.5:
        lines.append("    return " + " + ".join(rng.sample(returned, rng.randint(1, len(returned)))) + " + x")
    else:
        lines.append("    return (" + ", ".join(f"{v} * 1.5" if rng.random() < 0.3 else v for v in returned) + ",)")
    return "\n".join(lines)


class Module(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, p, q, x):
        return self.function(p, q, x)


def draw(seed):
    rng = random.Random(seed)
    text = source(rng)
    scope = {"torch": torch}
    exec(text, scope)  # what was drawn here
    x = torch.linspace(0.3, 1.2, 4) if seed % 2 else torch.tensor([-0.8, 0.4, 1.1, -0.2])
    ways = [(torch.tensor(a), torch.tensor(b), x) for a in (True, False) for b in (True, False)]
    return text, Module(scope["forward"]), ways
