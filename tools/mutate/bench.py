"""The test bench of mutate.py: what is built once, what is compiled for a mutant, and how it is run.

The release build is made once, from a copy of the tree, and never changed. A changed file lies in a folder of its own that the
compiler looks in first. What it changes is compiled at -O1 (a .cpp file by itself; of a header, the files of its module that
include it, joined to one) and linked in front of the library: of two functions of one name the first is taken. No compiler cache
is asked, and no earlier mutant leaves anything behind.
"""

import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import time

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
RUNNING = re.compile(r"^\[ RUN      \] (\S+)", re.M)
FAILED = re.compile(r"^\[  FAILED  \] (\w\S*\.\S+?)(?:,| \(|$)", re.M)
MEMORY = 12 << 30  # of one program
LINKER = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []


class Tree:
    """Who includes whom. The umbrella header is not looked into: the tests have it from their precompiled header."""

    def __init__(self, root):
        self.root, self.bases, self.seen = root, [root / "src", root / "include", root / "tests", root], {}

    def includes(self, file):
        if file not in self.seen:
            names = [name for name in INCLUDE.findall(file.read_text()) if name != "fairlead/fairlead.h"]
            found = [next((base / name for base in self.bases if (base / name).is_file()), None) for name in names]
            self.seen[file] = {path for path in found if path}
        return self.seen[file]

    def reaches(self, file, header):
        open_files, met = [file], {file}
        while open_files:
            fresh = self.includes(open_files.pop()) - met
            met |= fresh
            open_files += fresh
        return header in met


class Entry:
    """One object of the release build: the files in it, how it is compiled, where it lies."""

    def __init__(self, entry):
        words = shlex.split(entry["command"])
        while not re.search(r"(\+\+|clang|gcc)[-\d.]*$", words[0]):
            words.pop(0)  # a compiler cache
        file, self.folder = pathlib.Path(entry["file"]), pathlib.Path(entry["directory"])
        self.output = words[words.index("-o") + 1]
        self.words = [word for word in words if word not in ("-c", "-o", self.output, str(file), "-Winvalid-pch", "-Werror")]
        joined = "Unity" in file.parts
        self.sources = [pathlib.Path(name) for name in INCLUDE.findall(file.read_text())] if joined else [file]

    def of(self, target):
        return f"/{target}.dir/" in f"/{self.output}"

    def of_library(self):
        """Of any of the libraries: `fairlead` and, beside it, `fairlead_verify` and others."""
        return re.match(r"CMakeFiles/fairlead\w*\.dir/(src|Unity)/", self.output) is not None


class Bench:
    def __init__(self, root, work, jobs):
        self.work, self.tree, self.jobs, self.usual = work, (work / "tree").resolve(), jobs, {}
        self.build, self.plant, self.out = self.tree / "build" / "release", work / "plant", work / "out"
        self.out.mkdir(parents=True, exist_ok=True)
        copy_tree(root, self.tree)
        subprocess.run(["cmake", "--preset", "release"], cwd=self.tree, check=True, stdout=subprocess.DEVNULL)
        self.who = Tree(self.tree)

    def prepare(self, targets):
        """Builds the targets as they are."""
        subprocess.run(["ninja", "-C", self.build, "-j", str(self.jobs), *targets], check=True, stdout=subprocess.DEVNULL)
        self.entries = [Entry(entry) for entry in json.loads((self.build / "compile_commands.json").read_text())]
        self.links = {}
        for target in targets:
            command = ["ninja", "-C", self.build, "-t", "commands", target]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            words = shlex.split(text.strip().split("\n")[-1])
            self.links[target] = [word for word in words if word not in (":", "&&", "ccache")]
        one = next(entry for entry in self.entries if entry.of_library())
        self.headers = self.out / "std.hxx"
        shutil.copy(one.words[one.words.index("-include") + 1], self.headers)
        words = self.words_of(one)
        at = words.index("-include")
        subprocess.run([*words[:at], *words[at + 2:], "-x", "c++-header", self.headers, "-o", f"{self.headers}.gch"], check=True)

    def words_of(self, entry, public=False):
        """How a changed file of the object is compiled. The tests' precompiled header has the public headers in it, so where one
        of these was changed it is read as text."""
        words = ["-O1" if word in ("-O2", "-O3") else word for word in entry.words]
        if "-include" in words:
            at = words.index("-include") + 1
            if entry.of_library():
                words[at] = str(self.headers)
            elif public:
                text = self.out / "test_headers.hxx"
                shutil.copy(words[at], text)
                words[at] = str(text)
        return [words[0], "-w", f"-I{self.plant}", *words[1:]]

    def compile(self, entry, sources, name, public):
        source = sources[0]
        if len(sources) > 1:
            source = self.out / f"{name}.cpp"
            source.write_text("".join(f'#include "{file}"\n' for file in sources))
        target = self.out / f"{name}.o"
        done = subprocess.run([*self.words_of(entry, public), "-c", source, "-o", target], cwd=entry.folder, capture_output=True)
        return target if done.returncode == 0 else None

    def needed(self, file, target):
        """(entry, files of it that have the changed one in them): in the library those of the file's own folder of
        src/; of a public header, or one of src/search, those of the program's folder, and its tests: they have its templates in them."""
        path = self.tree / file
        public = file.startswith(("include/", "src/search/"))
        under_test = "grid" if target == "campaign_simulate" else target.removeprefix("tests_")
        folder = self.tree / "src" / (under_test if public else pathlib.Path(file).parts[1])
        planted = self.plant / pathlib.Path(*pathlib.Path(file).parts[1:])
        for entry in self.entries:
            met = []
            if entry.of_library() and path.suffix == ".cpp":
                met = [planted] if path in entry.sources else []
            elif entry.of_library():
                met = [source for source in entry.sources if folder in source.parents and self.who.reaches(source, path)]
            elif public and entry.of(target) and any(self.who.reaches(source, path) for source in entry.sources):
                met = entry.sources
            if met:
                yield entry, met

    def put(self, file, text):
        shutil.rmtree(self.plant, ignore_errors=True)
        path = self.plant / pathlib.Path(*pathlib.Path(file).parts[1:])
        path.parent.mkdir(parents=True)
        path.write_text(text)

    def objects(self, file, target, made):
        """The objects to link in front and the names of those that they replace; None: does not compile."""
        front, replaced = [], set()
        for entry, sources in self.needed(file, target):
            if entry.output not in made:
                name = re.sub(r"\W", "_", entry.output)
                made[entry.output] = entry, sources, self.compile(entry, sources, name, file.startswith("include/"))
            unit = made[entry.output][2]
            if unit is None:
                return None
            front.append(str(unit))
            replaced |= {entry.output} if entry.of(target) else set()
        return front, replaced

    def link(self, target, front, replaced):
        words = [word for word in self.links[target] if word not in replaced]
        program = self.out / target
        words[words.index("-o") + 1] = str(program)
        done = subprocess.run([words[0], *LINKER, "-Wl,-z,muldefs", *front, *words[1:]], cwd=self.build, capture_output=True)
        return program if done.returncode == 0 else None

    def run(self, command, usual):
        """(all well, output). `usual`: seconds of the processor for each test, or for the whole. Five times that is a failure; so is
        a minute of which none is used."""
        def limits():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        environment = {**os.environ, "FAIRLEAD_TEST_PERCENT": "10"}
        said = self.out / "said.txt"
        with said.open("wb") as out:
            program = subprocess.Popen(command, cwd=self.tree, stdout=out, stderr=out, preexec_fn=limits, env=environment)
        test, begun, used, moved = None, 0.0, 0.0, time.monotonic()
        while program.poll() is None:
            time.sleep(0.05)
            before, used = used, seconds_of(program.pid, used)
            if used > before:
                moved = time.monotonic()
            if isinstance(usual, dict):
                at = (RUNNING.findall(said.read_text(errors="replace")) or [None])[-1]
                test, begun = (test, begun) if at == test else (at, used)
            if used - begun > 5 * (usual.get(test, 0.0) if isinstance(usual, dict) else usual) + 3 or time.monotonic() - moved > 60:
                program.kill()
                program.wait()
        return program.returncode == 0, said.read_text(errors="replace")

    def measure(self, target):
        """Seconds of each test of a program without a fault; all must pass."""
        program, report = self.build / "bin" / "tests" / target, self.out / f"{target}.json"
        if not (report.exists() and report.stat().st_mtime > program.stat().st_mtime):
            good, text = self.run([program, f"--gtest_output=json:{report}"], 1000)
            if not good:
                report.unlink(missing_ok=True)
                raise SystemExit(f"{target} fails without a fault:\n{text[-2000:]}")
        suites = json.loads(report.read_text())["testsuites"]
        self.usual[target] = {f"{suite['name']}.{test['name']}": float(test["time"].rstrip("s"))
                              for suite in suites for test in suite["testsuite"]}

    def measure_world(self, world):
        """Operations of the simulator's world in a second of the processor without a fault. A few scripts are most of the work."""
        operations, seconds = 1000, 0.0
        while seconds < 4.0:
            operations *= 2
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            good, text = self.run([self.build / "bin" / "campaign" / "simulate", "--world", world, "--operations", str(operations)], 100)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if not good:
                raise SystemExit(f"simulate --world {world} fails without a fault:\n{text[-2000:]}")
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.usual[world] = operations / seconds

    def groups(self, target, killers):
        """Its quick tests in groups (those that have killed before come first), and all others; cheap ones first."""
        usual = self.usual[target]
        famous = [name for name in killers if usual.get(name, 9.0) < 0.5][:12]
        rest = sorted((name for name in usual if name not in famous), key=lambda name: (usual[name], name))
        groups, sums = [famous] if famous else [], [2.0, 10.0]
        for limit in sums:
            group, total = [], 0.0
            while rest and total + usual[rest[0]] <= limit:
                total += usual[rest[0]]
                group.append(rest.pop(0))
            groups += [group] if group else []
        return groups, [rest] if rest else []

    def unit_tests(self, target, program, groups):
        """The test that killed, or None."""
        for group in groups:
            good, text = self.run([program, "--gtest_fail_fast", f"--gtest_filter={':'.join(group)}"], self.usual[target])
            if not good:
                names = FAILED.findall(text) or RUNNING.findall(text)[-1:] or [target]
                return names[0]
        return None

    def judge(self, mutant, tests, worlds, killers):
        """killed by what, "survived", "same code", "does not compile", "in no object" or "not there any more" (the sources have
        changed)."""
        lines = (self.tree / mutant["file"]).read_text().split("\n")
        original = "\n".join(lines)
        if lines[mutant["line"] - 1 : mutant["line"]] == [] or lines[mutant["line"] - 1].strip() != mutant["was"]:
            return "not there any more"
        lines[mutant["line"] - 1] = mutant["changed"]
        self.put(mutant["file"], "\n".join(lines))
        made, programs, slow = {}, {}, []
        for target in [f"tests_{test}" for test in tests] + ["campaign_simulate"]:
            found = self.objects(mutant["file"], target, made)
            programs[target] = found and self.link(target, *found)
            if not programs[target]:
                return "does not compile"
            if target != "campaign_simulate":
                quick, others = self.groups(target, killers)
                slow.append((target, others))
                killer = self.unit_tests(target, programs[target], quick)
                if killer:
                    return f"killed: {killer}"
        if not made:
            return "in no object"
        if self.same_code(mutant["file"], original, made):
            return "same code"
        for world, seconds in worlds:
            options = ["--world", world, "--operations", str(int(self.usual[world] * seconds)), "--shrink", "0"]
            if not self.run([programs["campaign_simulate"], *options], seconds)[0]:
                return f"killed: simulate {world}"
        for target, others in slow:
            killer = self.unit_tests(target, programs[target], others)
            if killer:
                return f"killed: {killer}"
        return "survived"

    def same_code(self, file, original, made):
        """Whether the library compiles to the same without the change."""
        self.put(file, original)
        for entry, sources, unit in made.values():
            before = unit.read_bytes()
            again = self.compile(entry, sources, unit.stem, file.startswith("include/"))
            if again is None or again.read_bytes() != before:
                return False
        return True


def seconds_of(process, otherwise):
    """Of the processor, used so far."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return otherwise
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def copy_tree(root, tree):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
    names = [name for name in listed.split("\0") if name and (root / name).is_file()]
    for name in names:
        source, copy = root / name, tree / name
        if not (copy.exists() and copy.read_bytes() == source.read_bytes()):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    for folder in ("src", "include", "tests", "scenes"):
        for file in (tree / folder).rglob("*"):
            if file.is_file() and str(file.relative_to(tree)) not in names:
                file.unlink()
