#!/usr/bin/env python3
"""Brings ONNX's backend tests: the models that its runtimes are tested with.

Usage: fetch_onnx_backend.py FOLDER

Downloads the wheel of the Python package onnx 1.22.0 with pip (later wheels do
not hold the models) and unpacks its backend/test/data into FOLDER/data: models,
and the inputs and outputs of the node tests. Does nothing when they are there.
Without network, pip or a fitting Python it says why, and returns 1: the tests that
need the models are skipped then.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

VERSION = "1.22.0"
PREFIX = "onnx/backend/test/data/"
# Wheels of the package that hold the models exist for these; which one it is
# does not matter, since nothing of it is run.
ABIS = (("cp312", "abi3"), ("cp312", "cp312"), ("cp311", "cp311"), ("cp310", "cp310"))


def download(into):
    base = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--only-binary", ":all:", "--dest", into, "onnx==" + VERSION]
    attempts = [base] + [
        base + ["--python-version", python[2:], "--abi", abi, "--implementation", "cp", "--platform",
                "manylinux_2_27_x86_64"]
        for python, abi in ABIS]
    errors = []
    for command in attempts:
        done = subprocess.run(command, capture_output=True, text=True)
        wheels = [f for f in os.listdir(into) if f.endswith(".whl")]
        if done.returncode == 0 and wheels:
            return os.path.join(into, wheels[0])
        errors.append(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "pip failed")
    raise RuntimeError(errors[0])


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    target = os.path.join(sys.argv[1], "data")
    if os.path.exists(os.path.join(target, "node", "test_if", "test_data_set_0", "output_0.pb")):
        print(target)
        return 0
    os.makedirs(sys.argv[1], exist_ok=True)
    with tempfile.TemporaryDirectory(dir=sys.argv[1]) as scratch:
        try:
            wheel = download(scratch)
        except (OSError, RuntimeError) as error:
            print("fetch_onnx_backend: onnx %s could not be downloaded: %s" % (VERSION, error), file=sys.stderr)
            return 1
        with zipfile.ZipFile(wheel) as archive:
            names = [n for n in archive.namelist() if n.startswith(PREFIX) and ".." not in n and
                     (n.endswith(".onnx") or n.endswith(".pb") and n.startswith(PREFIX + "node/"))]
            if not names:
                print("fetch_onnx_backend: %s holds no models" % os.path.basename(wheel), file=sys.stderr)
                return 1
            unpacked = os.path.join(scratch, "data")
            for name in names:
                path = os.path.join(unpacked, name[len(PREFIX):])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with archive.open(name) as source, open(path, "wb") as out:
                    shutil.copyfileobj(source, out)
        # Moved in one step, so that a broken download leaves nothing behind.
        if os.path.isdir(target):
            os.rename(target, os.path.join(scratch, "old"))
        os.rename(unpacked, target)
    print("%s: %d files" % (target, len(names)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
