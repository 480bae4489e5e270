"""What condlint says of models, for an oracle to hold against what the real system does."""
import json
import subprocess


def of(binary, paths, target):
    """The errors and warnings of each path, and the rules that are unknown there."""
    found = {}
    for start in range(0, len(paths), 100):
        done = subprocess.run([binary, "check", "--output", "json", "--no-config", "--target", target,
                               *paths[start:start + 100]], capture_output=True, text=True)
        report = json.loads(done.stdout)
        for entry in report["inputs"]:
            found[entry["path"]] = {"status": entry["status"], "conditionals": entry["conditionals"], "error": set(),
                                    "warning": set(), "unknown": set()}
        for f in report["findings"]:
            if f["severity"] in ("error", "warning"):
                found[f["input"]][f["severity"]].add(f["rule"])
        for c in report["conditionals"]:
            found[c["input"]]["unknown"] |= {r for r, v in c["rules"].items() if v == "unknown"}
    return found
