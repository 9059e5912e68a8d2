#!/usr/bin/env python3
"""Checks of the tree that a compiler does not make.

    tidy.py [--root DIR] layers | cycles | banned | standard | text | umbrella | docs | targets | version | headers --compiler CXX
    tidy.py [--root DIR] all           everything but headers
    tidy.py [--root DIR] umbrella --write   rewrites include/fairlead/fairlead.h

Each finding is one line, "file:line: what is wrong". Status 0: none; 1: some; 77: skipped, with the reason.
A line may answer for itself with a comment that gives the rule and the reason:
    // tidy: allow(rule): reason
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import packaging
import standard
import umbrella

# --- The layer table ---------------------------------------------------------------------------------------------
# What each module may include directly; what those may include comes with them. Where `closed` is set, it does not.

WORLDS = ["grid", "roadmap", "mesh", "volume"]

MAY_INCLUDE = {
    "base": [],
    "math": ["base"],
    "route": ["math"],
    "search": ["route"],
    "polygon": ["math"],
    "raster": ["math"],
    "curve": ["route"],
    "grid": ["route", "search"],
    "roadmap": ["route", "search"],
    "mesh": ["route", "search", "polygon"],
    "volume": ["route", "search"],
    "cylinder": ["grid"],
    "hierarchy": ["grid"],
    "drive": ["curve", "search"],
    "fly": ["curve", "drive", "volume"],
    # makes and loads tables; looking up is part of the mesh's search
    "mesh_table": ["mesh"],
    "mesh_bake": ["raster", "polygon", "mesh"],
    "volume_bake": ["raster", "volume"],
    "cylinder_bake": ["raster", "cylinder"],
    "motion": ["curve"],
    "convoy": ["drive", "motion"],
    "bridge": WORLDS + ["drive", "crowd"],
    # the articles' own methods, to study and to compare with
    "classic": ["bridge"],
    "verify": WORLDS,
    "explain": WORLDS + ["bridge", "fly"],
    "crowd": ["motion"],
    "schedule": ["route", "search"],
    "fleet": WORLDS + ["bridge", "convoy", "crowd", "fly", "schedule"],
    "formats": WORLDS,
    # debug draws anything below it
    "debug": WORLDS + ["hierarchy", "drive", "motion", "bridge", "verify", "explain", "crowd", "schedule"],
    # what a bake does, drawn: part of fairlead::bake, so that the runtime draws without it
    "bake_debug": ["mesh_bake", "debug"],
}

# The exact checker is only worth something if it is written apart from the planners: it sees the worlds through
# their public headers and never the search.
PUBLIC_ONLY = {"verify"}
NEVER = {"verify": {"search"}}


def allowed_modules(module):
    found = {module}
    todo = list(MAY_INCLUDE[module])
    while todo:
        other = todo.pop()
        if other not in found:
            found.add(other)
            todo += MAY_INCLUDE[other]
    return found - NEVER.get(module, set())


# --- Banned names ------------------------------------------------------------------------------------------------
# (rule, pattern, why, modules where it is allowed). Read on code without comments and strings.

OUTER = {"formats"}
MATH_NAMES = (
    "a?sinh?|a?cosh?|a?tanh?|atan2|hypot|pow|exp|exp2|expm1|log|log2|log10|log1p|cbrt|fma|lerp|tgamma|lgamma|erfc?"
)

BANNED = [
    ("libm", rf"\bstd::(?:{MATH_NAMES})f?\b", "differs between platforms in the last bit; use fairlead/math/trig.h", set()),
    ("libm", rf"(?<![\w:.>~])(?:::)?(?:sinf?|cosf?|tanf?|atan2f?|acosf?|asinf?|atanf?|hypotf?|powf?|expf?|fmaf?)\s*\(",
     "looks like the C library's; say math:: or use fairlead/math/trig.h", {"math"}),
    ("hash", r"\bstd::hash\b|\bunordered_(?:multi)?(?:map|set)\b", "its order differs between standard libraries", set()),
    ("heap", r"\bpriority_queue\b|\bstd::(?:make|push|pop|sort)_heap\b", "ties differ between standard libraries", set()),
    ("random", r"\b(?:s?rand|drand48)\s*\(|\brandom_device\b|\bmt19937|_distribution\b|\bstd::(?:shuffle|sample)\b|<random>",
     "differs between standard libraries; use fairlead/base/rng.h", set()),
    ("clock", r"<chrono>|<ctime>|<time\.h>|<sys/time\.h>|\bstd::chrono\b|\bstd::time\b|(?<![\w:.>])(?:clock\s*\(\s*\)|time\s*\(\s*(?:nullptr|NULL|0|&)|(?:gettimeofday|clock_gettime)\s*\()",
     "the core never reads a clock", {"schedule"}),
    ("thread", r"<thread>|<future>|\bstd::(?:thread|jthread|async|future)\b|\bpthread_", "the core never starts a thread", {"schedule"}),
    ("print", r"<(?:iostream|fstream|ostream|istream|sstream|filesystem)>|\bstd::(?:cout|cerr|clog|[io]?fstream|filesystem)\b"
     r"|\b(?:f?printf|f?puts|putchar|fopen|freopen|fread|fwrite|perror)\s*\(", "the core never prints and never opens a file", OUTER),
    ("print", r"<cstdio>|<stdio\.h>|\bv?s?n?printf\s*\(", "the core makes no text", OUTER | {"debug"}),
    ("ownership", r"\b(?:shared|weak)_ptr\b", "assets have one owner; others refer", set()),
    ("thread_local", r"\bthread_local\b", "scratch memory is passed, not hidden", set()),
    ("exceptions", r"\bthrow\b|\btry\s*\{|\bcatch\s*\(|\bstd::(?:exception|runtime_error|logic_error)\b", "no exceptions; return a Result", OUTER),
    ("rtti", r"\bdynamic_cast\b|\btypeid\b|\bstd::any\b", "no run-time types", set()),
    ("inheritance", r"\bvirtual\b|\boverride\b", "no inheritance; a concept, or a struct of function pointers", set()),
    ("portable", r"\bstd::(?:bit_cast|pmr|expected|format|source_location)\b|\bstd::(?:ranges|views)::|<(?:ranges|source_location|memory_resource|expected|format)>",
     "one of g++ 12, clang 14 and em++ 3.1.6 lacks it", set()),
    ("portable", r"\blong\s+double\b", "its size differs between platforms", set()),
    ("portable", r"\b__builtin_\w+|\b__attribute__\b", "only in base/platform.h, behind a macro", set()),
    ("msvc", r"<(?:unistd|strings|dirent|alloca|sys/\w+)\.h>|<bits/|<ext/|\bssize_t\b|\bM_(?:PI|E|SQRT2|LN2)\w*|\balloca\s*\("
     r"|\bstrn?casecmp\b|\(\{[^{}]*;|\b__(?:u?int128|restrict__|typeof__|PRETTY_FUNCTION__|extension__)\b|\bu?int128_t\b|\bcase\s+\w+\s*\.\.\.",
     "Visual C++ has no such thing", set()),
    ("long", r"\b(?:unsigned\s+)?long\b(?!\s+(?:long|double))(?<!long long)", "32 bits on Windows, 64 elsewhere", set()),
    ("abort", r"\bstd::(?:abort|exit|terminate|quick_exit)\b|\bassert\s*\(|<cassert>", "use FAIRLEAD_ASSERT or return an Error", set()),
    ("memory", r"\bstd::(?:malloc|calloc|realloc|free|aligned_alloc)\b|\b(?:m|c|re)alloc\s*\(|\bnew\s+(?!\()\w|\bdelete\s*(?:\[\s*\]\s*)?\w",
     "memory comes from an Allocator", OUTER | {"debug"}),
    ("memory", r"\bstd::(?:vector|string|deque|list|(?:multi)?map|(?:multi)?set|function|unique_ptr|make_unique|stable_sort)\b",
     "allocates behind the Allocator's back and ends the program when memory runs out; use Array", OUTER | {"debug"}),
]
BANNED = [(rule, re.compile(pattern), why, modules) for rule, pattern, why, modules in BANNED]

# Macros of <windows.h>, which a game may include first.
WINDOWS_MACROS = re.compile(r"\b(?:min|max)\s*\(|\b(?:near|far|small|interface|IN|OUT|ERROR|DELETE|CONST|OPAQUE|TRANSPARENT|RELATIVE|ABSOLUTE)\b")

# Allowed where a comment on the line states the property that makes them safe.
WITH_REASON = [
    ("sort", re.compile(r"\bstd::(?:sort|partial_sort|nth_element|partial_sort_copy)\b"), re.compile(r"//.*\btotal order\b"),
     "ties differ between standard libraries; say `// total order` where there are none", set()),
    ("charconv", re.compile(r"\bstd::(?:from|to)_chars\b"), re.compile(r"//.*\binteger\b"),
     "em++ has it for integers only; say `// integer`", OUTER),
]

# Files that are the one place for a thing.
HOME = {
    "src/base/allocator.cpp": {"memory"},
    "src/base/assert.cpp": {"abort"},
    "include/fairlead/base/platform.h": {"portable"},
}

# --- Text --------------------------------------------------------------------------------------------------------

TEXT_SUFFIXES = {".h", ".cpp", ".py", ".sh", ".cmake", ".md", ".json", ".txt", ".in", ".js", ".mjs", ".ts", ".html",
                 ".css", ".yml", ".svg"}
TEXT_NAMES = {"run", "LICENSE", ".clang-format", ".clang-tidy", ".editorconfig", ".gitignore"}
CODE_SUFFIXES = {".h", ".cpp", ".py", ".sh", ".js", ".mjs", ".ts"}
# Byte-for-byte material: expected outputs, damaged inputs.
RAW_FOLDERS = {"golden", "fixtures", "corpus"}
SKIPPED_FOLDERS = {".git", ".cache", "build", "demo", "node_modules", "__pycache__"}
LINES_WARN = 500
LINES_MAX = 800
# clang-format keeps code within 110 columns and leaves comments as they are written; this bounds the comments.
COLUMNS_MAX = 140


class Tree:
    """The files below a root, read once."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.findings = []
        self.texts = {}

    def files(self, *folders, suffixes=None):
        for folder in folders or ("",):
            for base, dirs, names in os.walk(self.root / folder):
                at_top = pathlib.Path(base) == self.root
                dirs[:] = sorted(d for d in dirs if d not in SKIPPED_FOLDERS or (d == "build" and not at_top))
                for name in sorted(names):
                    path = (pathlib.Path(base) / name).relative_to(self.root)
                    if suffixes is None or path.suffix in suffixes:
                        yield path

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_bytes().decode("utf-8", errors="replace")
        return self.texts[path]

    def report(self, path, line, message):
        self.findings.append(f"{path}:{line}: {message}")


def module_of(path):
    """base for include/fairlead/base/x.h and src/base/x.cpp; None for the umbrella fairlead.h."""
    parts = path.parts
    if parts[0] == "include":
        return parts[2] if len(parts) > 3 else None
    return parts[1] if len(parts) > 2 else None


def code_only(text):
    """The text with comments, string and character literals blanked out; lines stay where they are."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.S)

    def blank(match):
        if match.group().startswith('"') and before_is_include(text, match.start()):
            return match.group()
        return re.sub(r"[^\n]", " ", match.group())

    return pattern.sub(blank, text)


def before_is_include(text, at):
    line_start = text.rfind("\n", 0, at) + 1
    return re.match(r"\s*#\s*include\s*$", text[line_start:at]) is not None


INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def includes(tree, path):
    """(line, how, name) of each #include outside comments."""
    code = code_only(tree.text(path))
    for match in INCLUDE.finditer(code):
        yield code.count("\n", 0, match.start(1)) + 1, match.group(1), match.group(2)


def library_files(tree):
    return list(tree.files("include", "src", suffixes={".h", ".cpp"}))


def resolve(name, how):
    """The repository's file behind an include, or None for a package's or the standard library's."""
    if how == "<":
        return pathlib.Path("include") / name if name.startswith("fairlead/") else None
    return pathlib.Path("src") / name


# --- Checks ------------------------------------------------------------------------------------------------------


def check_layers(tree):
    for path in library_files(tree):
        public = path.parts[0] == "include"
        module = module_of(path)
        if module is None:
            if path.as_posix() not in ("include/fairlead/fairlead.h", "include/fairlead/version.h"):
                tree.report(path, 1, "belongs to no module: move it into a module's folder")
            continue
        if module not in MAY_INCLUDE:
            tree.report(path, 1, f"module {module} is not in the layer table (tests/tidy/tidy.py)")
            continue
        allowed = allowed_modules(module)
        for line, how, name in includes(tree, path):
            target = resolve(name, how)
            if target is None:
                continue
            if public and how == '"':
                tree.report(path, line, f'public headers include <fairlead/...> only, not "{name}"')
                continue
            if not (tree.root / target).is_file():
                tree.report(path, line, f"no such file: {target}")
                continue
            other = module_of(target)
            if other is None:
                tree.report(path, line, "the library itself never includes the umbrella fairlead.h")
            elif other not in allowed:
                tree.report(path, line, f"{module} may not include {other} (layer table)")
            elif module in PUBLIC_ONLY and how == '"' and other != module:
                tree.report(path, line, f"{module} sees other modules through their public headers only")


def check_cycles(tree):
    graph = {}
    for path in library_files(tree):
        targets = []
        for _, how, name in includes(tree, path):
            target = resolve(name, how)
            if target is not None and (tree.root / target).is_file():
                targets.append(target)
        graph[path] = targets

    done = set()

    def visit(path, trail):
        if path in trail:
            tree.report(path, 1, "include cycle: " + " -> ".join(str(p) for p in trail[trail.index(path):] + [path]))
            return
        if path in done:
            return
        for target in graph.get(path, []):
            visit(target, trail + [path])
        done.add(path)

    for path in graph:
        visit(path, [])


def check_banned(tree):
    for path in library_files(tree):
        module = module_of(path)
        full = tree.text(path).split("\n")
        code = code_only(tree.text(path)).split("\n")
        home = HOME.get(path.as_posix(), set())
        public = path.parts[0] == "include"
        for number, (line, original) in enumerate(zip(code, full), 1):
            if public and WINDOWS_MACROS.search(line):
                tree.report(path, number, "banned (windows): a macro of <windows.h> in a public header; for std::min and its like write (std::min)(a, b)")
            excused = set(re.findall(r"//.*?\btidy: allow\((\w+)\): \w", original)) | home
            for rule, pattern, why, modules in BANNED:
                match = pattern.search(line)
                if match and module not in modules and rule not in excused:
                    tree.report(path, number, f"banned ({rule}): {match.group().strip()}: {why}")
            for rule, pattern, reason, why, modules in WITH_REASON:
                if pattern.search(line) and not reason.search(original) and module not in modules and rule not in excused:
                    tree.report(path, number, f"banned ({rule}): {why}")


def check_text(tree):
    for path in tree.files():
        if path.suffix not in TEXT_SUFFIXES and path.name not in TEXT_NAMES:
            continue
        if RAW_FOLDERS & set(path.parts[:-1]):
            continue
        data = (tree.root / path).read_bytes()
        if not data:
            tree.report(path, 1, "empty file")
            continue
        for number, line in enumerate(data.split(b"\n"), 1):
            if b"\t" in line:
                tree.report(path, number, "tab")
            if b"\r" in line:
                tree.report(path, number, "carriage return; lines end in LF")
            if line.endswith(b" "):
                tree.report(path, number, "space at the end of the line")
        if not data.endswith(b"\n"):
            tree.report(path, data.count(b"\n") + 1, "no newline at the end of the file")
        if data.endswith(b"\n\n"):
            tree.report(path, data.count(b"\n"), "empty line at the end of the file")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            tree.report(path, 1, "not UTF-8")
            continue
        if path.suffix in CODE_SUFFIXES:
            lines = data.count(b"\n")
            if lines > LINES_MAX:
                tree.report(path, lines, f"{lines} lines, more than {LINES_MAX}: it holds more than one idea")
            elif lines > LINES_WARN:
                print(f"warning: {path}: {lines} lines, more than {LINES_WARN}")
            if path.parts[:2] != ("tests", "tidy"):
                for number, line in enumerate(text.split("\n"), 1):
                    if re.search(r"\b(?:TODO|FIXME|XXX|HACK)\b", line):
                        tree.report(path, number, "unfinished by its own words")
        if path.suffix in (".h", ".cpp"):
            for number, line in enumerate(text.split("\n"), 1):
                if len(line) > COLUMNS_MAX and '"' not in line:
                    tree.report(path, number, f"{len(line)} columns, more than {COLUMNS_MAX}")
        if path.suffix == ".h":
            if not re.match(r"//|/\*", text):
                tree.report(path, 1, "a header opens with a comment: what it is for")
            if not re.search(r"^#pragma once$|// tidy: allow\(once\): \S", text, re.M):
                tree.report(path, 1, "no #pragma once")


def check_docs(tree):
    """Links lead to files of the tree; code that says "<!-- from FILE -->" stands in that file; tests, campaigns and fuzz targets that are named exist."""
    cases = set()
    for path in tree.files("tests", suffixes={".cpp"}):
        for suite, case in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", tree.text(path), re.M):
            cases |= {f"{suite}.{case}", f"{suite}.*"}
    for path in tree.files(suffixes={".md"}):
        text = tree.text(path)
        prose = re.sub(r"```.*?```|`[^`\n]*`", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
        for match in re.finditer(r"\]\(([^)#\s]+)[^)]*\)", prose):
            link = match.group(1)
            # Pictures are drawn by the program; where none are in the tree yet, their links are not judged.
            drawn_later = "docs/img/" in link and not (tree.root / "docs/img").is_dir()
            if re.match(r"[a-z]+:", link) or drawn_later:
                continue
            if not (tree.root / path.parent / link).exists():
                tree.report(path, text.count("\n", 0, match.start()) + 1, f"link to nothing: {link}")
        if path.name == "reliability.md":
            for match in re.finditer(r"`([A-Z]\w+\.(?:[A-Z]\w+|\*))`", text):
                if match.group(1) not in cases and match.group(1) != "Suite.Case":
                    tree.report(path, text.count("\n", 0, match.start()) + 1, f"no such test: {match.group(1)}")
            for match in re.finditer(r"(campaign|fuzz target)s? ((?:`\w+`(?:, | and )?)+)", text):
                form = "tests/campaign/{}.cpp" if match.group(1) == "campaign" else "tests/fuzz/{}_fuzz.cpp"
                for name in re.findall(r"\w+", match.group(2).replace(" and ", " ")):
                    if not (tree.root / form.format(name)).is_file():
                        tree.report(path, text.count("\n", 0, match.start()) + 1, f"no such {match.group(1)}: {name}")
        for match in re.finditer(r"^<!-- from (\S+) -->\n+```\w*\n(.*?)^```", text, re.M | re.S):
            source = tree.root / match.group(1)
            if not source.is_file() or match.group(2) not in source.read_text():
                line = text.count("\n", 0, match.start()) + 1
                tree.report(path, line, f"this code does not stand in {match.group(1)}")


def check_headers(tree, compiler):
    """Every public header compiles alone, twice in one file, without a warning. The standard headers are read once for all:
    check_standard says what each file needs of them."""
    headers = list(tree.files("include", suffixes={".h"}))
    base = [compiler, "-std=c++20", "-ffp-contract=off", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror",
            "-I", str(tree.root / "include")]
    clang = "clang" in os.path.basename(compiler)
    if clang:
        base.append("-stdlib=libc++")
    standards = sorted({name for path in headers for _, how, name in includes(tree, path) if resolve(name, how) is None})

    def compile_alone(folder, header):
        name = header.relative_to("include").as_posix()
        source = folder / (name.replace("/", "-") + ".cpp")
        source.write_text(f"#include <{name}>\n#include <{name}>\n")
        once = ["-include-pch", str(folder / "standard.h.gch")] if clang else ["-include", str(folder / "standard.h")]
        result = subprocess.run([*base, "-fsyntax-only", *once, str(source)], capture_output=True, text=True)
        return header, result.returncode, result.stderr

    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        folder = pathlib.Path(name)
        (folder / "standard.h").write_text("".join(f"#include <{standard_name}>\n" for standard_name in standards))
        subprocess.run([*base, "-x", "c++-header", str(folder / "standard.h"), "-o", str(folder / "standard.h.gch")], check=True)
        for header, status, errors in pool.map(lambda each: compile_alone(folder, each), headers):
            if status != 0:
                tree.report(header, 1, f"does not compile alone with {compiler}:\n{errors}")


CHECKS = {
    "layers": check_layers,
    "cycles": check_cycles,
    "banned": check_banned,
    "standard": lambda tree: standard.check_standard(tree, library_files(tree), code_only, includes, resolve),
    "text": check_text,
    "umbrella": lambda tree: umbrella.check_umbrella(tree, list(MAY_INCLUDE)),
    "docs": check_docs,
    "targets": packaging.check_targets,
    "version": packaging.check_version,
}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("check", choices=[*CHECKS, "headers", "all"])
    options = parser.parse_args(arguments)

    tree = Tree(options.root)
    if options.check == "headers":
        if shutil.which(options.compiler) is None:
            print(f"skipped: no {options.compiler}")
            return 77
        check_headers(tree, options.compiler)
    elif options.check == "umbrella":
        umbrella.check_umbrella(tree, list(MAY_INCLUDE), options.write)
    else:
        for check in CHECKS.values() if options.check == "all" else [CHECKS[options.check]]:
            check(tree)
    for finding in tree.findings:
        print(finding)
    print(f"{options.check}: {len(tree.findings)} findings")
    return 1 if tree.findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
