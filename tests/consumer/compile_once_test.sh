#!/usr/bin/env bash
# compile_once.py takes an object of the same command alone: another flag, another text or no such object is compiled.
#   compile_once_test.sh CXX
set -euo pipefail
once=$(dirname "$(readlink -f "$0")")/compile_once.py cxx=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" && exit 1; }

# compile FOLDER TEXT FLAG...: a source that CMake wrote there, compiled there; "word" is what the launcher did.
object=CMakeFiles/fairlead_x.dir/Unity/unity_0.cxx.o
compile() {
    local folder=$work/$1 source=$work/$1/CMakeFiles/fairlead_x.dir/Unity/unity_0.cxx
    mkdir -p "$(dirname "$source")"
    echo "$2" >"$source"
    shift 2
    rm -f "$work/log"
    (cd "$folder" && "$once" "$work/made" "$work/log" "$cxx" "$@" -MD -MF x.d -o "$object" -c "$source")
    [ -s "$folder/$object" ] || fail "no object"
    read -r word _ <"$work/log"
}

mkdir "$work/made"
echo "[]" >"$work/made/compile_commands.json"
compile made "int a;" -O1
[ "$word" = compiled ] || fail "taken from nowhere"
cat >"$work/made/compile_commands.json" <<TEXT
[{"directory": "$work/made", "file": "",
  "command": "launcher $cxx -O1 -Werror -o $object -c $work/made/${object%.o}"}]
TEXT
compile same "int a;" -O1
[ "$word" = taken ] || fail "the same is compiled again"
cmp "$work/made/$object" "$work/same/$object"
compile flag "int a;" -O1 -ffast-math
[ "$word" = compiled ] || fail "taken in spite of a flag"
compile text "int b;" -O1
[ "$word" = compiled ] || fail "taken in spite of another text"
rm "$work/made/$object"
compile gone "int a;" -O1
[ "$word" = compiled ] || fail "taken what is not there"
