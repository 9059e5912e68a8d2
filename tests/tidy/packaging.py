"""Checks of how the library is cut into targets and of the places that tell its version."""

import pathlib
import re

LIBRARY = re.compile(r"^\s*fairlead_library\((\w+)\s+MODULES\s+([\w\s]+?)(?:\s+LINKS\s+([\w\s]+?))?\s*\)", re.M)


def targets_of(text):
    """name -> (modules, names of targets it links), from CMakeLists.txt."""
    return {name: (modules.split(), (links or "").split()) for name, modules, links in LIBRARY.findall(text)}


def with_links(targets, name):
    found = {name}
    for below in targets[name][1]:
        found |= with_links(targets, below)
    return found


def check_targets(tree):
    """What a module includes is in its target or in those that the target links; every module is in one target."""
    path = pathlib.Path("CMakeLists.txt")
    if not (tree.root / path).is_file():
        return
    targets = targets_of(tree.text(path))
    recipe = pathlib.Path("packaging/conan/conanfile.py")
    if (tree.root / recipe).is_file():
        told = {name: sorted(re.findall(r'"(\w+)"', below))
                for name, below in re.findall(r'^    "(\w+)": \("\w+", \[(.*)\]\),$', tree.text(recipe), re.M)}
        if told != {name: sorted(links) for name, (_, links) in targets.items()}:
            tree.report(recipe, 1, "TARGETS differ from the libraries in CMakeLists.txt")
    home = {}
    for name, (modules, links) in targets.items():
        for module in modules:
            if module in home:
                tree.report(path, 1, f"module {module} is in two targets: {home[module]} and {name}")
            home[module] = name
        for below in links:
            if below not in targets:
                tree.report(path, 1, f"target {name} links {below}, which is not made before it")
                return
    for source in tree.files("include/fairlead", "src", suffixes={".h", ".cpp"}):
        module = source.parts[1] if source.parts[0] == "src" else source.parts[2]
        if len(source.parts) < 3 or (source.parts[0] == "include" and len(source.parts) < 4):
            continue
        if module not in home:
            tree.report(path, 1, f"module {module} is in no target")
            home[module] = None
        if home[module] is None:
            continue
        linked = with_links(targets, home[module])
        for match in re.finditer(r'^\s*#include (?:<fairlead/|")(\w+)/', tree.text(source), re.M):
            other = home.get(match.group(1))
            if other is not None and other not in linked:
                line = tree.text(source).count("\n", 0, match.start(1)) + 1
                tree.report(source, line, f"target {home[module]} does not link {other}, where {match.group(1)} is")


# file -> how the version stands there; the project's version in CMakeLists.txt is the one that counts.
VERSION_PLACES = {
    "include/fairlead/version.h": r'#define FAIRLEAD_VERSION_TEXT "([^"]*)"',
    "packaging/vcpkg/ports/fairlead/vcpkg.json": r'"version": "([^"]*)"',
    "packaging/conan/conanfile.py": r'^    version = "([^"]*)"',
    "docs/building.md": r"GIT_TAG v([0-9.]*[0-9])",
}


def check_version(tree):
    path = pathlib.Path("CMakeLists.txt")
    if not (tree.root / path).is_file():
        return
    version = re.search(r"project\(fairlead VERSION (\d+\.\d+\.\d+)", tree.text(path)).group(1)
    for place, pattern in VERSION_PLACES.items():
        if not (tree.root / place).is_file():
            tree.report(place, 1, "missing, and should tell the version")
            continue
        found = re.findall(pattern, tree.text(pathlib.Path(place)), re.M)
        if not found or set(found) != {version}:
            tree.report(place, 1, f"tells version {', '.join(found) or 'none'}; CMakeLists.txt says {version}")
    header = tree.text(pathlib.Path("include/fairlead/version.h"))
    for part, number in zip(("MAJOR", "MINOR", "PATCH"), version.split(".")):
        if not re.search(rf"^#define FAIRLEAD_VERSION_{part} {number}$", header, re.M):
            tree.report("include/fairlead/version.h", 1, f"FAIRLEAD_VERSION_{part} is not {number}")
