#!/usr/bin/env python3
"""Each source compiles alone, without precompiled headers, and Clang has no warning of it.

Usage: alone.py BUILD FOLDER COMPILER [--seconds N]

A build sees several sources at a time, behind headers that are precompiled: an include that is missing shows in neither. So COMPILER
(a clang++) reads each source of compile_commands.json as a build without both would. What passed is kept in FOLDER, and not looked at
again while it and all that it includes stay the same.

With --seconds those that the last commit or the working tree changes are looked at, and of the others none is begun after so many
seconds: first what the commits of the last days changed, since several may have come at a time, then the rest, each day in another
order. Without it all are looked at.
"""
import argparse
import concurrent.futures
import datetime
import hashlib
import json
import os
import subprocess
import sys
import time

from tidy_commands import plain, sources


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Contents:
    """The hash of each file, read once."""

    def __init__(self):
        self.known = {}

    def __call__(self, path):
        if path not in self.known:
            try:
                with open(path, "rb") as file:
                    self.known[path] = hashlib.sha256(file.read()).hexdigest()
            except OSError:
                self.known[path] = ""
        return self.known[path]


def listed_by_git(folder, *commands):
    """The files that any of these git commands names, as absolute paths."""
    out = set()
    for command in commands:
        listed = subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True, check=False)
        out.update(os.path.join(folder, line) for line in listed.stdout.splitlines() if line)
    return out


def read_dependencies(path):
    """The files that a rule of make names."""
    with open(path, encoding="utf-8") as file:
        words = file.read().replace("\\\n", " ").split()
    return sorted(set(words[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("compiler")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    arguments = parser.parse_args()
    arguments.folder = os.path.abspath(arguments.folder)
    os.makedirs(arguments.folder, exist_ok=True)
    contents = Contents()

    tasks = []  # what is not known to pass: the source, its command, its folder, its record
    total = 0
    for entry in sources(arguments.build):
        command, _ = plain(entry, arguments.compiler)
        # The command is GCC's, whose warnings Clang does not all know; and GCC's std::stable_sort uses what is deprecated there.
        command = [*command, "-Werror", "-Wno-unknown-warning-option", "-Wno-deprecated-declarations", "-fsyntax-only"]
        total += 1
        record = os.path.join(arguments.folder, digest(entry["file"], *command)[:24])
        try:
            with open(record, encoding="utf-8") as file:
                passed = all(contents(path) == known for path, known in json.load(file).items())
        except (OSError, ValueError):
            passed = False
        if not passed:
            tasks.append((entry["file"], command, entry["directory"], record))

    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    first = listed_by_git(root, ["diff", "--name-only", "HEAD~1"], ["ls-files", "--others", "--exclude-standard"])
    then = listed_by_git(root, ["log", "--since=3.days", "--name-only", "--format="])
    today = datetime.date.today().isoformat()
    tasks.sort(key=lambda task: (task[0] not in first, task[0] not in then, digest(today, task[0])))
    until = time.monotonic() + arguments.seconds

    def look(task):
        source, command, directory, record = task
        if source not in first and time.monotonic() > until:
            return None
        listed = record + ".d"
        run = subprocess.run([*command, "-MMD", "-MF", listed, source], cwd=directory, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            with open(record, "w", encoding="utf-8") as file:
                json.dump({path: contents(path) for path in
                           (os.path.join(directory, name) for name in read_dependencies(listed))}, file)
        if os.path.exists(listed):
            os.remove(listed)
        return run.stderr if run.returncode != 0 else ""

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(look, tasks))
    for output in said:
        if output:
            print(output)
    left = said.count(None)
    failed = sum(1 for output in said if output)
    print(f"{total - left - failed} of {total} sources compile alone, {failed} do not" + (f"; {left} are left for later" if left else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
