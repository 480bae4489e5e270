"""What the wheel must do in the environment that wheel.sh made: wheel.py VERSION

Started in a folder with the files of examples/, where there is nothing but the wheel.
"""
import json
import os
import shutil
import subprocess
import sys
import threading
import time

VERSION = sys.argv[1]
FLAGS = ["-std=c++17", "-isystem", "mocks"]
PROBLEMS = []


def expect(holds, what):
    if not holds:
        PROBLEMS.append(what)


def condlint(*arguments, code=None):
    done = subprocess.run(["condlint", *arguments], capture_output=True, text=True, check=False)
    if code is not None:
        expect(done.returncode == code, f"condlint {' '.join(arguments)}: exit code {done.returncode}, expected {code}: {done.stderr[:500]}")
    return done.stdout


def best(times, action):
    """The shortest of some tries, in seconds."""
    took = []
    for _ in range(times):
        begin = time.perf_counter()
        action()
        took.append(time.perf_counter() - begin)
    return min(took)


def processor_time(*command):
    """The least seconds of processor time that a process takes: what other processes of the machine do does not count."""
    took = []
    for _ in range(20):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, _, usage = os.wait4(child.pid, 0)
        took.append(usage.ru_utime + usage.ru_stime)
    return min(took)


def program():
    said = condlint("--version", code=0)
    expect(said.startswith(f"condlint {VERSION}\nLLVM: 22."), f"--version says {said!r}")
    for model, rule in (("squeeze.onnx", "output-rank"), ("returned_operand.pt2", "output-alias"), ("written_operand.pt2", "input-mutation")):
        report = json.loads(condlint("check", "--output", "json", model))
        rules = {f["rule"] for f in report["findings"]}
        expect(report["inputs"][0]["status"] == "ok" and rule in rules, f"{model}: {report['inputs'][0]}, {rules}")
    source = json.loads(condlint("check", "--output", "json", "--no-cache", "gate.cpp", "--", *FLAGS))
    expect(source["inputs"][0]["status"] == "ok", f"gate.cpp: {source['inputs'][0]}")
    expect("output-dtype" in {f["rule"] for f in source["findings"]}, f"gate.cpp: {source['findings']}")
    print(condlint("check", "squeeze.onnx")[:200])
    condlint("run", "lengths.onnx", "--branch", "both")
    condlint("run", "nested.onnx", code=0)
    condlint("run", "undefined_name.onnx", code=3)  # an exception on the way, and no crash
    plugin = condlint("tidy-plugin", code=0).strip()
    expect(os.path.exists(plugin), f"tidy-plugin prints {plugin!r}")
    # `--version` loads Clang, to tell which one it is.
    start = processor_time(shutil.which("condlint"), "check", "squeeze.onnx")
    print(f"the program starts, checks a small model and ends in {start * 1e3:.1f} ms; with Clang loaded, to tell its version, in "
          f"{processor_time(shutil.which('condlint'), '--version') * 1e3:.1f} ms")
    expect(start <= 0.005, f"the program starts in {start * 1e3:.1f} ms")


def library():
    for name in ("torch", "onnx", "numpy"):
        try:
            __import__(name)
        except ImportError:
            continue
        expect(False, f"{name} is here: this tests nothing")
    from condlint import _native
    expect(_native.version() == VERSION, f"the library is of version {_native.version()}")
    with open("squeeze.onnx", "rb") as file:
        data = file.read()
    strict = {"failOn": "warning"}
    result = _native.check_bytes(data, "onnx", "squeeze.onnx", strict)
    expect(result.status == _native.FINDINGS and "output-rank" in result.render(), "squeeze.onnx in memory")
    expect(_native.check_path("gate.cpp", {"flags": FLAGS}).status == _native.FINDINGS, "gate.cpp in this process")
    expect(_native.check_bytes(b"PK", "pt2").status == _native.UNANALYSED, "no archive")
    took = best(200, lambda: _native.check_bytes(data, "onnx").render())
    print(f"check(bytes): {took * 1e3:.3f} ms")
    failed = []

    def work():
        for _ in range(500):
            if _native.check_bytes(bytearray(data), options=strict).status != _native.FINDINGS:
                failed.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(not failed, "four threads")


def package():
    timed = "import time; begin = time.process_time(); import condlint; print(time.process_time() - begin)"
    took = min(float(subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True).stdout) for _ in range(5))
    print(f"import condlint: {took * 1e3:.1f} ms")
    expect(took <= 0.02, f"import condlint takes {took * 1e3:.1f} ms")
    module = subprocess.run([sys.executable, "-m", "condlint", "--version"], capture_output=True, text=True, check=False)
    expect(module.stdout.startswith(f"condlint {VERSION}\n"), f"python -m condlint: {module.stdout} {module.stderr}")
    include = subprocess.run([sys.executable, "-c", "import condlint; print(condlint.get_include())"], capture_output=True, text=True,
                             check=False)
    held = sorted(os.listdir(os.path.join(include.stdout.strip(), "condlint"))) if include.returncode == 0 else include.stderr
    expect(held == ["annotations.h", "cond.h"] and "_lib" in include.stdout, f"get_include: {include.stdout} {held}")


if __name__ == "__main__":
    program()
    library()
    package()
    print("\n".join(f"wrong: {p}" for p in PROBLEMS))
    sys.exit(1 if PROBLEMS else 0)
