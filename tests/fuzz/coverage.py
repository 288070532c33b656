"""Prints the share of the lines of each reader that ran, from the summary of llvm-cov.

Usage: coverage.py SUMMARY.json
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent

total = json.loads(pathlib.Path(sys.argv[1]).read_text())["data"][0]["files"]
lines = {}
for file in total:
    path = file["filename"]
    if "/lib/" in path:
        lines[path[path.index("/lib/") + 1:]] = file["summary"]["lines"]
readers = [line.strip() for line in (HERE / "readers.txt").read_text().splitlines() if line and line[0] != "#"]
covered = count = 0
for reader in readers:
    if reader not in lines:
        print(f"{reader:58} not linked")
        continue
    print(f"{reader:58} {lines[reader]['covered']:5} of {lines[reader]['count']:5} lines, {lines[reader]['percent']:5.1f} %")
    covered += lines[reader]["covered"]
    count += lines[reader]["count"]
if count:
    print(f"{'together':58} {covered:5} of {count:5} lines, {100 * covered / count:5.1f} %")
