#!/usr/bin/env python3
"""Mutation score: small faults planted at random, and how many of them the tests notice.

    mutate.py --work DIR [--count 120] [--seed 1] [--first 0] [--jobs 2]
    mutate.py --list [--count 120] [--seed 1]        prints the mutants, plants none
    mutate.py --work DIR --again                     judges those anew that survived
    mutate.py --work DIR --only I,J                  judges those, keeps nothing

Each mutant changes one line of one file. It meets the tests of its module (a tenth of the random trials): first those that have
killed before and the quick ones, then ten seconds of the simulator of its world, from its first seed on, then the others. The first
that fails, crashes or takes five times as long as it should has killed it. Mutants that do not compile or that compile to the same
code do not count. How they are compiled: bench.py.
Results are kept in DIR/results.jsonl, so that a run goes on where it was stopped.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import sys
import time

sys.dont_write_bytecode = True
from bench import Bench  # noqa: E402

# Where mutants are drawn from; the tests and the worlds of the simulator that they meet.
MODULES = {
    "search": (["src/search", "include/fairlead/search"], ["search", "grid"], ["grid"]),
    "grid": (["src/grid"], ["grid"], ["grid"]),
    "mesh/search": (["src/mesh/search"], ["mesh"], ["mesh"]),
    "drive/lattice": (["src/drive/lattice"], ["drive"], ["drive"]),
    "verify": (["src/verify"], ["verify"], ["grid", "drive", "mesh", "roadmap"]),
}
SIMULATOR_SECONDS = 10
OTHER = {
    " < ": [" <= ", " >= "], " <= ": [" < "], " > ": [" >= ", " <= "], " >= ": [" > "],
    " == ": [" != "], " != ": [" == "], " && ": [" || "], " || ": [" && "],
    " + ": [" - "], " - ": [" + "], " * ": [" / "], " / ": [" * "], " += ": [" -= "], " -= ": [" += "],
    " & ": [" | "], " | ": [" & "], " << ": [" >> "], " >> ": [" << "],
}
OPERATOR = re.compile("|".join(re.escape(word) for word in sorted(OTHER, key=len, reverse=True)))
NUMBER = re.compile(r"(?<![\w.])(\d+\.\d+(?:e[+-]?\d+)?|\d+)(?![\w.'])")
CONDITION = re.compile(r"\bif \((?!constexpr)(.*)\)( \{| [a-z].*;)$")
STATEMENT = re.compile(r"^\s+[A-Za-z_][\w.\->\[\]:]*(\(.*\)| [-+|&]?= .*|\+\+|--);$")
SKIPPED = re.compile(r"^\s*(#|//|static_assert|FAIRLEAD_ASSERT|template|using |namespace |return \{\};)|\boperator\b|case ")


def numbers_for(text):
    if "." in text or "e" in text:
        return ["0.0" if float(text) == 1.0 else "1.0" if float(text) == 0.0 else f"({text} * 1.01)"]
    return ["1"] if text == "0" else ["0"] if text == "1" else [str(int(text) + 1)]


def code_of(line):
    """The line without its comment; texts blanked out, so that nothing is changed in them."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda found: '"' + "_" * (len(found.group()) - 2) + '"', line)
    at = line.find("//")
    return line if at < 0 else line[:at]


def changes_of(line):
    """(kind, changed line) for each change of one line of code."""
    code = code_of(line)
    if SKIPPED.search(code) or not code.strip():
        return
    for found in OPERATOR.finditer(code):
        for other in OTHER[found.group()]:
            yield "operator", line[: found.start()] + other + line[found.end():]
    for found in NUMBER.finditer(code):
        for other in numbers_for(found.group()):
            yield "constant", line[: found.start()] + other + line[found.end():]
    found = CONDITION.search(code.rstrip())
    if found and ";" not in found.group(1):
        inner = line[found.start(1): found.end(1)]
        yield "condition", f"{line[: found.start(1)]}!({inner}){line[found.end(1):]}"
    if STATEMENT.match(code.rstrip()) and code.count("(") == code.count(")"):
        yield "dropped", re.match(r"\s*", line).group() + ";"


def all_mutants(root):
    mutants = []
    for module, (folders, _, _) in MODULES.items():
        files = sorted(file for folder in folders for file in (root / folder).iterdir() if file.suffix in (".h", ".cpp"))
        for file in files:
            for number, line in enumerate(file.read_text().split("\n"), 1):
                for kind, changed in changes_of(line):
                    mutants.append({"module": module, "file": str(file.relative_to(root)), "line": number,
                                    "kind": kind, "was": line.strip(), "is": changed.strip(), "changed": changed})
    return mutants


def draw(root, seed):
    mutants = all_mutants(root)
    random.Random(seed).shuffle(mutants)
    for number, mutant in enumerate(mutants):
        mutant["number"] = number
    return mutants


def counts(result):
    return result["end"].startswith("killed") or result["end"] == "survived"


def summary(results):
    counted = [result for result in results if counts(result)]
    killed = sum(result["end"] != "survived" for result in counted)
    for module in MODULES:
        of_it = [result for result in counted if result["module"] == module]
        print(f"{module:14} {sum(result['end'] != 'survived' for result in of_it):4} of {len(of_it):4} killed")
    for end in ("same code", "does not compile", "in no object"):
        print(f"{end:17} {sum(result['end'] == end for result in results):4}")
    share = 100.0 * killed / max(1, len(counted))
    print(f"{'all':14} {killed:4} of {len(counted):4} killed, {share:.1f} %")


def described(mutant):
    return f"{mutant['number']}: {mutant['file']}:{mutant['line']}: {mutant['kind']}: {mutant['was']}  ->  {mutant['is']}"


class Kept:
    """DIR/results.jsonl: the last word on each mutant counts."""

    def __init__(self, file):
        self.file = file
        lines = file.read_text().splitlines() if file.exists() else []
        self.results = {result["number"]: result for result in map(json.loads, lines)}

    def add(self, mutant):
        self.results[mutant["number"]] = mutant
        with self.file.open("a") as out:
            out.write(json.dumps(mutant) + "\n")

    def are_of(self, mutants):
        """Is each of them the mutant of its number in this tree?"""
        return all(mutants[number]["file"] == result["file"] and mutants[number]["changed"] == result["changed"]
                   for number, result in self.results.items())

    def killers(self):
        """The tests that have killed, most often first."""
        names = collections.Counter(result["end"][8:] for result in self.results.values() if result["end"].startswith("killed: "))
        return sorted(names, key=lambda name: (-names[name], name))


def prepared(options, work):
    """The bench, everything built and run once without a fault."""
    bench = Bench(options.root, work, options.jobs)
    tests = sorted({f"tests_{test}" for _, names, _ in MODULES.values() for test in names})
    bench.prepare([*tests, "campaign_simulate"])
    for target in tests:
        bench.measure(target)
        print(f"  {target}: {sum(bench.usual[target].values()):.0f} s", flush=True)
    for world in sorted({world for _, _, worlds in MODULES.values() for world in worlds}):
        bench.measure_world(world)
        print(f"  simulate {world}: {bench.usual[world]:.0f} operations a second", flush=True)
    return bench


def judge(bench, mutant, killers):
    _, tests, worlds = MODULES[mutant["module"]]
    start = time.monotonic()
    mutant["end"] = bench.judge(mutant, tests, [(world, SIMULATOR_SECONDS / len(worlds)) for world in worlds], killers)
    print(f"{described(mutant)}: {mutant['end']} ({time.monotonic() - start:.0f} s)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    mutants = draw(options.root, options.seed)
    if options.list:
        print(*map(described, mutants[options.first: options.first + options.count]), sep="\n")
        return 0
    if options.work is None:
        parser.error("--work DIR is missing")
    work = options.work.resolve()
    kept = Kept(work / "results.jsonl")
    if not (options.again or options.only or kept.are_of(mutants)):
        parser.error(f"{kept.file} is of other sources or another seed: remove it")
    print("Building, and running everything once without a fault", flush=True)
    bench = prepared(options, work)
    if options.only:
        for number in map(int, options.only.split(",")):
            judge(bench, mutants[number], kept.killers())
        return 0
    if options.again:
        for mutant in [result for result in kept.results.values() if result["end"] == "survived"]:
            judge(bench, mutant, kept.killers())
            kept.add(mutant)
    for mutant in mutants[options.first:] if not options.again else []:
        if sum(map(counts, kept.results.values())) >= options.count:
            break
        if mutant["number"] not in kept.results:
            judge(bench, mutant, kept.killers())
            kept.add(mutant)
    summary(kept.results.values())
    return 0


if __name__ == "__main__":
    sys.exit(main())
