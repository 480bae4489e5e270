#!/usr/bin/env python3
"""The documents say what the program does.

    documents.py [--write]

Compares the tables of rules and targets in README.md with `condlint rules` and `condlint targets`, the transcripts in it
(```console blocks that begin with `$ ./run ...`) with what these commands print now, the options in the usage page, the man
page and the completions with `condlint check --help`, and looks whether every relative link in a document leads somewhere.
--write brings tables and transcripts up to date. CONDLINT_SOURCE and CONDLINT_BUILD name the two folders.
"""
import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.environ.get("CONDLINT_SOURCE") or os.path.dirname(os.path.dirname(HERE))
BUILD = os.environ.get("CONDLINT_BUILD") or os.path.join(SOURCE, "build", "release")
PROGRAM = os.path.join(BUILD, "tool", "condlint")
COLUMNS = ["torch", "aoti", "tensorrt", "onnx", "onnxruntime"]
LETTERS = {"error": "E", "warning": "W", "note": "N", "off": ""}


def condlint(*arguments):
    return subprocess.run([PROGRAM, *arguments], cwd=SOURCE, capture_output=True, text=True, check=False).stdout


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def rules_table():
    lines = []
    group = None
    for rule in json.loads(condlint("rules", "--output", "json"))["rules"]:
        if not rule["graph"] and "torch" not in rule["source"]:
            continue
        if rule["group"] != group:
            group = rule["group"]
            lines += ["", f"**{group}**", "", "| rule | what must hold | " + " | ".join(COLUMNS) + " |",
                      "|---|---|" + ":-:|" * len(COLUMNS)]
        letters = " | ".join(LETTERS[rule["severity"][c]] for c in COLUMNS)
        lines.append(f"| [`{rule['id']}`](checks/{rule['id']}.md) | {rule['summary']} | {letters} |")
    return "\n".join(lines[1:])


def targets_table():
    lines = ["| target | newest known | what it is | versions |", "|---|---|---|---|"]
    for t in json.loads(condlint("targets", "--output", "json"))["targets"]:
        lines.append(f"| `{t['name']}` | {t['newest'] or ''} | {t['summary']} | {t['versions']} |")
    return "\n".join(lines)


def brought_up_to_date(text):
    for name, table in (("rules", rules_table()), ("targets", targets_table())):
        mark = re.compile(f"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.S)
        text = mark.sub(lambda m: f"{m[1]}{table}\n{m[2]}", text)

    def transcript(match):
        arguments = shlex.split(match[1])
        return f"```console\n$ ./run {match[1]}\n{condlint(*arguments)}```"

    return re.sub(r"```console\n\$ \./run ([^\n]*)\n.*?```", transcript, text, flags=re.S)


def stale_tables(write):
    text = read("README.md")
    fresh = brought_up_to_date(text)
    if fresh == text:
        return []
    if write:
        with open(os.path.join(SOURCE, "README.md"), "w", encoding="utf-8") as file:
            file.write(fresh)
        return []
    changed = [f"  - {a}\n  + {b}" for a, b in zip(text.splitlines(), fresh.splitlines()) if a != b][:3]
    return ["README.md is not what the program says; tests/project/documents.py --write mends it\n" + "\n".join(changed)]


def missing_options():
    problems = []
    commands = ("check", "run", "explain", "dump", "rules", "targets")
    options = sorted({option for command in commands for option in re.findall(r"--[a-z][a-z-]+", condlint(command, "--help"))} - {"--help"})
    for name in ("docs/usage.md", "docs/condlint.1", "tool/completions/condlint.bash", "tool/completions/_condlint",
                 "tool/completions/condlint.fish"):
        text = read(name).replace("\\-", "-")
        problems += [f"{name} does not know {command}" for command in commands if command not in text]
        for option in options:
            spelled = f"-l {option[2:]}" if name.endswith(".fish") else option
            if spelled not in text:
                problems.append(f"{name} does not know {option}")
    return problems


def dead_links():
    problems = []
    for folder, _, names in os.walk(SOURCE):
        relative = os.path.relpath(folder, SOURCE)
        if relative.split(os.sep)[0] in (".git", "build") or "data" in relative.split(os.sep):
            continue
        for name in names:
            if not name.endswith(".md"):
                continue
            document = os.path.normpath(os.path.join(relative, name))
            for link in re.findall(r"\]\(([^)#]+)[^)]*\)", re.sub(r"```.*?```|`[^`\n]*`", "", read(document), flags=re.S)):
                if "://" not in link and not os.path.exists(os.path.join(folder, link)):
                    problems.append(f"{document}: {link} is not there")
    return problems


def main():
    problems = stale_tables("--write" in sys.argv[1:]) + missing_options() + dead_links()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
