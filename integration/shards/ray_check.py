#!/usr/bin/env python3
"""Checks models on a cluster of Ray: those whose paths a dataset holds, or whose bytes.

    ray_check.py FOLDER            prints a line a model; the dataset holds the bytes, wherever they come from
    ray_check.py FOLDER --paths    the dataset holds paths, of a disk that all workers see
"""
import os
import sys

import ray


def summary(reports):
    return {"errors": [r.to_dict()["summary"]["findings"]["error"] for r in reports],
            "status": [r.to_dict()["inputs"][0]["status"] for r in reports]}


def by_path(batch):
    """Adds to rows with the column `path` how many errors each has, and whether it was analysed."""
    import condlint

    return {**batch, **summary([condlint.check(str(path)) for path in batch["path"]])}


def by_bytes(batch):
    """The same for rows with the column `bytes`."""
    import condlint

    return {**batch, **summary([condlint.check(data) for data in batch["bytes"]])}


def main():
    folder = sys.argv[1]
    if "--paths" in sys.argv[2:]:
        paths = [os.path.join(place, name) for place, _, names in os.walk(os.path.abspath(folder)) for name in names]
        models = [{"path": path} for path in paths if path.endswith((".onnx", ".pt2"))]
        checked = ray.data.from_items(models).map_batches(by_path, batch_size=64)
    else:
        data = ray.data.read_binary_files(folder, include_paths=True, file_extensions=["onnx", "pt2"])
        checked = data.map_batches(by_bytes, batch_size=64).drop_columns(["bytes"])
    for row in checked.sort("path").iter_rows():
        print(row["path"], row["status"], row["errors"])


if __name__ == "__main__":
    main()
