"""Where the analysis happens: the shared library in this process, or else the program."""

from __future__ import annotations

import functools
import html
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ._errors import EngineError, InputError

Options = Mapping[str, Any]


class Outcome:
    """A report: as JSON, as the program prints it, and as its page, which is made when it is asked for."""

    def __init__(self, data: dict[str, Any], text: str, page: Callable[[], str] | None = None) -> None:
        self.data = data
        self.text = text
        self.page = page


class Engine(Protocol):
    """What both ways offer. A model is a path or bytes; of bytes, `kind` ("pt2", "onnx", "json") says what they are."""

    def check(self, model: str | bytes, kind: str, name: str, options: Options) -> Outcome: ...

    def run(self, model: str | bytes, kind: str, name: str, options: Options) -> Outcome: ...

    def dump(self, model: str | bytes, kind: str, name: str, form: str) -> str: ...

    def explain(self, rule: str) -> str: ...

    def table(self, name: str) -> Any: ...

    def version(self) -> str: ...


class Library:
    """The shared library, through `_native`."""

    def __init__(self, native: Any) -> None:
        self._native = native

    def _done(self, result: Any, report: bool = True) -> Any:
        if result.status == self._native.INTERNAL:
            raise EngineError(f"condlint failed: {result.error}; please report it with the model that shows it")
        if result.error is not None:
            raise InputError(result.error)
        return Outcome(json.loads(result.render("json")), result.render("text")) if report else result

    def check(self, model: str | bytes, kind: str, name: str, options: Options) -> Outcome:
        native = self._native

        def ask(given: dict[str, Any]) -> Any:
            if isinstance(model, str):
                return native.check_path(model, given)
            return native.check_bytes(model, kind, name, given)

        def page() -> str:
            return str(self._done(ask({**options, "draw": True}), report=False).render("html"))

        outcome: Outcome = self._done(ask(dict(options)))
        outcome.page = page
        return outcome

    def run(self, model: str | bytes, kind: str, name: str, options: Options) -> Outcome:
        native = self._native
        result = (
            native.run_path(model, dict(options))
            if isinstance(model, str)
            else native.run_bytes(model, kind, name, dict(options))
        )
        return self._done(result)  # type: ignore[no-any-return]

    def dump(self, model: str | bytes, kind: str, name: str, form: str) -> str:
        native = self._native
        result = native.dump_path(model) if isinstance(model, str) else native.dump_bytes(model, kind, name)
        return str(self._done(result, report=False).render(form))

    def explain(self, rule: str) -> str:
        return str(self._done(self._native.explain(rule), report=False).render("text"))

    def table(self, name: str) -> Any:
        result = self._native.rules() if name == "rules" else self._native.targets()
        return json.loads(self._done(result, report=False).render("json"))

    def version(self) -> str:
        return str(self._native.version())


class Program:
    """The program `condlint`, a process a call."""

    def __init__(self, path: str) -> None:
        self.path = path

    def _call(self, *arguments: str) -> tuple[int, str, str]:
        try:
            done = subprocess.run(
                [self.path, *arguments], capture_output=True, text=True, encoding="utf-8", errors="replace", check=False
            )
        except OSError as error:
            raise EngineError(f"{self.path} cannot be run: {error}; reinstall condlint") from error
        return done.returncode, done.stdout, done.stderr

    def _answer(self, *arguments: str) -> str:
        code, out, errors = self._call(*arguments)
        if code == 2:
            raise InputError(_message(errors))
        if code not in (0, 1, 3):
            raise EngineError(f"condlint failed with exit code {code}: {_message(errors)}")
        return out

    def check(self, model: str | bytes, kind: str, name: str, options: Options) -> Outcome:
        outcome = self._report("check", model, kind, name, options)
        outcome.page = lambda: self._page(model, kind, name, options)
        return outcome

    def run(self, model: str | bytes, kind: str, name: str, options: Options) -> Outcome:
        return self._report("run", model, kind, name, options)

    def _page(self, model: str | bytes, kind: str, name: str, options: Options) -> str:
        with tempfile.TemporaryDirectory(prefix="condlint-") as folder:
            path = self._file(model, kind, folder)
            arguments = _arguments("check", isinstance(model, bytes), options, folder)
            page = self._answer("check", path, "--output", "html", *arguments)
        return page.replace(html.escape(path), html.escape(name)) if isinstance(model, bytes) else page

    def _report(self, command: str, model: str | bytes, kind: str, name: str, options: Options) -> Outcome:
        with tempfile.TemporaryDirectory(prefix="condlint-") as folder:
            path = self._file(model, kind, folder)
            text = os.path.join(folder, "report.txt")
            arguments = [command, path, "--output", "json", "--output", f"text={text}"]
            out = self._answer(*arguments, *_arguments(command, isinstance(model, bytes), options, folder))
            try:
                with open(text, encoding="utf-8", errors="replace") as file:
                    printed = file.read()
            except OSError:
                printed = ""
            if isinstance(model, bytes):
                out, printed = out.replace(path, _in_json(name)), printed.replace(path, name)
        return Outcome(json.loads(out), printed)

    def dump(self, model: str | bytes, kind: str, name: str, form: str) -> str:
        with tempfile.TemporaryDirectory(prefix="condlint-") as folder:
            return self._answer("dump", self._file(model, kind, folder), "--output", form)

    def explain(self, rule: str) -> str:
        return self._answer("explain", rule)

    def table(self, name: str) -> Any:
        return json.loads(self._answer(name, "--output", "json"))

    def version(self) -> str:
        words = self._answer("--version").split()
        return words[1] if len(words) > 1 else "unknown"

    @staticmethod
    def _file(model: str | bytes, kind: str, folder: str) -> str:
        if isinstance(model, str):
            return model
        path = os.path.join(folder, f"model.{kind}")
        with open(path, "wb") as file:
            file.write(model)
        return path


def _in_json(name: str) -> str:
    return json.dumps(name)[1:-1]


def _message(errors: str) -> str:
    lines = [line.removeprefix("condlint: ").removeprefix("error: ") for line in errors.strip().splitlines()]
    return "; ".join(line.strip() for line in lines[:4]) or "it said nothing"


def _arguments(command: str, in_memory: bool, options: Options, folder: str) -> list[str]:
    """The options as the command line has them; what only a configuration can say goes into one."""
    out: list[str] = []
    config: dict[str, Any] = {}
    given = options.get("config")
    if isinstance(given, Mapping):
        config.update(given)
    for target in options.get("target") or ():
        out += ["--target", target]
    for key in ("select", "ignore"):
        if options.get(key):
            out += [f"--{key}", ",".join(options[key])]
    if options.get("severity"):
        if isinstance(given, str):
            with open(given, encoding="utf-8") as file:
                config.update(json.load(file))
        config["severity"] = {**config.get("severity", {}), **options["severity"]}
    for key in ("inputs", "expect", "save", "branch", "device", "seed", "rtol", "atol"):
        if options.get(key) is not None:
            out += [f"--{key}", str(options[key])]
    if config:
        path = os.path.join(folder, "config.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config, file)
        out += ["--config", path]
    elif isinstance(given, str):
        out += ["--config", given]
    elif in_memory or given is False:
        out += ["--no-config"]
    return [] if command not in ("check", "run") else out


def find_program() -> str | None:
    """The program: of this package, of the variable CONDLINT_PROGRAM, of the environment, on the path."""
    named = os.environ.get("CONDLINT_PROGRAM")
    if named:
        return named if os.access(named, os.X_OK) else None
    here = os.path.dirname(os.path.abspath(__file__))
    suffix = ".exe" if sys.platform == "win32" else ""
    folders = [os.path.join(here, "_bin"), sysconfig.get_path("scripts") or "", os.path.dirname(sys.executable)]
    for folder in folders:
        path = os.path.join(folder, "condlint" + suffix)
        if os.access(path, os.X_OK) and not _is_script(path):
            return path
    found = shutil.which("condlint")
    return found if found and not _is_script(found) else None


def _is_script(path: str) -> bool:
    """A script of Python's would call this package again."""
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


@functools.lru_cache(maxsize=1)
def engine() -> Engine:
    """The way to analyse that works here: in this process where it can be, else with the program."""
    why = ""
    if not os.environ.get("CONDLINT_PROGRAM"):
        try:
            from . import _native  # type: ignore[attr-defined,unused-ignore]

            _native.library()
            return Library(_native)
        except ImportError:
            why = "the package has no library"
        except OSError as error:
            why = str(error)
    program = find_program()
    if program is None:
        named = os.environ.get("CONDLINT_PROGRAM")
        raise EngineError(
            (f"CONDLINT_PROGRAM names {named}, which is no program" if named else f"condlint's own program was not found ({why})")
            + ": install the wheel (pip install condlint), or set CONDLINT_PROGRAM to a condlint that was built"
        )
    return Program(program)
