#!/usr/bin/env python3
"""Draws torch modules with several conditionals, from a seed: what the ExecuTorch oracle holds condlint against.

`draw(seed)` gives (source, module, inputs): the source of forward(p, q, x, w, b), and inputs for each pair of predicates.
"""
import random

import torch

UNARY = ["torch.sin", "torch.cos", "torch.exp", "torch.neg", "torch.abs", "torch.tanh", "torch.sigmoid"]
UNARY_OF_INTEGERS = ["torch.neg", "torch.abs"]
BINARY = ["torch.add", "torch.mul", "torch.sub", "torch.maximum"]
# What is several kernels, or one with memory of its own.
COMPOSED = ["torch.nn.functional.gelu({0})", "torch.softmax({0}, -1)", "{0}.sum(-1, keepdim=True).expand(x.shape).clone()",
            "torch.where({0} > 0.2, {0}, x)", "torch.clamp({0}, -0.5, 0.5)", "torch.nn.functional.layer_norm({0}, {0}.shape[-1:])"]
# What stands between a conditional and the next one.
KEPT = ["{0}.clone()", "{0} * 2", "{0}.view(-1).view(x.shape)", "{0}.reshape(x.shape)", "{0}.contiguous()", "{0} + x",
        "{0}.flatten().reshape(x.shape)", "{0}.unsqueeze(0).squeeze(0)", "{0}.unsqueeze(0)[0]", "{0}.t().reshape(x.shape)",
        "{0}.expand(x.shape)", "{0}.to({0}.dtype)", "torch.flip({0}, [0])", "{0}.view(1, -1).squeeze(0).view(x.shape)",
        "torch.cat([{0}, {0}])[:x.shape[0]]"]
SHAPES = [(4,), (4,), (2, 2), (6,), (3, 5), (16,), (1,), (40,)]


class Drawing:
    def __init__(self, rng):
        self.rng = rng
        self.shape = rng.choice(SHAPES)
        self.dtype = rng.choice(["float32"] * 6 + ["float64", "int32", "int64"])
        self.real = self.dtype.startswith("float")
        self.unary = UNARY if self.real else UNARY_OF_INTEGERS
        self.kept = [k for k in KEPT if len(self.shape) < 3]
        self.inner = 0

    def branch(self, name, parameters, outputs, depth):
        """Lines of a branch function: a chain of kernels, some of which read parameters again."""
        rng = self.rng
        lines = [f"def {name}({', '.join(parameters)}):"]
        values = list(parameters)
        made = []
        nests = depth < 2 and rng.random() < (0.2 if depth == 0 else 0.1)
        for i in range(rng.randint(1, 3) + outputs - 1):
            v = f"v{i}"
            how = rng.random()
            if nests and i == 0:
                self.inner += 1
                inner, operand = self.inner, rng.choice(values)
                for side in ("t", "f"):
                    lines += ["    " + line for line in self.branch(f"{side}_inner{inner}", ["c0"], 1, depth + 1)]
                lines.append(f"    {v} = torch.cond({operand}.sum() > {rng.choice(['0', '1', '-1'])}, t_inner{inner}, "
                             f"f_inner{inner}, ({operand},))")
            elif how < 0.55:
                lines.append(f"    {v} = {rng.choice(self.unary)}({rng.choice(values)})")
            elif how < 0.92 or not self.real:
                lines.append(f"    {v} = {rng.choice(BINARY)}({rng.choice(values)}, {rng.choice(values)})")
            else:
                text = rng.choice(COMPOSED).replace("x.shape", f"{values[0]}.shape").replace(", x)", f", {values[0]})")
                lines.append(f"    {v} = {text.format(rng.choice(values))}")
            values.append(v)
            made.append(v)
        if rng.random() < 0.1:
            lines.append(f"    wide = torch.cat([{made[-1]}, {parameters[0]}])")
            lines.append(f"    {made[-1]} = {self.unary[0]}(wide[:{self.shape[0]}])")
        lines.append("    return " + (made[-1] if outputs == 1 else "(" + ", ".join(made[-outputs:]) + ",)"))
        return lines

    def source(self):
        rng = self.rng
        lines = ["def forward(p, q, x, w, b):"]
        live = ["x"] + rng.sample(["w", "b"], rng.choice([0, 0, 1, 2]))
        returned = []
        for k in range(rng.choice([1, 2, 2, 2, 3, 3, 4])):
            outputs = rng.choice([1, 1, 1, 2, 3])
            operands = rng.sample(live, min(len(live), rng.choice([1, 1, 2])))
            names = [f"a{i}" for i in range(len(operands))]
            results = [f"y{k}_{i}" for i in range(outputs)]
            if k > 0 and rng.random() < 0.08:
                lines.append(f"    {results[0]} = functorch_map(lambda row: {rng.choice(self.unary)}(row), {operands[0]})")
                results = results[:1]
            else:
                for side in ("t", "f"):
                    lines += ["    " + line for line in self.branch(f"{side}{k}", names, outputs, 0)]
                predicate = rng.choice(["p", "q", f"{operands[0]}.sum() > 0"])
                lines.append(f"    {', '.join(results)}{',' if outputs > 1 else ''} = torch.cond({predicate}, t{k}, f{k}, "
                             f"({', '.join(operands)},))")
            for r in results:
                if rng.random() < 0.5:
                    lines.append(f"    {r} = {rng.choice(self.kept).format(r)}")
                if rng.random() < 0.8:
                    live.append(r)
                    returned.append(r)
        returned = returned or ["x"]
        if rng.random() < 0.5:
            lines.append("    return " + " + ".join(rng.sample(returned, rng.randint(1, len(returned)))) + " + x")
        else:
            ends = [f"{v} * 2" if rng.random() < 0.3 else f"{v}.view(-1)" if rng.random() < 0.1 else v for v in returned]
            lines.append("    return (" + ", ".join(ends) + ",)")
        return "\n".join(lines)


class Module(torch.nn.Module):
    def __init__(self, function, w, b):
        super().__init__()
        self.function = function
        self.w = torch.nn.Parameter(w, requires_grad=False)
        self.register_buffer("b", b)

    def forward(self, p, q, x):
        return self.function(p, q, x, self.w, self.b)


def text_of(seed):
    return Drawing(random.Random(seed)).source()


def draw(seed):
    from torch._higher_order_ops.map import map as functorch_map

    drawing = Drawing(random.Random(seed))
    text = drawing.source()
    scope = {"torch": torch, "functorch_map": functorch_map}
    exec(text, scope)  # what was drawn here
    count = 1
    for size in drawing.shape:
        count *= size
    dtype = getattr(torch, drawing.dtype)

    def tensor(low, high):
        ramp = torch.linspace(low, high, count).reshape(drawing.shape)
        return ramp.to(dtype) if drawing.real else (ramp * 4).round().to(dtype)

    xs = [tensor(0.3, 1.2), tensor(-1.1, 0.4)]
    ways = [(torch.tensor(a), torch.tensor(b), x) for x in xs for a in (True, False) for b in (True, False)]
    return text, Module(scope["forward"], tensor(0.5, -0.7), tensor(-0.2, 0.9)), ways
