#!/usr/bin/env python3
"""Lays out a binary of condlint anew, in place, by what runs often: what a check needs stands together then.

    layout.py LLVM-BIN SOURCE graphs|sources BINARY PROGRAM [LIBRARY]

BINARY was linked with --emit-relocs: the module that reads C++, or what holds everything else, which is PROGRAM, or the LIBRARY that
the program of a wheel needs. LLVM's BOLT makes of it one that counts, with which PROGRAM checks what the project in SOURCE has:
the models of its examples and tests, or some C++, its own, which includes headers of Clang and of the standard library, and the
sources of its tests. By these counts it makes the one that is kept, without symbols, if PROGRAM says with it what it says with
BINARY. Where a step fails BINARY is what it was, and the exit code 1. One that is laid out already stays so.
"""
import argparse
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Not -icf: it takes functions for the same that catch other exceptions, or none.
BOLT = ["-reorder-blocks=ext-tsp", "-reorder-functions=cdsort",
        # In the place of what was there, so that it is not larger.
        "-lite=0", "-use-old-text", "-no-huge-pages", "-align-text=4096", "-align-functions=1"]


def run(*command, expected=(0,), folder=None):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in expected:
        sys.exit(f"layout.py: {command[0]}: exit code {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def installed(folder, args, binary):
    """The program in folder, beside what it needs: as in a wheel where there is a library, else as in a build. A copy of binary is
    in the place of what is laid out."""
    beside = os.path.join(folder, *(("condlint", "_lib") if args.library else ("lib", "condlint")))
    os.makedirs(os.path.join(folder, "bin"))
    os.makedirs(beside)
    program = shutil.copy(args.program, os.path.join(folder, "bin"))
    places = {args.program: program}
    if args.library:
        places[args.library] = shutil.copy(args.library, os.path.join(beside, "libcondlint.so"))
        headers = os.path.join(args.llvm, "..", "lib", "clang")
        os.symlink(os.path.realpath(headers), os.path.join(beside, "clang"))
    shutil.copy(binary, places.get(args.binary, os.path.join(beside, "libcondlint-cxx.so")))
    return program


def read_graphs(program, source, llvm, cache):
    """All at once, so that starting the program weighs nothing, and for TensorRT too, which has rules of its own."""
    models = [path for folder in ("examples", "tests/data") for kind in ("onnx", "pt2")
              for path in sorted(glob.glob(f"{source}/{folder}/**/*.{kind}", recursive=True))]
    return [run(program, "check", "-j1", "--no-config", "--no-cache", *target, *models, expected=(0, 1, 3))
            for target in ([], ["--target", "tensorrt"])]


def run_graphs(program, source, folder):
    """Each with both branches, that throw exceptions where one of them cannot be executed; inputs are written into folder."""
    return [run(program, "run", "--branch", "both", path, expected=(0, 1, 3), folder=folder)
            for path in sorted(glob.glob(f"{source}/tests/data/onnx/*.onnx"))]


def read_sources(program, source, llvm, cache):
    """Each once with headers that are parsed, once with those that were kept, and once without keeping any."""
    flags = ["-std=c++20", "-isystem", os.path.join(llvm, "..", "include"), f"-I{source}/lib", f"-I{source}/include",
             "-isystem", f"{source}/tests/mocks", "-isystem", f"{source}/tests/mocks/tensorrt"]
    own = [f"{source}/lib/cxx/driver/Rereading.cpp", f"{source}/tool/Configuration.cpp",
           *sorted(glob.glob(f"{source}/tests/data/cxx/*.cpp")), *sorted(glob.glob(f"{source}/tests/data/cxx/tensorrt/*.cpp")),
           *sorted(glob.glob(f"{source}/examples/*.cpp"))]
    return [run(program, "check", "-j1", "--no-config", *kept, *own, "--", *flags, expected=(0, 1, 3))
            for kept in (["--cache", cache], ["--cache", cache], ["--no-cache"])]


TRAINING = {"graphs": read_graphs, "sources": read_sources}


def answers(folder, args, binary):
    """What the program says of all that with binary."""
    program, source = installed(folder, args, binary), os.path.abspath(args.source)
    said = TRAINING[args.kind](program, source, args.llvm, os.path.join(folder, "cache"))
    return said + (run_graphs(program, source, folder) if args.kind == "graphs" else [])


def sections(path, llvm):
    """(begin, end, name) of what is filled, in the order of the file."""
    shown = json.loads(run(os.path.join(llvm, "llvm-readelf"), "--elf-output-style=JSON", "--sections", path))
    return sorted((s["Offset"], s["Offset"] + s["Size"], s["Name"]["Name"]) for s in
                  (each["Section"] for each in shown[0]["Sections"]) if s["Size"] and s["Type"]["Name"] != "SHT_NOBITS")


def blank(path, llvm):
    """Zeroes what is left of the old code and its tables, which the new ones did not cover: nothing refers to it, and it packs
    badly."""
    filled = sections(path, llvm)
    dead = [(begin, end) for begin, end, name in filled if name in (".bolt.org.text", ".bolt.org.eh_frame")]
    code = max(end for _, end, name in filled if name in (".text", ".text.cold"))
    dead.append((code, min(begin for begin, _, _ in filled if begin >= code)))
    data = bytearray(pathlib.Path(path).read_bytes())
    for begin, end in dead:
        data[begin:end] = bytes(end - begin)
    pathlib.Path(path).write_bytes(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("llvm")
    parser.add_argument("source")
    parser.add_argument("kind", choices=TRAINING)
    parser.add_argument("binary")
    parser.add_argument("program")
    parser.add_argument("library", nargs="?")
    args = parser.parse_args()
    bolt, merge, strip = (os.path.join(args.llvm, tool) for tool in ("llvm-bolt", "merge-fdata", "llvm-strip"))
    if any(name.startswith(".bolt.") for _, _, name in sections(args.binary, args.llvm)):
        return  # another of them was linked anew, and this one was not
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(args.binary))) as work:
        counts, counting, made = (os.path.join(work, name) for name in ("counts", "counting", "made"))
        run(bolt, args.binary, "-instrument", f"--instrumentation-file={counts}", "--instrumentation-file-append-pid", "-o", counting,
            f"--runtime-instrumentation-lib={os.path.join(args.llvm, '..', 'lib', 'libbolt_rt_instr.a')}")
        program = installed(os.path.join(work, "installed"), args, counting)
        TRAINING[args.kind](program, os.path.abspath(args.source), args.llvm, os.path.join(work, "cache"))
        found = glob.glob(counts + ".*.fdata")
        if not found:
            sys.exit("layout.py: the program counted nothing")
        run(merge, *found, "-o", os.path.join(work, "all.fdata"))
        run(bolt, args.binary, "-o", made, f"-data={os.path.join(work, 'all.fdata')}", *BOLT)
        run(strip, "-s", made)
        blank(made, args.llvm)
        shutil.copymode(args.binary, made)
        if answers(os.path.join(work, "before"), args, args.binary) != answers(os.path.join(work, "after"), args, made):
            sys.exit(f"layout.py: {args.binary}: what is laid out says something else than before")
        os.replace(made, args.binary)


if __name__ == "__main__":
    main()
