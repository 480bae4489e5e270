#!/usr/bin/env python3
"""The documents say what the program does.

    documents.py [--write | --links]

- The tables of rules and targets in README.md are those of `condlint rules` and `condlint targets`, and the transcripts in it
  (```console blocks that begin with `$ ./run ...`) are what these commands print now. --write brings both up to date.
- The severities on a rule's page are those of the table of rules.
- The usage page, the man page and the completions know the options of each command, those that its --help lists, and no
  others; no command line in a document has an option that its command does not take.
- The usage page, the man page, the page of formats and the script that checks reports name each format that `condlint check --help` lists.
- Each label of a constraint in a rule's page or in a comment has its line in docs/constraints.md, and each line its use.
- The page on graphs of source names each operator and attribute of condlint/SourceGraph.h, and no operator that is not there.
- The program that the usage page shows is the one that tests/project/consumer builds.
- Every relative link in a document leads somewhere. With --links only these are looked at, as for installed documents.

CONDLINT_SOURCE and CONDLINT_BUILD name the two folders.
"""
import functools
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
COMMANDS = ("check", "merge", "run", "show", "compare", "dump", "explain", "rules", "targets", "lsp")
LETTERS = {"error": "E", "warning": "W", "note": "N", "off": ""}


def condlint(*arguments):
    return subprocess.run([PROGRAM, *arguments], cwd=SOURCE, capture_output=True, text=True, check=False).stdout


COLUMNS = [t["name"] for t in json.loads(condlint("targets", "--output", "json") or '{"targets": []}')["targets"]]


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def files(*suffixes, below="."):
    """Our own files with these suffixes, relative to the source folder."""
    for folder, folders, names in os.walk(os.path.join(SOURCE, below)):
        folders[:] = [f for f in folders if f not in (".git", "build", "data", "node_modules")]
        yield from (os.path.relpath(os.path.join(folder, n), SOURCE) for n in names if n.endswith(suffixes))


# Tables and transcripts

def rules_table():
    groups = {}
    for rule in json.loads(condlint("rules", "--output", "json"))["rules"]:
        groups.setdefault(rule["group"], []).append(rule)
    lines = []
    for group, rules in groups.items():
        columns = [c for c in COLUMNS if any(r["severity"][c] != "off" for r in rules)]
        lines += ["", f"**{group}**", "", "| rule | what must hold | " + " | ".join(columns) + " |",
                  "|---|---|" + ":-:|" * len(columns)]
        for r in rules:
            letters = " | ".join(LETTERS[r["severity"][c]] for c in columns)
            lines.append(f"| [`{r['id']}`](checks/{r['id']}.md) | {r['summary']} | {letters} |")
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


def wrong_severities():
    """Of each system a page names what holds for its newest version, and no severity that no version and no variant has."""
    problems = []
    for rule in json.loads(condlint("rules", "--output", "json"))["rules"]:
        page = f"checks/{rule['id']}.md"
        rows = re.findall(r"(?m)^\| ([^|\n]*) \| ([^|\n]*) \|$", read(page))
        said = {}
        for systems, cell in rows:
            for system in re.sub(r" \([^)]*\)", "", systems).split(", "):
                said.setdefault(system, set()).update(re.findall(r"\b(error|warning|note|allowed)\b", cell))
        for system in COLUMNS:
            newest = rule["severity"][system].replace("off", "allowed")
            known = {newest, *(r["severity"].replace("off", "allowed") for r in rule["rows"] if r["system"] == system)}
            stated = said.get(system, {"allowed"}) or {"allowed"}
            if (newest not in stated and newest != "allowed") or not stated <= known | {"allowed"}:
                problems.append(f"{page}: {system} is {' or '.join(sorted(stated))}, in rules.json {newest}")
    return problems


# Options

OPTION = r"(?<![\w-])(--[a-z][a-z-]*|-[a-z])(?![\w-])"


@functools.cache
def aliases(command):
    """The options of a command as its help lists them: [("-j", "--jobs"), ...], without --help."""
    listed = re.findall(r"(?m)^  (-\S+)", condlint(command, "--help"))
    return [names for names in (tuple(re.findall(OPTION, re.sub("[,:]", " ", entry))) for entry in listed) if "--help" not in names]


def options(command):
    return {name for names in aliases(command) for name in names}


def sections_of_usage():
    """{command: options} of the tables under the headings `Options of COMMAND`."""
    found = {}
    for heading, body in re.findall(r"(?ms)^##+ (Options of [^\n]*)\n(.*?)(?=^#|\Z)", read("docs/usage.md")):
        first_cells = " ".join(re.findall(r"(?m)^\| ((?:\\\||[^|])*)", body))
        for command in set(re.findall(r"\w+", heading)) & set(COMMANDS):
            found[command] = set(re.findall(OPTION, first_cells))
    return found


def sections_of_man_page():
    text = re.sub(r"\\f[A-Z]", "", read("docs/condlint.1").replace("\\-", "-"))
    found = {}
    for heading, body in re.findall(r"(?ms)^\.SH ([^\n]*)\n(.*?)(?=^\.SH|\Z)", text):
        for command in set(re.findall(r"\w+", heading.lower())) & set(COMMANDS):
            found[command] = set(re.findall(OPTION, body))
    return found


def sections_of_bash():
    found = {}
    for commands, words in re.findall(r'(?m)^ *([a-z| ]+)\) word="([^"]*)"', read("tool/completions/condlint.bash")):
        for command in re.findall(r"\w+", commands):
            found[command] = set(words.split()) - {"--help"}
    return found


def sections_of_zsh():
    text = read("tool/completions/_condlint")
    text = text[text.index("case $line[1]"):].replace("$format", "--output")
    found = {}
    for commands, body in re.findall(r"(?ms)^ {8}([a-z| ]+)\)(.*?);;", text):
        words = re.sub(r"\[[^]]*\]|\([^)]*\)", " ", body)
        for command in re.findall(r"\w+", commands):
            found[command] = set(re.findall(OPTION, words))
    return found


def sections_of_fish():
    found = {command: set() for command in COMMANDS}
    for commands, rest in re.findall(r"(?m)-n '__fish_seen_subcommand_from ([a-z ]+)'(.*)$", read("tool/completions/condlint.fish")):
        rest = re.sub(r"'[^']*'", "", rest)
        names = {"--" + n for n in re.findall(r"-l ([a-z-]+)", rest)} | {"-" + n for n in re.findall(r"-s ([a-z])", rest)}
        for command in commands.split():
            found[command] |= names
    return found


def wrong_options():
    problems = []
    documents = {"docs/usage.md": sections_of_usage(), "docs/condlint.1": sections_of_man_page(),
                 "tool/completions/_condlint": sections_of_zsh(), "tool/completions/condlint.fish": sections_of_fish()}
    for command in COMMANDS:
        wanted = options(command)
        for name, found in documents.items():
            problems += differences(name, command, found.get(command, set()), wanted)
        # Whoever asks for words that begin with a dash gets the long ones.
        longest = {max(names, key=len) for names in aliases(command)}
        problems += differences("tool/completions/condlint.bash", command, sections_of_bash().get(command, set()), longest)
    return problems


def differences(name, command, found, wanted):
    return [f"{name} does not know {option} of {command}" for option in sorted(wanted - found)] + \
           [f"{name} has {option}, which {command} does not take" for option in sorted(found - wanted)]


def wrong_formats():
    """Where the report's formats are listed, all are: the table itself is in lib/report/formats/Formats.cpp."""
    known = set(re.findall(r"[a-z]+", re.search(r"--output FORMAT\S*[ .]*([a-z, ]+);", condlint("check", "--help"))[1]))
    usage = re.search(r"(?m)^\| `--output FORMAT.*$", read("docs/usage.md"))[0]
    manual = re.search(r"(?s)\n\.BI \\-\\-output .*?(\n\.B text.*?)\nto standard output", read("docs/condlint.1"))[1]
    listed = {"docs/usage.md": re.findall(r"`([a-z]+)`", usage),
              "docs/condlint.1": re.findall(r"\b[a-z]+\b", re.sub(r"\n\.BR? ", " ", manual)),
              "docs/formats.md": re.findall(r"(?m)^\| `([a-z]+)` \| `\.", read("docs/formats.md")),
              "tests/consumers/every_file.py": re.findall(r'"([a-z]+)"', re.search(r"FORMATS = .*", read("tests/consumers/every_file.py"))[0])}
    return [f"{name} does not name the format {one}" for name, words in listed.items() for one in sorted(known - set(words))] + \
           [f"docs/formats.md: there is no format {one}" for one in sorted(set(listed["docs/formats.md"]) - known)]


def wrong_command_lines():
    """Command lines in documents: `condlint check --fix src`."""
    problems = []
    for document in files(".md"):
        for command, rest in re.findall(r"(?:\bcondlint|\./run) (%s)\b([^`\n|]*)" % "|".join(COMMANDS), read(document)):
            rest = re.split(r" -- |#", rest)[0]
            problems += [f"{document}: {command} does not take {option}"
                         for option in re.findall(OPTION, rest) if option not in options(command) | {"--help"}]
    return problems


# Constraints

LABEL = r"(?:(?:NS|TP|OV|ET)(?:[1-9]|1\d)|[ABCEFILMOPR](?:[1-9]|1\d)b?)"


def labels_in(text):
    """The labels that prose names, those of a range (R13-R15, NS1 to NS13) each."""
    for first, last in re.findall(rf"(?<![\w-])({LABEL})(?:(?:-| to )({LABEL}))?(?![\w-])", text):
        system, numbers = re.match("[A-Z]+", first)[0], [int(re.search(r"\d+", x)[0]) for x in (first, last) if x]
        yield from [first] if not last else (f"{system}{n}" for n in range(numbers[0], numbers[1] + 1))


def labels_in_names(text):
    """The labels of tests: R6DtypesDiffer, R9C12RanksDiffer, Kinds_P2_P6."""
    for name in re.findall(r"\bTEST(?:_F|_P)?\(\w+,\s*(\w+)\)", text):
        for group in re.findall(rf"(?:^|_)((?:{LABEL})+)(?=_|[A-Z]|$)", name):
            yield from re.findall(LABEL, group)


def labels_in_use():
    """{label: a file that has it}"""
    used = {}
    for page in files(".md", below="checks"):
        for label in labels_in(re.sub(r"```.*?```|`[^`\n]*`", "", read(page), flags=re.S)):
            used.setdefault(label, page)
    for folder in ("checks", "include", "lib", "tests"):
        for name in files(".cpp", ".h", below=folder):
            text = read(name)
            for label in [*labels_in("\n".join(re.findall(r"//.*", text))), *labels_in_names(text)]:
                used.setdefault(label, name)
    return used


def wrong_labels():
    name = "docs/constraints.md"
    lines = re.findall(rf"(?m)^\| ({LABEL}) \|", read(name))
    used = labels_in_use()
    problems = [f"{used[label]}: {label} has no line in {name}" for label in sorted(used.keys() - set(lines))]
    problems += [f"{name}: nothing names {label}" for label in sorted(set(lines) - used.keys())]
    problems += [f"{name}: two lines for {label}" for label in sorted(set(lines)) if lines.count(label) > 1]
    return problems


# The contract of front ends

def wrong_contract():
    """docs/cxx-graph.md and condlint/SourceGraph.h say the same."""
    page, name = read("docs/cxx-graph.md"), "docs/cxx-graph.md"
    operators = {}
    for domain, enum in (("cxx", "CxxOp"), ("tracing", "TracingOp")):
        body = re.search(rf"(?s)enum class {enum} .*?{{(.*?)}};", read("include/condlint/SourceGraph.h"))[1]
        operators[domain] = {re.sub(r"(?<!^)([A-Z])", r"_\1", word).lower() for word in re.findall(r"(?m)^  ([A-Z]\w*),", body)}
    problems = []
    for domain, known in operators.items():
        named = set(re.findall(rf"`{domain}\.(\w+)`", page))
        problems += [f"{name}: {domain}.{op} is not there" for op in sorted(known - named)]
        problems += [f"{name}: condlint/SourceGraph.h has no {domain}.{op}" for op in sorted(named - known)]
    attributes = set(re.findall(r'\{"(\w+)"\}', read("include/condlint/SourceGraph.h")))
    words = set(re.findall(r"`(\w+)`", page))
    problems += [f"{name}: the attribute {a} is not there" for a in sorted(attributes - words)]
    guide = read("docs/front-end.md")
    header = read("include/condlint/SourceGraph.h")
    for kind, pattern in (("CxxOp", r"(?m)^  ([A-Z]\w*),"), ("attr", r"(?m)constexpr Named\w+ (\w+)")):
        known = set(re.findall(pattern, header))
        problems += [f"docs/front-end.md: there is no {kind}::{word}" for word in sorted(set(re.findall(rf"\b{kind}::(\w+)", guide)) - known)]
    return problems


# Programs

def stale_program():
    """The program that the usage page shows is the one that is built and run."""
    shown = re.search(r"(?s)### From a program.*?```cpp\n(.*?)```", read("docs/usage.md"))[1]
    source = read("tests/project/consumer/main.cpp")
    return [] if shown == source[source.index("#include"):] else ["docs/usage.md: its program is not tests/project/consumer/main.cpp"]


# Links

def dead_links():
    problems = []
    for document in files(".md"):
        folder = os.path.join(SOURCE, os.path.dirname(document))
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", re.sub(r"```.*?```|`[^`\n]*`", "", read(document), flags=re.S)):
            if "://" not in link and not os.path.exists(os.path.join(folder, link)):
                problems.append(f"{document}: {link} is not there")
    return problems


def main():
    if "--links" in sys.argv[1:]:
        problems = dead_links()
    else:
        problems = stale_tables("--write" in sys.argv[1:]) + wrong_severities() + wrong_options() + wrong_formats() + wrong_command_lines() + \
            wrong_labels() + wrong_contract() + stale_program() + dead_links()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
