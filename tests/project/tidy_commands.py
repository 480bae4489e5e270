#!/usr/bin/env python3
"""Writes compile commands for clang-tidy in which each target's common headers are parsed once, for several sources at a time.

Usage: tidy_commands.py BUILD FOLDER COMPILER

GCC's precompiled headers mean nothing to Clang, which would parse their text again for every source. For each of them COMPILER
(a clang++) makes one of its own in FOLDER; FOLDER/compile_commands.json then uses those. A header that is there and newer than
the build's commands is kept.

Most of the time goes into headers still, which clang-tidy walks through for each source. So FOLDER/batch-*.cpp include some
sources of one target each; FOLDER/batches names them, a line each: the batch, then its sources. Sources whose names collide
do not compile together: whoever finds that looks at each alone.
"""
import collections
import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys

HEADER = "cmake_pch.hxx"
BATCH = 6


def split(command):
    """The arguments of a command without the precompiled header, and that header or None."""
    arguments, header, i = [], None, 0
    while i < len(command):
        if command[i] == "-include" and command[i + 1].endswith(HEADER):
            header = command[i + 1]
            i += 2
            continue
        if command[i] in ("-o", "-c"):
            i += 2
            continue
        if command[i] != "-Winvalid-pch":
            arguments.append(command[i])
        i += 1
    return arguments, header


def sources(build):
    """The entries of the build's compile commands, each source once: not those that a unity build puts together."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    return [entry for entry in entries if not entry["file"].endswith((".cxx", ".cu"))]


def plain(entry, compiler):
    """The arguments of an entry, for another compiler and without the source and the precompiled header; and that header or None."""
    command = shlex.split(entry["command"])
    if os.path.basename(command[0]).startswith("ccache"):
        command = command[1:]
    arguments, header = split([compiler, *command[1:]])
    return [a for a in arguments if a != entry["file"]], header


def main():
    build, folder, compiler = sys.argv[1:]
    commands, made, alike = [], {}, collections.defaultdict(list)
    for entry in sources(build):
        arguments, header = plain(entry, compiler)
        if header:
            key = hashlib.sha256("\0".join([header, *arguments]).encode()).hexdigest()[:16]
            made[key] = ([*arguments, "-w", "-x", "c++-header", header, "-o", os.path.join(folder, key + ".pch")], entry["directory"])
            arguments += ["-include-pch", os.path.join(folder, key + ".pch")]
        commands.append({"directory": entry["directory"], "file": entry["file"], "arguments": [*arguments, "-c", entry["file"]]})
        alike[(entry["directory"], *arguments)].append(entry["file"])
    batches = []
    for (directory, *arguments), files in sorted(alike.items()):
        files.sort()
        for i in range(0, len(files), BATCH):
            path = os.path.join(folder, f"batch-{len(batches)}.cpp")
            batches.append((path, files[i:i + BATCH]))
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(f'#include "{source}"\n' for source in batches[-1][1])
            commands.append({"directory": directory, "file": path, "arguments": [*arguments, "-c", path]})

    def make(item):
        key, (command, directory) = item
        path = os.path.join(folder, key + ".pch")
        if os.path.exists(path):
            probe = subprocess.run([*command[:-1], os.devnull, "-fsyntax-only", "-include-pch", path], cwd=directory,
                                   capture_output=True, check=False)
            if probe.returncode == 0:  # the headers in it are as they were
                return
        subprocess.run(command, cwd=directory, check=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(make, made.items()))
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(commands, file)
    with open(os.path.join(folder, "batches"), "w", encoding="utf-8") as file:
        file.writelines("\t".join([path, *sources]) + "\n" for path, sources in batches)
    return 0


if __name__ == "__main__":
    sys.exit(main())
