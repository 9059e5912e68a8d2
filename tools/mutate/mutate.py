#!/usr/bin/env python3
"""Mutation score: small faults planted at random, and how many of them the tests notice.

    mutate.py --work DIR [--count 120] [--seed 1] [--first 0] [--jobs 2]
    mutate.py --list [--count 120] [--seed 1]        prints the mutants, plants none
    mutate.py --work DIR --only I,J                  those again

A copy of the tree in DIR is changed in one place at a time and compiled. The mutant then meets the quick tests of its module
(a tenth of the random trials) and after that ten seconds of the simulator of its world. The first that fails, crashes or takes
five times as long as it should has killed it. Mutants that do not compile or that compile to the same code do not count.
Results are kept in DIR/results.jsonl, so that a run goes on where it was stopped.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

# Where mutants are drawn from; the tests and the worlds of the simulator that they meet.
MODULES = {
    "search": (["src/search", "include/fairlead/search"], ["search", "grid"], ["grid"]),
    "grid": (["src/grid"], ["grid"], ["grid"]),
    "mesh/search": (["src/mesh/search"], ["mesh"], ["mesh"]),
    "drive/lattice": (["src/drive/lattice"], ["drive", "bridge"], ["drive"]),
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


class Bench:
    """The copy of the tree, and what is built of it."""

    def __init__(self, root, work, jobs):
        self.tree, self.build, self.jobs = work / "tree", work / "build", jobs
        self.tree.mkdir(parents=True, exist_ok=True)
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
        for name in filter(None, listed.split("\0")):
            source, copy = root / name, self.tree / name
            if source.exists() and not (copy.exists() and copy.read_bytes() == source.read_bytes()):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, copy)
        flags = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DFAIRLEAD_UNITY=OFF", "-DFAIRLEAD_BUILD_EXAMPLES=OFF"]
        if pathlib.Path("/usr/libexec/mold/ld").exists():
            flags.append("-DCMAKE_EXE_LINKER_FLAGS=-B/usr/libexec/mold")  # links in a second
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, *flags], check=True, stdout=subprocess.DEVNULL)
        self.objects = {entry["file"]: entry["output"]
                        for entry in json.loads((self.build / "compile_commands.json").read_text()) if "output" in entry}
        self.usual = {}

    def compile(self, target):
        done = subprocess.run(["ninja", "-C", self.build, "-j", str(self.jobs), target], capture_output=True, text=True)
        return done.returncode == 0

    def program(self, target):
        found = [file for file in self.build.rglob(target) if file.is_file() and os.access(file, os.X_OK)]
        return found[0]

    def run(self, name, command):
        """True: all well. False: it failed, crashed or took five times as long as usual."""
        limit = 5 * self.usual[name] + 10 if name in self.usual else 1800
        start = time.monotonic()
        try:
            status = subprocess.run(command, cwd=self.tree, capture_output=True, timeout=limit,
                                    env={**os.environ, "FAIRLEAD_TEST_PERCENT": "10"}).returncode
        except subprocess.TimeoutExpired:
            return False
        self.usual.setdefault(name, time.monotonic() - start)
        return status == 0

    def stages(self, module):
        """(name, target to build, command) of everything that a mutant of the module meets, in order."""
        _, tests, worlds = MODULES[module]
        for test in tests:
            target = f"tests_{test}"
            yield target, target, lambda target=target: [self.program(target), "--gtest_brief=1", "--gtest_fail_fast"]
        for world in worlds:
            yield f"simulate {world}", "campaign_simulate", lambda world=world: [
                self.program("simulate"), "--world", world, "--seconds", str(SIMULATOR_SECONDS // len(worlds)), "--shrink", "0"]

    def object_of(self, file):
        output = self.objects.get(str(self.tree / file))
        return self.build / output if output else None

    def digest_of(self, file):
        target = self.object_of(file)
        return hashlib.sha256(target.read_bytes()).hexdigest() if target and target.exists() else None

    def judge(self, mutant):
        """killed by what, "survived", "same code" or "does not compile"."""
        path = self.tree / mutant["file"]
        text = path.read_text()
        lines = text.split("\n")
        before = self.digest_of(mutant["file"])
        lines[mutant["line"] - 1] = mutant["changed"]
        path.write_text("\n".join(lines))
        try:
            target = self.object_of(mutant["file"])
            if target is not None:
                if not self.compile(str(target.relative_to(self.build))):
                    return "does not compile"
                if self.digest_of(mutant["file"]) == before:
                    return "same code"
            for name, target, command in self.stages(mutant["module"]):
                if not self.compile(target):
                    return "does not compile"
                if not self.run(name, command()):
                    return f"killed: {name}"
            return "survived"
        finally:
            path.write_text(text)


def summary(results):
    counted = [result for result in results if result["end"].startswith("killed") or result["end"] == "survived"]
    killed = sum(result["end"] != "survived" for result in counted)
    for module in MODULES:
        of_it = [result for result in counted if result["module"] == module]
        print(f"{module:14} {sum(result['end'] != 'survived' for result in of_it):4} of {len(of_it):4} killed")
    share = 100.0 * killed / max(1, len(counted))
    print(f"{'all':14} {killed:4} of {len(counted):4} killed, {share:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    mutants = draw(options.root, options.seed)
    if options.list:
        for mutant in mutants[options.first: options.first + options.count]:
            print(f"{mutant['number']}: {mutant['file']}:{mutant['line']}: {mutant['kind']}: {mutant['was']}  ->  {mutant['is']}")
        return 0
    if options.work is None:
        parser.error("--work DIR is missing")
    work = options.work.resolve()
    bench = Bench(options.root, work, options.jobs)
    print("Building, and running everything once without a fault", flush=True)
    for module in MODULES:
        for name, target, command in bench.stages(module):
            if name in bench.usual:
                continue
            if not bench.compile(target) or not bench.run(name, command()):
                sys.exit(f"{name} fails without a fault")
            print(f"  {name}: {bench.usual[name]:.0f} s", flush=True)
    kept = work / "results.jsonl"
    results = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    wanted = [int(number) for number in options.only.split(",") if number]
    if wanted:
        results = []
    done = {result["number"] for result in results}
    judged = sum(result["end"].startswith("killed") or result["end"] == "survived" for result in results)
    for mutant in mutants[options.first:]:
        if mutant["number"] in done or (wanted and mutant["number"] not in wanted):
            continue
        if not wanted and judged >= options.count:
            break
        mutant["end"] = bench.judge(mutant)
        judged += mutant["end"].startswith("killed") or mutant["end"] == "survived"
        results.append(mutant)
        if not wanted:
            with kept.open("a") as out:
                out.write(json.dumps(mutant) + "\n")
        print(f"{mutant['number']}: {mutant['file']}:{mutant['line']}: {mutant['kind']}: {mutant['was']}  ->  "
              f"{mutant['is']}: {mutant['end']}", flush=True)
    summary(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
