#!/usr/bin/env python3
"""Prints the folder of a Python package torch, which holds libtorch's headers and libraries.

Usage: find_torch.py FOLDER [--fetch]

Looks at $CONDLINT_TORCH, at what this Python and the one of $VIRTUAL_ENV import, and at FOLDER/torch, in this order. With
--fetch the wheel of torch 2.13.0 is downloaded with pip and its headers and libraries unpacked into FOLDER/torch when there is
none. Returns 1, and says why, when there is no torch.
"""
import glob
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

VERSION = "2.13.0"


def is_torch(folder):
    return os.path.isfile(os.path.join(folder, "include", "ATen", "core", "Tensor.h"))


def candidates(folder):
    yield os.environ.get("CONDLINT_TORCH", "")
    for key in ("purelib", "platlib"):
        yield os.path.join(sysconfig.get_paths()[key], "torch")
    for path in sys.path:
        yield os.path.join(path, "torch")
    yield from glob.glob(os.path.join(os.environ.get("VIRTUAL_ENV", "/nowhere"), "lib", "python3*", "site-packages", "torch"))
    yield os.path.join(folder, "torch")


def fetch(folder):
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        done = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                               "--only-binary", ":all:", "--dest", scratch, "torch==" + VERSION], capture_output=True, text=True,
                              check=False)
        wheels = glob.glob(os.path.join(scratch, "*.whl"))
        if done.returncode != 0 or not wheels:
            raise RuntimeError((done.stderr.strip().splitlines() or ["pip failed"])[-1])
        with zipfile.ZipFile(wheels[0]) as archive:
            members = [n for n in archive.namelist() if n.startswith(("torch/include/", "torch/lib/")) and ".." not in n]
            archive.extractall(scratch, members)
        # Moved in one step, so that a broken download leaves nothing behind.
        shutil.rmtree(os.path.join(folder, "torch"), ignore_errors=True)
        os.rename(os.path.join(scratch, "torch"), os.path.join(folder, "torch"))


def main():
    arguments = [a for a in sys.argv[1:] if a != "--fetch"]
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    found = next((c for c in candidates(arguments[0]) if c and is_torch(c)), None)
    if found is None and "--fetch" in sys.argv[1:]:
        try:
            fetch(arguments[0])
            found = os.path.join(arguments[0], "torch")
        except (OSError, RuntimeError, zipfile.BadZipFile) as error:
            print(f"find_torch: torch {VERSION} could not be downloaded: {error}", file=sys.stderr)
            return 1
    if found is None:
        print("find_torch: there is no Python package torch; CONDLINT_TORCH can name its folder", file=sys.stderr)
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
