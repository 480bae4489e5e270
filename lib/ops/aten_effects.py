#!/usr/bin/env python3
# Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Regenerates AtenEffects.inc: what every overload of ATen and prims takes,
writes, aliases and draws.

    python3 lib/ops/aten_effects.py --print > SCHEMAS       (in an older release)
    python3 lib/ops/aten_effects.py --older SCHEMAS [--output AtenEffects.inc]

The rows come from the operator schemas of the installed torch. Those of older
releases, one a line, add what has gone since, so that models of both are known.
What a schema does not say, or says more strongly than it is, is corrected below.
"""
import argparse
import pathlib
import re
import sys

EVERY = 255  # an alias of every result: the operator returns a list

# Views in the schema that copy when the operand does not suit: they may alias.
MAY = set("""reshape reshape_as contiguous to flatten ravel pin_memory coalesce resolve_conj resolve_neg
_autocast_to_full_precision _autocast_to_reduced_precision _grad_sum_to_size _sparse_broadcast_to
_unpack_dual slice_inverse""".split())

# Operators that return an argument, or a view of it, although their schema
# claims a new tensor: (argument, sure). Whether dropout copies depends on its
# arguments; its definition decides.
HIDDEN = {
    "dropout": ("input", False), "feature_dropout": ("input", False), "alpha_dropout": ("input", False),
    "feature_alpha_dropout": ("input", False), "type_as": ("self", False), "lift": ("self", True),
    "atleast_1d": ("self", True), "atleast_2d": ("self", True), "atleast_3d": ("self", True),
    "sum_to_size": ("self", False), "conj_physical": ("self", False), "to_dense": ("self", False),
    "_to_dense": ("self", False), "einsum": ("tensors", False), "_unsafe_view": ("self", False),
    "unsafe_split": ("self", False), "unsafe_chunk": ("self", False), "unsafe_split_with_sizes": ("self", False),
    "pixel_shuffle": ("self", False), "pixel_unshuffle": ("self", False), "channel_shuffle": ("self", False),
    "broadcast_tensors": ("tensors", True), "meshgrid": ("tensors", True), "_cast_Byte": ("self", False),
    "_cast_Char": ("self", False), "_cast_Double": ("self", False), "_cast_Float": ("self", False),
    "_cast_Half": ("self", False), "_cast_Int": ("self", False), "_cast_Long": ("self", False),
    "_cast_Short": ("self", False), "data": ("self", True), "cpu": ("self", False), "cuda": ("self", False),
    "real": ("self", True), "conj": ("self", True), "set_": ("source", False),
}
# The same for overloads that take several tensors and return as many.
HIDDEN_OVERLOADS = {"aten.atleast_1d.Sequence", "aten.atleast_2d.Sequence", "aten.atleast_3d.Sequence"}

# Reads of a value by the host that carry no tag.
HOST_SYNC = {"is_nonzero", "Bool", "Int", "Float", "Complex", "IntImplicit", "FloatImplicit", "ScalarImplicit",
             "ComplexImplicit", "item", "_local_scalar_dense", "equal", "allclose", "tolist"}
VALUE_OVERLOADS = {"Bool", "Int", "Float", "Complex"}  # only their Tensor overload

FLAGS = {"nondeterministic_seeded": "R", "data_dependent_output": "H", "dynamic_output_shape": "D",
         "inplace_view": "V"}


# A letter for each type of an argument, for finding the overload that a C++ call means.
LETTERS = {
    "Tensor": "T", "Optional[Tensor]": "t", "List[Tensor]": "L", "List[Optional[Tensor]]": "l", "number": "s",
    "Optional[number]": "z", "List[number]": "Z", "int": "i", "Optional[int]": "j", "List[int]": "I",
    "Optional[List[int]]": "J", "bool": "b", "Optional[bool]": "c", "List[bool]": "B", "float": "f",
    "Optional[float]": "g", "List[float]": "F", "Optional[List[float]]": "G", "Generator": "r",
    "Optional[Generator]": "r", "str": "S", "Optional[str]": "u", "MemoryFormat": "m", "Optional[MemoryFormat]": "n",
    "Device": "v", "Optional[Device]": "v", "Layout": "y", "Optional[Layout]": "y", "ScalarType": "d",
    "Optional[ScalarType]": "e",
}


def integers(schema, name):
    """$ behind SymInt and lists of it, # behind a list of int whose length the schema says, for the argument."""
    written = re.search(rf"(SymInt|int)(\[\d*\])?\??(?:\(.*?\))? {name}[,=)]", str(schema))
    if not written:
        return ""
    return "$" if written.group(1) == "SymInt" else "#" if written.group(2) and written.group(2) != "[]" else ""


def parameters(schema):
    """"self:T other:T alpha:s=": the arguments of a schema, with a letter for each type, marks of integers and = behind
    a default."""
    words = []
    for a in schema.arguments:
        # The types that a program sees are written in the schema; what the
        # interpreter makes of them (an int for a dtype) is not.
        words.append(f"{a.name}:{LETTERS.get(str(a.real_type), 'x')}{integers(schema, a.name)}"
                     f"{'=' if a.has_default_value() else ''}")
    return " ".join(words)


def results(schema):
    """How many values an overload returns; 0 where a list is among them."""
    return 0 if any("List" in str(r.type) for r in schema.returns) else len(schema.returns)


def refine(key, writes, aliases, tags, listed, argument_names):
    """The row of one overload: writes, {(result, argument, sure)}, flags."""
    domain, name, overload = key.split(".", 2)
    flags = {FLAGS[t] for t in tags if t in FLAGS}
    aliases = {(r, a): (domain != "aten" or name not in MAY) for r, a in aliases}
    if domain == "aten":
        hidden = HIDDEN.get(name)
        if hidden and hidden[0] in argument_names and not (overload == "out" or overload.endswith("_out")):
            aliases.setdefault((EVERY if listed else 0, hidden[0]), hidden[1])
        if key in HIDDEN_OVERLOADS:
            aliases.setdefault((EVERY, "tensors"), True)
        if name in HOST_SYNC and (name not in VALUE_OVERLOADS or overload == "Tensor"):
            if not overload.endswith("out"):
                flags.add("H")
    rows = tuple(sorted((r, a, sure) for (r, a), sure in aliases.items()))
    return tuple(writes), rows, "".join(sorted(flags))


def installed():
    """The schemas of ATen and prims."""
    import torch
    import torch._prims  # registers prims
    return [s for s in torch._C._jit_get_all_schemas() if s.name.partition("::")[0] in ("aten", "prims")]


def read(path):
    """Those that another release printed."""
    import torch
    return [torch._C.parse_schema(line) for line in pathlib.Path(path).read_text().splitlines() if line]


def rows_of(schemas):
    import torch
    rows, takes, yields = {}, {}, {}
    for s in schemas:
        domain, _, name = s.name.partition("::")
        overload = s.overload_name or "default"
        key = f"{domain}.{name}.{overload}"
        owner, writes, tensors = {}, [], set()
        labels = dict(re.findall(r"\((\w+)!?(?: -> \*)?\)\S* (\w+)", str(s).rsplit(" -> ", 1)[0]))
        for a in s.arguments:
            # Only tensors: lists of numbers have aliases too (`append`), but
            # no model holds them.
            text = str(a.type)
            if "Tensor" not in text:
                continue
            tensors.add(a.name)
            info = a.alias_info
            if info is None:
                continue
            for label in info.before_set:
                owner[label.rsplit("::", 1)[-1]] = a.name
            if info.is_write:
                writes.append(a.name)
        # A list of views: its elements alias, which only the text says.
        viewed = re.search(r"Tensor\((\w+)\)\[\]", str(s).rsplit(" -> ", 1)[1])
        aliases, listed = set(), False
        if viewed and viewed.group(1) in labels:
            aliases.add((EVERY, labels[viewed.group(1)]))
        for i, r in enumerate(s.returns):
            if "List[Tensor]" in str(r.type):
                listed = True
            if r.alias_info is None:
                continue
            for label in r.alias_info.before_set:
                source = owner.get(label.rsplit("::", 1)[-1])
                if source:
                    aliases.add((EVERY if "List[Tensor]" in str(r.type) else i, source))
        try:
            tags = [str(t).split(".")[-1] for t in getattr(getattr(getattr(torch.ops, domain), name), overload).tags]
        except (AttributeError, RuntimeError):
            tags = []
        rows[key] = (writes, aliases, tags, listed, tensors)
        takes[key] = parameters(s)
        yields[key] = results(s)
    return rows, takes, yields


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--older", help="schemas of an older release, of which what has gone is added")
    parser.add_argument("--output", default=str(pathlib.Path(__file__).with_name("AtenEffects.inc")))
    parser.add_argument("--print", action="store_true", help="print the schemas of the installed torch; write nothing")
    options = parser.parse_args()
    import torch
    if options.print:
        return print("\n".join(sorted(str(s) for s in installed())))
    parts, takes, yields = rows_of(installed())
    for known, older in zip((parts, takes, yields), rows_of(read(options.older)) if options.older else ()):
        known.update({key: row for key, row in older.items() if key not in known})
    rows = {k: refine(k, *v) for k, v in parts.items()}

    # Parameters, signatures and argument names are shared by many rows.
    lists = sorted({takes.get(k, "") for k in rows if k.startswith("aten.")} | {""})
    taken = {p: i for i, p in enumerate(lists)}
    arguments = sorted({a for w, al, _ in rows.values() for a in list(w) + [x[1] for x in al]})
    signatures = sorted({(w, al) for w, al, _ in rows.values()})
    where = {s: i for i, s in enumerate(signatures)}
    out = [
        "//===- AtenEffects.inc - What ATen overloads write and alias ----*- C++ -*-===//",
        "//",
        "// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.",
        "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
        "//",
        "//===----------------------------------------------------------------------===//",
        "//",
        f"// Generated by aten_effects.py from torch {torch.__version__.split('+')[0]}; do not edit.",
        "//",
        "//===----------------------------------------------------------------------===//",
        "// The names of operators are torch's.",
        "// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)",
        "#ifdef ATEN_ARGUMENT // (identifier, name)",
    ]
    out += [f'ATEN_ARGUMENT({a}, "{a}")' for a in arguments]
    out += ["#undef ATEN_ARGUMENT", "#endif", "#ifdef ATEN_WRITE // (argument): the writes of the signatures, in order"]
    out += [f"ATEN_WRITE({a})" for w, _ in signatures for a in w]
    out += ["#undef ATEN_WRITE", "#endif", "#ifdef ATEN_ALIAS // (result, argument, kind)"]
    out += [f"ATEN_ALIAS({r}, {a}, {'Must' if sure else 'May'})" for _, al in signatures for r, a, sure in al]
    out += ["#undef ATEN_ALIAS", "#endif", "#ifdef ATEN_SIGNATURE // (first write, writes, first alias, aliases)"]
    w = a = 0
    for writes, aliases in signatures:
        out.append(f"ATEN_SIGNATURE({w}, {len(writes)}, {a}, {len(aliases)})")
        w, a = w + len(writes), a + len(aliases)
    out += ["#undef ATEN_SIGNATURE", "#endif",
            "#ifdef ATEN_PARAMETERS // (identifier, name and type of each parameter)"]
    out += [f'ATEN_PARAMETERS(p{i}, "{p}")' for i, p in enumerate(lists)]
    out += ["#undef ATEN_PARAMETERS", "#endif",
            "#ifdef ATEN_OVERLOAD // (identifier, name, signature, parameters, "
            "flags: Random, Host sync, Dynamic shape, View change; number of results)"]
    seen = set()
    bits = {"R": 1, "H": 2, "D": 4, "V": 8}
    for key in sorted(rows):
        writes, aliases, flags = rows[key]
        identifier = key.replace(".", "_")
        if identifier in seen:
            sys.exit(f"{key} and another overload have the same identifier")
        seen.add(identifier)
        out.append(f'ATEN_OVERLOAD({identifier}, "{key}", {where[(writes, aliases)]}, '
                   f"{taken[takes.get(key, '') if key.startswith('aten.') else '']}, "
                   f"{sum(bits[f] for f in flags)}, {yields.get(key, 0)})")
    out += ["#undef ATEN_OVERLOAD", "#endif",
            "// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)", ""]
    pathlib.Path(options.output).write_text("\n".join(out))
    print(f"{len(rows)} overloads, {len(signatures)} signatures, {len(arguments)} argument names")


if __name__ == "__main__":
    main()
