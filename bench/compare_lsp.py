"""The language server beside clangd-22, both with real libtorch headers; part of bench/compare.

Needs a libtorch, which tests/find_torch.py looks for, and clangd-22; without them it says so and does nothing. The source is
made: 1,000 lines that include torch/torch.h. Both servers are asked in the same run, one after the other.
"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True

METHOD = """  Tensor part%(k)d(const Tensor &x) {
    Tensor sum = x;
%(filling)s    return condlint::cond(
        x.sum() > %(k)d, [](const Tensor &x) { Tensor y = torch::relu(x); y.add_(%(k)d); return y + x; },
        [](const Tensor &x) { return torch::tanh(x) * %(k)d; }, {sum});
  }
"""
DEBOUNCE = 50  # milliseconds, which clangd begins with too


def source_text():
    body = "".join(METHOD % {"k": k, "filling": "    sum = sum + x * 2;\n" * 18} for k in range(40))
    return ("#include <torch/torch.h>\n#include <condlint/cond.h>\nusing torch::Tensor;\nstruct Net : torch::nn::Module {\n"
            + body + "};\n")


def resident(pid):
    """Megabytes of the process and those that it started."""
    total, children = 0, {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
                children.setdefault(parent, []).append(folder.name)
            except (OSError, IndexError):
                continue
    todo = [str(pid)]
    while todo:
        each = todo.pop()
        todo += children.get(each, [])
        try:
            # What processes share counts once.
            for line in pathlib.Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        except OSError:
            continue
    return total >> 10


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def first_diagnostics(lsp, command, folder, path, env=None, options=None):
    """The client, with the source open, and the seconds until its diagnostics."""
    client = lsp.Client(command, folder=folder, env=env, options=options)
    begin = time.monotonic()
    uri = client.open(path)
    client.diagnostics(uri, 600)
    return client, uri, time.monotonic() - begin


def row(name, ours, peer, goal, good):
    print(f"{name:58} {ours:>13} {peer:>18}   ({goal}: {'met' if good else 'MISSED'})", flush=True)


def measure(source, build, work, condlint, edits=40):
    sys.path.insert(0, os.path.join(source, "tests", "lsp"))
    import client as lsp

    clangd = shutil.which("clangd-22")
    found = subprocess.run([sys.executable, os.path.join(source, "tests", "find_torch.py"), os.path.join(build, "libtorch")],
                           capture_output=True, text=True)
    if found.returncode != 0 or not clangd:
        print("the language server: left out: " + (found.stderr.strip() or "no clangd-22 here"))
        return
    include = os.path.join(found.stdout.strip(), "include")
    folder = pathlib.Path(work) / "lsp"
    folder.mkdir()
    flags = ["-std=c++17", "-w", "-isystem", include, "-isystem", os.path.join(include, "torch/csrc/api/include"),
             # As what is installed is found; what a project has of its own is parsed whole where a template of it is used.
             "-isystem", os.path.join(source, "include")]
    (folder / "compile_flags.txt").write_text("\n".join(flags) + "\n")
    path = folder / "net.cpp"
    path.write_text(source_text())
    env = {"XDG_CACHE_HOME": str(folder / "cache"), "HOME": str(folder)}
    command, options = [condlint, "lsp"], {"debounce": DEBOUNCE}

    rounds = []
    for last in (False, False, True):
        shutil.rmtree(folder / "cache", ignore_errors=True)
        client, _, cold = first_diagnostics(lsp, command, folder, path, env, options)
        begin = time.monotonic()  # the library headers are written down behind it
        while not list(folder.glob("cache/condlint/*.pch")) and time.monotonic() < begin + 120:
            time.sleep(0.1)
        client.stop()
        peer, peer_uri, peer_cold = first_diagnostics(lsp, [clangd, "--log=error"], folder, path, env)
        rounds.append((cold, peer_cold))
        if not last:
            peer.stop()
    client, uri, warm = first_diagnostics(lsp, command, folder, path, env, options)
    cold, peer_cold = (statistics.median(times) for times in zip(*rounds))
    row("first diagnostics, cold", f"{cold:.1f} s", f"clangd {peer_cold:.1f} s", f"{cold / peer_cold:.2f}x, at most 0.5x",
        cold <= peer_cold * 0.5)
    row("first diagnostics, headers kept", f"{warm:.2f} s", "", "at most 1 s", warm <= 1)

    def typed(of, name):
        times = []
        for n in range(edits):
            of.edit(name, (10, 4), (10, 4), "/**/")
            begin = time.monotonic()
            of.diagnostics(name, 120)
            times.append(time.monotonic() - begin)
        return sorted(times)

    own = [t - DEBOUNCE / 1000 for t in typed(client, uri)]
    others = typed(peer, peer_uri)
    middle, late = statistics.median(own), own[int(len(own) * 0.95)]
    row("edit to findings, median", f"{middle * 1000:.0f} ms", f"clangd {statistics.median(others) * 1000:.0f} ms",
        "at most 150 ms after the debounce", middle <= 0.15)
    row("edit to findings, 95th percentile", f"{late * 1000:.0f} ms", f"clangd {others[int(len(others) * 0.95)] * 1000:.0f} ms",
        "at most 300 ms", late <= 0.3)
    time.sleep(5)  # the whole text is parsed once nobody types
    own_size, peer_size = resident(client.process.pid), resident(peer.process.pid)
    row("memory, idle with the file open", f"{own_size} MB", f"clangd {peer_size} MB", "at most 1.2x", own_size <= 1.2 * peer_size)
    before = cpu_seconds(client.process.pid)
    time.sleep(5)
    used = cpu_seconds(client.process.pid) - before
    row("processor time in 5 s of idleness", f"{used * 1000:.0f} ms", "", "none", used < 0.02)
    client.stop()
    peer.stop()
