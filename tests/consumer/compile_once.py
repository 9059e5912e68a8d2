#!/usr/bin/env python3
"""A compiler launcher: an object that a finished build made from the same source by the same command is taken from
there. The consumer tests build the library again and again; they look at how it is built, not at the compiler's work.

    compile_once.py BUILD_DIR LOG COMPILER ARGUMENT...

Commands are the same if no word differs but -Werror, what names dependency files, and places in the build folders;
what CMake writes there (files of many, precompiled headers) must have the same text. Anything else is compiled.
LOG gets a line for each object: "taken" or "compiled", and its name.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import sys

# A file of a library's build, wherever the build folder is and the library in it.
BUILT = re.compile(r"^.*?(?=CMakeFiles/fairlead\w*\.dir/)")


class Command:
    def __init__(self, words, folder):
        self.key, self.output, self.texts = [], None, []
        rest = iter(words)
        for word in rest:
            if word in ("-MT", "-MF"):
                next(rest)
            elif word == "-o":
                self.output = pathlib.Path(folder, next(rest))
            elif word not in ("-MD", "-Werror"):
                if BUILT.match(word):
                    self.texts.append(pathlib.Path(folder, word))
                self.key.append(BUILT.sub("", word))

    def place(self):
        return BUILT.sub("", str(self.output))

    def is_same(self, other):
        return self.key == other.key and all(a.read_bytes() == b.read_bytes() for a, b in zip(self.texts, other.texts))


def made_before(build, words, command):
    """The object that `build` has of the same command, or None."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if command.place() not in entry["command"]:  # half a second else, for all of them
            continue
        others = shlex.split(entry["command"])
        if words[0] not in others:
            continue
        other = Command(others[others.index(words[0]):], entry["directory"])  # without its launchers
        if other.place() == command.place():
            return other.output if other.output.is_file() and other.is_same(command) else None
    return None


def main(build, log, *words):
    command = Command(words, os.getcwd())
    made = None
    if command.output is not None and BUILT.match(str(command.output)):
        made = made_before(pathlib.Path(build), words, command)
    with open(log, "a") as lines:
        lines.write(f"{'taken' if made else 'compiled'} {command.output}\n")
    if made is None:
        os.execvp(words[0], words)
    shutil.copyfile(made, command.output)


if __name__ == "__main__":
    main(*sys.argv[1:])
