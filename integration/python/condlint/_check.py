"""The functions of the package: check, run, dump, explain, and the tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import _models
from ._engine import Outcome, engine
from ._errors import CondlintError, InputError
from ._report import Report


def check(
    obj: Any,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    target: str | Sequence[str] | None = None,
    select: str | Sequence[str] | None = None,
    ignore: str | Sequence[str] | None = None,
    severity: Mapping[str, str] | None = None,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
) -> Report:
    """Finds the conditionals of a model whose branches do not fit together.

    Parameters
    ----------
    obj : path, bytes, ExportedProgram, ONNXProgram, ModelProto, onnx_ir.Model, dict, Module or callable
        A file or a folder (`.pt2`, `.onnx`, graph JSON, C++), a model in memory, or a live `torch.nn.Module`, which is
        run once on tensors without numbers. With `target="nnscaler"`: a module, a function or Python source.
    args, kwargs : optional
        The example inputs of a live module, as `torch.export.export` takes them.
    dynamic_shapes : optional
        Which sizes of the inputs can change, as `torch.export.export` takes it.
    target : str or sequence of str, optional
        The systems that will run the model: "torch@2.6", "tensorrt@10.3". Default: that which wrote it.
    select, ignore : str or sequence of str, optional
        The rules to check, or to leave out.
    severity : mapping, optional
        By rule: "error", "warning", "note" or "off".
    config : path or mapping, optional
        A configuration (`.condlint.json`), or its content. Default: for a file the nearest, for a model in memory none.

    Returns
    -------
    Report
        What was found; `report.raise_for_findings()` makes an exception of it.

    Raises
    ------
    InputError
        The input is none that can be analysed, or a module could not be run.
    MissingPackageError
        A live module is to be checked, and torch is not installed or too old.

    Examples
    --------
    >>> condlint.check("model.pt2", target="torch@2.6").ok
    >>> condlint.check(module, (x,), dynamic_shapes={"x": {0: torch.export.Dim("batch")}})
    """
    options = _options(target, select, ignore, severity, config)
    if options.get("target") and any(t.split("@")[0] == "nnscaler" for t in options["target"]):
        traced = _nnscaler(obj, args, options)
        if traced is not None:
            return traced
    model = _models.model_of(obj, args, kwargs, dynamic_shapes)
    outcome = engine().check(model.data, model.kind, model.name, options)
    return _report(outcome, model)


def run(
    model: Any,
    inputs: str | os.PathLike[str] | Mapping[str, Any] | Sequence[Any] | None = None,
    branch: str = "both",
    *,
    target: str | Sequence[str] | None = None,
    seed: int | None = None,
    rtol: float | None = None,
    atol: float | None = None,
) -> Report:
    """Executes a model, or both branches of each of its conditionals, and checks what happens.

    Parameters
    ----------
    model : path, bytes, ExportedProgram, ONNXProgram, ModelProto, onnx_ir.Model
        A model with its weights; one in memory stays as it is.
    inputs : path, mapping or sequence, optional
        A `.npz` (or a folder of ONNX tensors), or the arrays themselves, by name or in order. Default: they are drawn.
    branch : {"both", "taken"}
        Which branches are executed.
    target, seed, rtol, atol : optional
        As those of `condlint run`.
    """
    if branch not in ("both", "taken"):
        raise InputError(f"branch is {branch!r}; expected 'both' or 'taken'")
    options = {**_options(target, None, None, None, None), "branch": branch, "seed": seed, "rtol": rtol, "atol": atol}
    with _models.whole_model(model) as (data, kind, name), _models.arrays_file(inputs) as path:
        if path is not None:
            options["inputs"] = path
        given = {key: value for key, value in options.items() if value is not None}
        return _report(engine().run(data, kind, name, given), None)


def dump(obj: Any, form: str = "text") -> str:
    """The graphs that condlint sees in a model, as "text" or as "json" (docs/graph-json.md).

    Parameters
    ----------
    obj
        As for `check`; a live module is given as a tuple `(module, args)` or `(module, args, kwargs, dynamic_shapes)`.
    form : {"text", "json"}
    """
    if form not in ("text", "json"):
        raise InputError(f"form is {form!r}; expected 'text' or 'json'")
    live = obj if isinstance(obj, tuple) else (obj,)
    if len(live) not in (1, 2, 3, 4):
        raise InputError("a live module is given as (module, args), (module, args, kwargs) or (module, args, kwargs, dynamic_shapes)")
    model = _models.model_of(*live)
    return engine().dump(model.data, model.kind, model.name, form)


def explain(rule: str) -> str:
    """What a rule means, why it exists, an example of the break and of the repair, in Markdown."""
    if not isinstance(rule, str):
        raise InputError(f"rule is {rule!r}; expected the name of one, as condlint.rules() has them")
    return engine().explain(rule)


def rules() -> list[dict[str, Any]]:
    """The table of rules: id, group, summary, and severities by system and version."""
    table = engine().table("rules")
    return list(table["rules"] if isinstance(table, dict) else table)


def targets() -> list[dict[str, Any]]:
    """The systems whose rules are known, with their versions."""
    table = engine().table("targets")
    return list(table["targets"] if isinstance(table, dict) else table)


def version() -> str:
    """The version of condlint."""
    return engine().version()


def _report(outcome: Outcome, model: _models.Model | None) -> Report:
    data, text = outcome.data, outcome.text
    failed = [i for i in data["inputs"] if i["status"] == "failed"]
    if failed and len(failed) == len(data["inputs"]):
        raise InputError(f"{failed[0]['path']}: {failed[0]['reason']}")
    if model is not None and model.notes:
        for entry in data["inputs"]:
            entry["notes"] = [*entry.get("notes", []), *model.notes]
        text = "".join(f"{note}\n" for note in model.notes) + text
    return Report(data, text, outcome.page)


def _options(target: Any, select: Any, ignore: Any, severity: Any, config: Any) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in (("target", target), ("select", select), ("ignore", ignore)):
        if value is not None:
            out[name] = _words(name, value)
    if severity is not None:
        if not isinstance(severity, Mapping):
            raise InputError("severity is a mapping from rules to 'error', 'warning', 'note' or 'off'")
        out["severity"] = dict(severity)
    if isinstance(config, Mapping):
        out["config"] = dict(config)
    elif isinstance(config, (str, os.PathLike)):
        out["config"] = os.fspath(config)
    elif config is not None:
        raise InputError(f"config is {config!r}; expected a path, or what a .condlint.json holds as a dict")
    return out


def _words(name: str, value: Any) -> list[str]:
    if not isinstance(value, Iterable):
        raise InputError(f"{name} is a string or a list of strings, and not {value!r}")
    items = value.split(",") if isinstance(value, str) else list(value)
    for item in items:
        if not isinstance(item, str):
            raise InputError(f"{name} is a string or a list of strings, and {item!r} is none")
    return [item.strip() for item in items if item.strip()]


def _nnscaler(obj: Any, args: Any, options: dict[str, Any]) -> Report | None:
    from ._nnscaler import check_source, source_of

    del args
    source = source_of(obj)
    if source is None:
        return None
    if len(options["target"]) > 1:
        raise InputError("sources are traced for nnscaler alone: give it as the only target")
    return check_source(*source, options)


Check = Callable[..., Report]

__all__ = ["CondlintError", "check", "dump", "explain", "rules", "run", "targets", "version"]
