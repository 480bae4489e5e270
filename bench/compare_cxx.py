"""C++ sources beside `clang++-22 -fsyntax-only` and `clang-tidy-22`; part of bench/compare.

Needs a libtorch, which tests/find_torch.py looks for, and Clang's programs; without them it says so and does nothing. The
sources are made: a module with a few conditionals, which includes torch/torch.h.
"""
import os
import re
import shutil
import subprocess
import sys
import time

UNIT = """#include <torch/torch.h>
#include <condlint/cond.h>
#include <vector>
using torch::Tensor;
namespace unit%(n)d {
struct Block : torch::nn::Module {
  torch::nn::Linear near{nullptr}, far{nullptr};
  Block() {
    near = register_module("near", torch::nn::Linear(16, 16));
    far = register_module("far", torch::nn::Linear(16, 16));
  }
%(methods)s};
} // namespace unit%(n)d
"""
METHOD = """  Tensor part%(k)d(const Tensor &x) {
    return condlint::cond(
        x.sum() > %(k)d, [this](const Tensor &x) { Tensor y = near->forward(x).relu(); y.add_(%(k)d); return y + x; },
        [this](const Tensor &x) { return far->forward(x).tanh() * %(k)d; }, {x});
  }
"""


def write_units(folder, count):
    paths = []
    for n in range(count):
        path = os.path.join(folder, f"unit{n}.cc")
        with open(path, "w", encoding="utf-8") as file:
            file.write(UNIT % {"n": n, "methods": "".join(METHOD % {"k": k} for k in range(8))})
        paths.append(path)
    return paths


def measure(source, build, work, condlint, timed, row):
    clang, tidy = shutil.which("clang++-22"), shutil.which("clang-tidy-22")
    found = subprocess.run([sys.executable, os.path.join(source, "tests", "find_torch.py"), os.path.join(build, "libtorch")],
                           capture_output=True, text=True)
    if found.returncode != 0 or not clang or not tidy:
        print("C++ sources: left out: " + (found.stderr.strip() or "no clang++-22 and clang-tidy-22 here"))
        return
    include = os.path.join(found.stdout.strip(), "include")
    flags = ["-std=c++17", "-w", "-isystem", include, "-isystem", os.path.join(include, "torch/csrc/api/include"),
             "-I" + os.path.join(source, "include")]
    units = write_units(work, 16)
    cache = os.path.join(work, "cache")

    def check(paths, *options, behind=flags):
        return timed([condlint, "check", "--no-config", "--quiet", *options, *paths, "--", *behind], expected=(0, 1))

    one = units[:1]
    syntax, cold = [], []
    for _ in range(3):  # in turns: a noisy machine disturbs both alike
        syntax.append(timed([clang, "-fsyntax-only", *flags, *one]))
        cold.append(check(one, "--no-cache", "-j1"))
    seconds, memory = (min(each) for each in zip(*syntax))
    row("one torch/torch.h unit: clang++-22 -fsyntax-only", min(cold)[0], seconds, 0.45, at_least=False)
    ratio = min(c[1] for c in cold) / memory
    print(f"    peak memory {min(c[1] for c in cold) / 1024:.0f} MiB, {memory / 1024:.0f} MiB: {ratio:.2f}  "
          f"(at most 0.6: {'met' if ratio <= 0.6 else 'MISSED'})")
    told = subprocess.run([condlint, "check", "--no-config", "--quiet", "--no-cache", "--timing", *one, "--", *flags],
                          capture_output=True, text=True).stderr
    parsed, read, checked = (float(ms) for ms in re.search(
        r"parsed in ([0-9.]+) ms, read in ([0-9.]+) ms, checked in ([0-9.]+) ms", told).groups())
    share = (read + checked) / (parsed + read + checked)
    print(f"    parsing {parsed:.0f} ms, reading {read:.1f} ms, rules {checked:.1f} ms: all but parsing is {share:.1%}  "
          f"(at most 3 %: {'met' if share <= 0.03 else 'MISSED'})")

    first = check(units, "--cache", cache, "-j1")[0]
    warm = min(check(one, "--cache", cache, "-j1")[0] for _ in range(7))
    row("  the same with its headers parsed before", warm, seconds, 0.05, at_least=False)
    again = min(check(units, "--cache", cache, "-j1")[0] for _ in range(3))
    row("  each of 16 units, one after the other", again / len(units), seconds, 0.05, at_least=False)
    print(f"    the 16 units of a first run, which parses the headers for all: {first:.2f} s, {first / len(units) / seconds:.2f} each")
    plugin = os.path.join(build, "lib", "condlint", "condlint-tidy.so")
    base = timed([tidy, "-checks=-*,bugprone-assert-side-effect", "--quiet", *one, "--", *flags])[0]
    ours = timed([tidy, "-load", plugin, "-checks=-*,condlint-*", "--quiet", *one, "--", *flags])[0]
    print(f"{'  clang-tidy-22 with our checks, and with one of its own':58} {ours * 1e3:10.1f} ms {base * 1e3:12.1f} ms   {ours / base:8.2f}")

    def side_by_side():
        start = time.perf_counter()
        halves = [subprocess.Popen([condlint, "check", "--no-config", "--quiet", "-j1", "--cache", cache, *half, "--", *flags],
                                   stdout=subprocess.DEVNULL) for half in (units[::2], units[1::2])]
        for child in halves:
            child.wait()
        return time.perf_counter() - start

    runs = [(check(units, "--cache", cache, "-j1")[0], check(units, "--cache", cache, "-j2")[0], side_by_side()) for _ in range(5)]
    single, double, ceiling = (min(times) for times in zip(*runs))
    row("  16 units: -j2 against -j1", double, single, 1.8)
    print(f"    two processes with half of them each reach {single / ceiling:.2f}: what this machine's two cores give")
    peak = check(units, "--cache", cache, "-j64")[1]
    print(f"    peak memory with -j64: {peak / 1024:.0f} MiB")


def measure_networks(source, work, condlint, generate, timed, row):
    """Code that builds TensorRT networks: time is linear in its calls, and about that of parsing. The newest of the real
    headers in CONDLINT_TENSORRT_HEADERS (tests/project/networks.sh) are used where there are any, else the stand-in."""
    real = os.environ.get("CONDLINT_TENSORRT_HEADERS")
    versions = sorted(os.listdir(real), key=lambda v: [int(n) for n in v.split(".")]) if real else []
    headers = os.path.join(real, versions[-1]) if versions else os.path.join(source, "tests", "mocks", "tensorrt")
    print(f"  TensorRT's headers: {versions[-1] if versions else 'a stand-in'}")
    flags = ["-std=c++17", "-w", "-isystem", headers]

    def network(calls):
        path = os.path.join(work, f"network{calls}.cc")
        subprocess.run([generate, "network", str(calls), path], check=True)
        return path, [condlint, "check", "--no-config", "--quiet", "--no-cache", "-j1", path, "--", "-xc++", *flags]

    small, large = (min(timed(network(calls)[1], expected=(0, 1))[0] for _ in range(5)) for calls in (20000, 40000))
    row("40,000 calls that build a network against 20,000", large, small, 2.2, at_least=False)
    bare, ours = network(3000)
    clang = shutil.which("clang++-22")
    if not clang:
        return

    def beside_clang(path, ours):
        runs = [(timed(ours, expected=(0, 1))[0], timed([clang, "-fsyntax-only", *flags, path])[0]) for _ in range(15)]
        return (min(times) for times in zip(*runs))

    # Builders that people publish begin so; the calls alone show what reading costs where nothing else is parsed.
    whole = os.path.join(work, "builder3000.cc")
    with open(bare, encoding="utf-8") as calls, open(whole, "w", encoding="utf-8") as out:
        out.writelines(f"#include <{header}>\n" for header in ("cassert", "fstream", "iostream", "map", "memory", "string", "vector"))
        out.write(calls.read())
    seconds, peer = beside_clang(whole, [whole if part == bare else part for part in ours])
    row("3,000 lines that build a network: clang++-22 -fsyntax-only", seconds, peer, 1.1, at_least=False)
    seconds, peer = beside_clang(bare, ours)
    print(f"{'  the same without one standard header':58} {seconds * 1e3:10.1f} ms {peer * 1e3:12.1f} ms   {seconds / peer:8.2f}")
