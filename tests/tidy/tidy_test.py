#!/usr/bin/env python3
"""Plants one fault after another in a small clean tree and sees that tidy.py finds each, and nothing else."""

import contextlib
import io
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import tidy  # noqa: E402
import umbrella  # noqa: E402

HEADER = "// A comment.\n#pragma once\n"


class TidyTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.write("include/fairlead/base/a.h", HEADER + "#include <cstdint>\n")
        self.write("include/fairlead/math/m.h", HEADER + "#include <fairlead/base/a.h>\n")
        self.write("include/fairlead/grid/g.h", HEADER + "#include <fairlead/math/m.h>\n")
        self.write("src/grid/kernel.h", HEADER + "#include <fairlead/base/a.h>\n")
        self.write("src/grid/g.cpp", '#include <fairlead/grid/g.h>\n#include "grid/kernel.h"\n')
        self.run_tidy("umbrella", "--write")

    def write(self, path, text):
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode() if isinstance(text, str) else text)

    def run_tidy(self, *arguments):
        """Status and findings."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = tidy.main(["--root", str(self.root), *arguments])
        lines = output.getvalue().splitlines()
        return status, [line for line in lines[:-1] if not line.startswith("warning: ")]

    def assert_clean(self, check):
        status, findings = self.run_tidy(check)
        self.assertEqual((status, findings), (0, []))

    def assert_caught(self, check, place, words):
        status, findings = self.run_tidy(check)
        self.assertEqual(status, 1)
        self.assertEqual(len(findings), 1, findings)
        self.assertTrue(findings[0].startswith(place), findings[0])
        self.assertIn(words, findings[0])

    def test_clean_tree(self):
        self.assert_clean("all")

    # layers

    def test_lower_layer_includes_higher(self):
        self.write("include/fairlead/math/m.h", HEADER + "#include <fairlead/grid/g.h>\n")
        self.assert_caught("layers", "include/fairlead/math/m.h:3:", "math may not include grid")

    def test_neighbour_on_the_same_layer(self):
        self.write("include/fairlead/roadmap/r.h", HEADER)
        self.write("src/grid/g.cpp", "#include <fairlead/roadmap/r.h>\n")
        self.assert_caught("layers", "src/grid/g.cpp:1:", "grid may not include roadmap")

    def test_what_a_permitted_module_may_include_comes_with_it(self):
        self.write("src/hierarchy/h.cpp", "#include <fairlead/base/a.h>\n#include <fairlead/grid/g.h>\n")
        self.assert_clean("layers")

    def test_private_include_of_higher_layer(self):
        self.write("src/base/b.cpp", '#include "grid/kernel.h"\n')
        self.assert_caught("layers", "src/base/b.cpp:1:", "base may not include grid")

    def test_public_header_includes_private(self):
        self.write("include/fairlead/grid/g.h", HEADER + '#include "grid/kernel.h"\n')
        self.assert_caught("layers", "include/fairlead/grid/g.h:3:", "public headers")

    def test_unknown_module(self):
        self.write("src/surprise/s.cpp", "\n")
        self.assert_caught("layers", "src/surprise/s.cpp:1:", "not in the layer table")

    def test_file_in_no_module(self):
        self.write("src/s.cpp", "\n")
        self.assert_caught("layers", "src/s.cpp:1:", "belongs to no module")

    def test_library_includes_umbrella(self):
        self.write("src/grid/g.cpp", "#include <fairlead/fairlead.h>\n")
        self.assert_caught("layers", "src/grid/g.cpp:1:", "umbrella")

    def test_include_of_nothing(self):
        self.write("src/grid/g.cpp", '#include "kernel.h"\n')
        self.assert_caught("layers", "src/grid/g.cpp:1:", "no such file")

    def test_verify_is_apart(self):
        self.write("include/fairlead/search/s.h", HEADER)
        self.write("src/verify/v.cpp", "#include <fairlead/grid/g.h>\n#include <fairlead/search/s.h>\n")
        self.assert_caught("layers", "src/verify/v.cpp:2:", "verify may not include search")
        self.write("src/verify/v.cpp", '#include "grid/kernel.h"\n')
        self.assert_caught("layers", "src/verify/v.cpp:1:", "public headers only")

    def test_includes_in_comments_do_not_count(self):
        self.write("src/base/b.cpp", "// #include <fairlead/grid/g.h>\n/*\n#include <fairlead/grid/g.h>\n*/\n")
        self.assert_clean("layers")

    # cycles

    def test_cycle(self):
        self.write("include/fairlead/base/a.h", HEADER + "#include <fairlead/base/b.h>\n")
        self.write("include/fairlead/base/b.h", HEADER + "#include <fairlead/base/a.h>\n")
        self.assert_caught("cycles", "include/fairlead/base/", "include cycle")

    def test_cycle_of_one(self):
        self.write("src/grid/kernel.h", HEADER + '#include "grid/kernel.h"\n')
        self.assert_caught("cycles", "src/grid/kernel.h", "include cycle")

    # banned names

    BAD_LINES = [
        ("libm", "double x = std::sin(1.0);"),
        ("libm", "double x = std::cosf(1.0f);"),
        ("libm", "double x = std::atan2(y, 1.0);"),
        ("libm", "double x = std::hypot(y, 1.0);"),
        ("libm", "double x = std::pow(y, 2);"),
        ("libm", "double x = std::log2(y);"),
        ("libm", "double x = std::fma(y, y, y);"),
        ("libm", "double x = hypot(y, 1.0);"),
        ("libm", "double x = ::acos(y);"),
        ("hash", "std::hash<int> h;"),
        ("hash", "std::unordered_map<int, int> m;"),
        ("hash", "#include <unordered_set>"),
        ("heap", "std::priority_queue<int> q;"),
        ("heap", "std::push_heap(a, b);"),
        ("random", "int i = rand();"),
        ("random", "std::mt19937 r;"),
        ("random", "std::shuffle(a, b, r);"),
        ("clock", "#include <chrono>"),
        ("clock", "auto t = std::chrono::steady_clock::now();"),
        ("clock", "auto t = std::time(nullptr);"),
        ("clock", "auto t = time(0);"),
        ("clock", "auto t = clock();"),
        ("thread", "std::thread t;"),
        ("print", "#include <iostream>"),
        ("print", "std::cerr << 1;"),
        ("print", 'printf("x");'),
        ("print", 'FILE* f = fopen("x", "r");'),
        ("print", "#include <cstdio>"),
        ("ownership", "std::shared_ptr<int> p;"),
        ("thread_local", "thread_local int i;"),
        ("exceptions", "throw 1;"),
        ("exceptions", "try {"),
        ("exceptions", "} catch (...) {"),
        ("rtti", "auto* d = dynamic_cast<int*>(p);"),
        ("rtti", "auto& t = typeid(p);"),
        ("inheritance", "virtual void f();"),
        ("portable", "auto b = std::bit_cast<int>(1.0f);"),
        ("portable", "auto b = std::ranges::find(a, 1);"),
        ("portable", "#include <source_location>"),
        ("portable", "long double wide = 0;"),
        ("portable", "int n = __builtin_popcount(1);"),
        ("msvc", "#include <unistd.h>"),
        ("msvc", "ssize_t n = 0;"),
        ("msvc", "double turn = M_PI;"),
        ("msvc", "int n = ({ int m = 1; m; });"),
        ("msvc", "void* p = alloca(4);"),
        ("msvc", "__int128 wide = 0;"),
        ("long", "long n = 0;"),
        ("long", "const unsigned long n = 0;"),
        ("abort", "std::abort();"),
        ("abort", "assert(x);"),
        ("memory", "int* p = new int[4];"),
        ("memory", "delete[] p;"),
        ("memory", "void* p = std::malloc(4);"),
        ("memory", "std::vector<int> v;"),
        ("memory", "std::stable_sort(a, b);"),
        ("sort", "std::sort(a, b);"),
        ("sort", "std::nth_element(a, b, c);"),
        ("charconv", "std::from_chars(a, b, x);"),
    ]

    def test_every_banned_name(self):
        for rule, line in self.BAD_LINES:
            for path in ("src/grid/bad.cpp", "include/fairlead/grid/bad.h"):
                with self.subTest(line=line, path=path):
                    self.write(path, f"// A comment.\n\n{line}\n")
                    status, findings = self.run_tidy("banned")
                    self.assertEqual(status, 1, line)
                    self.assertTrue(all(f.startswith(f"{path}:3: banned (") for f in findings), findings)
                    self.assertTrue(any(f"banned ({rule})" in f for f in findings), findings)
                    (self.root / path).unlink()

    def test_macros_of_windows(self):
        for line in ("int m = std::min(a, b);", "double far = 0;"):
            self.write("include/fairlead/grid/g.h", HEADER)
            self.write("src/grid/fine.cpp", line + "\n")
            self.assert_clean("banned")
            self.write("include/fairlead/grid/g.h", HEADER + line + "\n")
            self.assert_caught("banned", "include/fairlead/grid/g.h:3:", "windows")

    def test_every_rule_has_a_planted_fault(self):
        rules = {rule for rule, *_ in tidy.BANNED} | {rule for rule, *_ in tidy.WITH_REASON}
        self.assertEqual(rules, {rule for rule, _ in self.BAD_LINES})

    def test_what_looks_alike_is_fine(self):
        self.write("src/grid/good.cpp", "\n".join([
            "// std::sin, rand() and throw in a comment",
            'const char* text = "std::sin(1) printf( throw";',
            "double a = math::sin(1.0) + math::atan2(y, x);",
            "double b = std::sqrt(2.0) + std::floor(1.5) + std::fabs(x);",
            "double c = route.time(3) + shape.clock_ + cosine(2) + explain(4);",
            "Thing(const Thing&) = delete;",
            "std::sort(a, b);  // total order: ids are unique",
            "std::from_chars(a, b, i);  // integer",
            "auto* p = ::new (memory) Thing;",
            "int strand = operand(1), timeout = retry(2);",
            "long long n = 0; unsigned long long m = 0;",
            "make({1, 2}); make({.a = 1, .f = [] { return 0; }});",
            "const int big = 1'000'000; const char c = 't';",
            "int n = __builtin_popcount(1);  // tidy: allow(portable): measured twice as fast as std::popcount here",
        ]) + "\n")
        self.assert_clean("banned")

    def test_an_excuse_needs_its_rule_and_a_reason(self):
        self.write("src/grid/bad.cpp", "throw 1;  // tidy: allow(exceptions):\n")
        self.assert_caught("banned", "src/grid/bad.cpp:1:", "banned (exceptions)")
        self.write("src/grid/bad.cpp", "throw 1;  // tidy: allow(memory): because\n")
        self.assert_caught("banned", "src/grid/bad.cpp:1:", "banned (exceptions)")

    def test_formats_may_open_files_but_not_depend_on_the_platform(self):
        self.write("src/formats/f.cpp", '#include <fstream>\nstd::vector<int> v;\nFILE* f = fopen("x", "r");\n')
        self.assert_clean("banned")
        self.write("src/formats/f.cpp", "double x = std::sin(1.0);\n")
        self.assert_caught("banned", "src/formats/f.cpp:1:", "banned (libm)")

    def test_schedule_alone_reads_clocks(self):
        self.write("src/schedule/s.cpp", "#include <chrono>\n")
        self.assert_clean("banned")

    # text

    def test_text_faults(self):
        faults = [
            ("int\ti;\n", 1, "tab"),
            ("int i;\r\n", 1, "carriage return"),
            ("int i; \n", 1, "space at the end"),
            ("int i;", 1, "no newline at the end"),
            ("int i;\n\n", 2, "empty line at the end"),
            (b"// \xff\n", 1, "not UTF-8"),
            ("// TO" "DO: later\n", 1, "unfinished"),
            ("", 1, "empty file"),
            ("// " + "a" * 138 + "\n", 1, "141 columns"),
        ]
        for text, line, words in faults:
            for path in ("src/grid/bad.cpp", "tests/grid/bad_test.cpp"):
                with self.subTest(words=words, path=path):
                    self.write(path, text)
                    self.assert_caught("text", f"{path}:{line}:", words)
                    (self.root / path).unlink()

    def test_long_files(self):
        self.write("src/grid/long.cpp", "int i;\n" * 800)
        self.assert_clean("text")
        self.write("src/grid/long.cpp", "int i;\n" * 801)
        self.assert_caught("text", "src/grid/long.cpp:801:", "more than 800")

    def test_headers_open_with_a_comment_and_are_guarded(self):
        self.write("include/fairlead/base/b.h", "#pragma once\n// Late.\n")
        self.assert_caught("text", "include/fairlead/base/b.h:1:", "opens with a comment")
        self.write("include/fairlead/base/b.h", "// A comment.\nint i();\n")
        self.assert_caught("text", "include/fairlead/base/b.h:1:", "#pragma once")

    def test_golden_files_and_build_folders_are_left_alone(self):
        self.write("tests/golden/raw.txt", "a\tb \r\n\n")
        self.write("build/release/x.h", "\t")
        self.assert_clean("text")

    # umbrella

    def test_umbrella_misses_a_header(self):
        self.write("include/fairlead/grid/new.h", HEADER)
        self.assert_caught("umbrella", "include/fairlead/fairlead.h:1:", "./run format")
        self.run_tidy("umbrella", "--write")
        self.assert_clean("umbrella")

    def test_engine_parts_stay_out_of_the_umbrella(self):
        self.write("include/fairlead/search/engine.h", HEADER)
        self.assert_clean("umbrella")
        self.assertIn("search/engine.h", umbrella.ENGINE_PARTS)

    def test_module_umbrella_misses_a_header(self):
        self.write("include/fairlead/base/base.h", "// Umbrella of the base module.\n#pragma once\n")
        self.run_tidy("umbrella", "--write")
        self.assert_caught("umbrella", "include/fairlead/base/base.h:1:", "does not include <fairlead/base/a.h>")

    # targets, version

    TARGETS = "fairlead_library(fairlead\n  MODULES base math\n)\nfairlead_library(worlds MODULES grid LINKS {})\n"

    def test_targets_link_what_they_include(self):
        self.write("CMakeLists.txt", self.TARGETS.format("fairlead"))
        self.assert_clean("targets")
        self.write("CMakeLists.txt", "fairlead_library(fairlead MODULES base)\nfairlead_library(worlds MODULES grid math)\n")
        status, findings = self.run_tidy("targets")
        self.assertEqual(status, 1)
        self.assertTrue(any("does not link fairlead, where base is" in f for f in findings), findings)

    def test_module_without_a_target(self):
        self.write("CMakeLists.txt", self.TARGETS.format("fairlead").replace("grid ", "mesh "))
        self.assert_caught("targets", "CMakeLists.txt:1:", "module grid is in no target")

    def test_versions_that_differ(self):
        self.write("CMakeLists.txt", "project(fairlead VERSION 1.2.3 LANGUAGES CXX)\n")
        self.write("include/fairlead/version.h", HEADER + "#define FAIRLEAD_VERSION_MAJOR 1\n#define FAIRLEAD_VERSION_MINOR 2\n"
                   '#define FAIRLEAD_VERSION_PATCH 3\n#define FAIRLEAD_VERSION_TEXT "1.2.3"\n')
        self.write("packaging/vcpkg/ports/fairlead/vcpkg.json", '"version": "1.2.3"\n')
        self.write("packaging/conan/conanfile.py", 'class X:\n    version = "1.2.3"\n')
        self.write("docs/building.md", "GIT_TAG v1.2.3\n")
        self.assert_clean("version")
        self.write("docs/building.md", "GIT_TAG v1.2.2\n")
        self.assert_caught("version", "docs/building.md:1:", "tells version 1.2.2; CMakeLists.txt says 1.2.3")

    # docs

    def test_links(self):
        self.write("README.md", "[a](src/grid/g.cpp), [b](https://example.org/x), `[c](no)`, ![d](docs/img/d.png)\n")
        self.assert_clean("docs")
        self.write("docs/x.md", "\n[a](../README.md#part) [b](no.md)\n")
        self.assert_caught("docs", "docs/x.md:2:", "link to nothing: no.md")
        self.write("docs/x.md", "x\n")
        self.write("docs/img/other.png", b"x")
        self.assert_caught("docs", "README.md:1:", "link to nothing: docs/img/d.png")

    def test_code_in_documents_stands_in_its_file(self):
        self.write("examples/x.cpp", "int a;\nint b;\n")
        self.write("README.md", "<!-- from examples/x.cpp -->\n```cpp\nint b;\n```\n")
        self.assert_clean("docs")
        self.write("README.md", "<!-- from examples/x.cpp -->\n```cpp\nint c;\n```\n")
        self.assert_caught("docs", "README.md:1:", "does not stand in examples/x.cpp")

    # standard

    def test_standard_header_that_comes_by_chance(self):
        self.write("src/grid/h.cpp", "#include <algorithm>\nint f(int a) { return std::clamp(std::abs(a), 1, 2); }\n")
        self.assert_caught("standard", "src/grid/h.cpp:2:", "std::abs wants <cmath> or <cstdlib>")
        self.write("src/grid/h.cpp", "#include <cmath>\n#include <algorithm>\nint f(int a) { return std::clamp(std::abs(a), 1, 2); }\n")
        self.assert_clean("standard")

    def test_standard_header_through_a_header_of_ours(self):
        self.write("src/grid/g.cpp", '#include "grid/kernel.h"\nstd::int32_t f();  // std::sqrt\n')
        self.assert_clean("standard")

    def test_pieces_of_a_file_need_what_it_includes(self):
        self.write("src/grid/p_inc.h", HEADER + "double f() { return std::sqrt(2.0); }\n")
        self.write("src/grid/g.cpp", '#include <cmath>\n#include "grid/p_inc.h"\n')
        self.assert_clean("standard")
        self.write("src/grid/g.cpp", '#include "grid/p_inc.h"\n')
        self.assert_caught("standard", "src/grid/p_inc.h:3:", "std::sqrt wants <cmath>")

    def test_unknown_standard_name(self):
        self.write("src/grid/g.cpp", "std::no_such_name f();\n")
        self.assert_caught("standard", "src/grid/g.cpp:1:", "add it to its header")

    # headers

    def test_header_that_does_not_compile_alone(self):
        for compiler in ("g++", "clang++-14"):
            if shutil.which(compiler) is None:
                continue
            with self.subTest(compiler=compiler):
                self.write("include/fairlead/base/b.h", HEADER + "inline Unknown f() { return 0; }\n")
                status, findings = self.run_tidy("headers", "--compiler", compiler)
                self.assertEqual(status, 1)
                self.assertIn("include/fairlead/base/b.h:1: does not compile alone", findings[0])
                self.write("include/fairlead/base/b.h", HEADER)
                self.assertEqual(self.run_tidy("headers", "--compiler", compiler), (0, []))

    def test_missing_compiler_is_a_skip(self):
        self.assertEqual(self.run_tidy("headers", "--compiler", "no-such-compiler")[0], 77)


if __name__ == "__main__":
    unittest.main()
