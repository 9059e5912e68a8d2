#!/usr/bin/env python3
"""Line and branch coverage of each module by the quick tests, from llvm-cov (./run coverage).

    coverage.py [--build build/coverage] [MODULE...]     builds and runs the tests of the modules, or all; prints the table
    coverage.py ... --uncovered FOLDER                   and the branches of a folder, as grid or mesh/search, that no test took

A module's tests are tests/MODULE. The table counts what all tests run together reach; a branch is one outcome of one condition.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def modules():
    """Folders of src/ that have tests of their own."""
    return sorted(folder.name for folder in (ROOT / "src").iterdir() if any((ROOT / "tests" / folder.name).glob("*_test.cpp")))


def run_tests(build, names):
    """Builds and runs the test programs; the merged profile."""
    targets = [f"tests_{name}" for name in names]
    subprocess.run(["cmake", "--build", build, "--target", *targets], check=True, stdout=subprocess.DEVNULL)
    folder = build / "profiles"
    folder.mkdir(exist_ok=True)
    for target in targets:
        raw = folder / f"{target}-%m.profraw"
        environment = {"FAIRLEAD_TEST_PERCENT": "10", **os.environ, "LLVM_PROFILE_FILE": str(raw)}
        for old in folder.glob(f"{target}-*.profraw"):
            old.unlink()
        done = subprocess.run([build / "bin" / "tests" / target, "--gtest_brief=1"], cwd=ROOT, env=environment)
        if done.returncode != 0:
            sys.exit(f"{target} fails")
    merged = build / "tests.profdata"
    subprocess.run(["llvm-profdata-14", "merge", "-sparse", "-o", merged, *folder.glob("*.profraw")], check=True)
    return merged


def export(build, names, merged, *options):
    programs = [str(build / "bin" / "tests" / f"tests_{name}") for name in names]
    others = [word for program in programs[1:] for word in ("-object", program)]
    command = ["llvm-cov-14", "export", *options, f"-instr-profile={merged}", programs[0], *others]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(text)["data"][0]["files"]


def place_of(file):
    """Its path from src/ or include/fairlead/ on; None of what is not a module's."""
    path = pathlib.Path(os.path.normpath(ROOT / "build" / "coverage" / file["filename"]))  # a compiler cache makes paths relative
    for base in (ROOT / "src", ROOT / "include" / "fairlead"):
        if base in path.parents and path.parent != base:
            return path.relative_to(base)
    return None


def table(files):
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for file in files:
        place = place_of(file)
        if place is None:
            continue
        lines, branches = file["summary"]["lines"], file["summary"]["branches"]
        more = (lines["covered"], lines["count"], branches["covered"], branches["count"])
        for name in (place.parts[0], "all"):
            sums[name] = [a + b for a, b in zip(sums[name], more)]
    print("| module | lines | branches |\n|---|---|---|")
    for name in sorted(sums, key=lambda name: (name == "all", name)):
        hit_lines, lines, hit, branches = sums[name]
        print(f"| {name} | {100 * hit_lines / max(1, lines):.1f} % of {lines} | {100 * hit / max(1, branches):.1f} % of {branches} |")


def uncovered(files, folder):
    for file in files:
        place = place_of(file)
        if place is None or not str(place).startswith(folder):
            continue
        met = collections.defaultdict(lambda: [0, 0])
        for line, column, _, _, yes, no, *_ in file["branches"]:
            met[line, column][0] += yes
            met[line, column][1] += no
        text = (pathlib.Path(file["filename"])).read_text().split("\n")
        for (line, column), (yes, no) in sorted(met.items()):
            if yes == 0 or no == 0:
                never = "never asked" if yes == no == 0 else "never true" if yes == 0 else "never false"
                print(f"{place}:{line}:{column}: {never}: {text[line - 1].strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "coverage")
    parser.add_argument("--uncovered", default="")
    parser.add_argument("--keep", action="store_true", help="the last run's profile")
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    names = options.modules or modules()
    merged = options.build / "tests.profdata" if options.keep else run_tests(options.build, names)
    if options.uncovered:
        uncovered(export(options.build, names, merged), options.uncovered)
    else:
        table(export(options.build, names, merged, "-summary-only"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
