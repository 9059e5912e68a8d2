"""What stands in include/fairlead/fairlead.h and in the umbrellas of modules."""

import pathlib
import re

# Not in the umbrella: what only a bake, a tool or a study calls.
OFFLINE = {"raster", "mesh_bake", "volume_bake", "cylinder_bake", "bake_debug", "classic", "formats"}

# Public headers that games have no use for, and the umbrella does without: parts of the machine, for those who build
# a world, a file or a bake of their own. A module's own umbrella may hold them.
ENGINE_PARTS = {
    "base/baked.h": "for baked files of one's own",
    "base/bytes.h": "for baked files of one's own",
    "base/digest.h": "for digests of one's own worlds",
    "base/exact_floats.h": "asks for flags that a game need not have",
    "base/use_count.h": "for prepared assets of one's own",
    "search/bidirectional.h": "for search spaces of one's own; asks for exact floating-point flags",
    "search/engine.h": "for search spaces of one's own; asks for exact floating-point flags",
    "search/node_store.h": "for search spaces of one's own",
    "search/open_list.h": "for search spaces of one's own",
    "polygon/merge_convex.h": "for bakes of one's own",
    "polygon/regions.h": "for bakes of one's own",
    "polygon/scratch.h": "for bakes of one's own",
    "drive/drive_ground.h": "for worlds of one's own",
    "drive/headings.h": "what the lattice of a DriveTable is made of",
    "drive/primitives.h": "what the lattice of a DriveTable is made of",
}


def umbrella_text(tree, modules):
    """include/fairlead/fairlead.h as it should be: the public headers that a game uses, layer by layer."""
    lines = [
        "// Umbrella: what a game uses, the worlds and their searches, with verify, explain and debug drawing (targets of",
        "// their own: fairlead::verify, fairlead::explain, fairlead::debug). Parts of the machine, for worlds of one's own, are",
        "// public by their own headers (tests/tidy lists them). Written by `./run format`.",
        "#pragma once",
    ]
    if (tree.root / "include/fairlead/version.h").is_file():
        lines += ["", "#include <fairlead/version.h>"]
    for module in [m for m in modules if m not in OFFLINE]:
        names = [f"{module}/{p.name}" for p in tree.files(f"include/fairlead/{module}", suffixes={".h"})
                 if not tree.text(p).startswith("// Umbrella of")]
        names = [name for name in names if name not in ENGINE_PARTS]
        if names:
            lines.append("")
            lines += [f"#include <fairlead/{name}>" for name in names]
    return "\n".join(lines) + "\n"


def check_umbrella(tree, modules, write=False):
    path = pathlib.Path("include/fairlead/fairlead.h")
    wanted = umbrella_text(tree, modules)
    present = (tree.root / path).read_text() if (tree.root / path).is_file() else ""
    if present != wanted:
        if write:
            (tree.root / path).write_text(wanted)
            print(f"{path}: rewritten")
        else:
            tree.report(path, 1, "does not list the public headers for games as they are; run ./run format")
    for module in modules:
        check_module_umbrella(tree, module)


def check_module_umbrella(tree, module):
    """A module's own umbrella, where there is one, says so in its first line and is complete."""
    path = pathlib.Path(f"include/fairlead/{module}/{module}.h")
    if not (tree.root / path).is_file() or not tree.text(path).startswith("// Umbrella of"):
        return
    present = set(re.findall(r"^#include <([^>]+)>", tree.text(path), re.M))
    for header in tree.files(f"include/fairlead/{module}", suffixes={".h"}):
        name = header.relative_to("include").as_posix()
        refuses_flags = name == "fairlead/base/exact_floats.h"
        if header != path and name not in present and not refuses_flags:
            tree.report(path, 1, f"does not include <{name}>")
