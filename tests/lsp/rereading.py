#!/usr/bin/env python3
"""What is said at once of an edit is what `condlint check` says: rereading.py CONDLINT [--flag FLAG]... [--edits N] [--seed S] FOLDER...

Opens annotated C++ sources below the folders, changes lines inside of functions' bodies, where the server goes on from what
it has parsed before, and compares the first answer with `check` on the same text.
"""

import argparse
import pathlib
import random
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client as lsp  # noqa: E402
import findings  # noqa: E402


def edited(text, rng):
    """Of the lines that stand inside of braces one is taken out, written twice or blank, or has another number or name."""
    lines = text.split("\n")
    inside = [k for k, l in enumerate(lines) if l.startswith((" ", "\t")) and l.strip() and not l.strip().startswith("//")]
    if not inside:
        return text
    k = rng.choice(inside)
    how = rng.randrange(6)
    if how == 0:
        lines[k : k + 1] = []
    elif how == 1:
        lines[k:k] = [lines[k]]
    elif how == 2:
        lines[k:k] = ["", "    // another line", ""]
    elif how == 3:
        lines[k] = lines[k].replace("1", "2").replace("8", "4")
    elif how == 4:
        lines[k] = lines[k].replace("torch::relu", "torch::argmax").replace("+", "-").replace("kFloat", "kDouble")
    else:
        lines[k] += " /* a remark */"
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    known = list(findings.sources(args.folders))
    folder = pathlib.Path(tempfile.mkdtemp()).resolve()
    count = different = 0
    while known and count < args.edits:
        path, target, flags = rng.choice(known)
        flags = findings.flags_for(args.flag, target) + flags
        shutil.rmtree(folder)
        folder.mkdir()
        for header in path.parent.glob("*.h*"):
            shutil.copy(header, folder)
        original = path.read_text()
        own = folder / path.name
        own.write_text(original)
        client = lsp.Client(findings.server(args.program, target, flags), folder=folder, options={"debounce": 0})
        uri = client.open(own, original)
        client.diagnostics(uri, 300)
        for _ in range(5):
            text = edited(original, rng)
            client.change(uri, text)
            client.diagnostics(uri, 300)
            got = findings.published(client)
            own.write_text(text)
            wanted = findings.checked(args.program, own, target, flags)
            own.write_text(original)
            count += 1
            if got != wanted:
                different += 1
                print(f"{path}: missing {sorted(wanted - got)}, not found by check {sorted(got - wanted)}")
        client.stop()
    shutil.rmtree(folder)
    print(f"{count} edits, seed {args.seed}, {different} different")
    return 1 if different or not count else 0


if __name__ == "__main__":
    sys.exit(main())
