#!/usr/bin/env bash
# A game may be built with -ffast-math or fused multiply-adds. An inline function of a public header exists once in its
# program, and the linker may take the game's copy: so the library calls none whose code those flags change.
# Nor does it leave a square root to the C library: that of MinGW rounds twice.
#   no_shared.sh CXX INCLUDE_DIR LIBRARY...
# Compiles the inline functions of all public headers with and without the flags, and looks for those that differ
# among the functions that the library leaves to the linker.
set -euo pipefail
cxx=$1 include=$2
shift 2
echo 'int main() { return 0; }' | "$cxx" -x c++ -march=x86-64-v3 - -fsyntax-only 2>/dev/null ||
    { echo "skipped: $cxx does not build for x86-64"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Two headers refuse fast-math themselves.
(cd "$include" && find fairlead -name '*.h' ! -path fairlead/base/exact_floats.h ! -path fairlead/search/engine.h \
    ! -path fairlead/search/bidirectional.h | sort | sed 's/.*/#include <&>/') >"$work/all.cpp"

# code_of NAME FLAG...: in the file NAME each function on a line, its name and its instructions without addresses.
code_of() {
    local name=$1
    shift
    "$cxx" -std=c++20 -O1 -march=x86-64-v3 -fkeep-inline-functions -fno-implicit-templates -I"$include" "$@" \
        -c "$work/all.cpp" -o "$work/$name.o"
    objdump --disassemble --reloc --no-show-raw-insn "$work/$name.o" | sed -E 's/^ *[0-9a-f]+:\s*//; s/<[^>]*\+0x[0-9a-f]+>//' |
        awk '/^[0-9a-f]+ <.*>:$/ { if (name) print name, code; name = substr($2, 2, length($2) - 3); code = ""; next }
             name { gsub(/[ \t]+/, "_"); gsub(/LC[0-9]+/, "LC"); code = code "|" $0 } END { if (name) print name, code }' | sort >"$work/$name"
}
code_of fast -ffp-contract=fast -ffast-math &
code_of exact -ffp-contract=off
wait $!
comm -3 "$work/exact" "$work/fast" | awk '{ print $1 }' | sort -u >"$work/changed"
[ -s "$work/changed" ] || { echo "the flags changed nothing: this test sees nothing"; exit 1; }

for library in "$@"; do nm --defined-only "$library" 2>/dev/null; done | awk '$2 ~ /[WVu]/ { print $3 }' | sort -u >"$work/shared"
[ -s "$work/shared" ] || { echo "no inline functions in $*: this test sees nothing"; exit 1; }
if nm --undefined-only "$@" 2>/dev/null | grep -E ' U _?sqrtf?$'; then
    echo "square roots of the C library: -fno-math-errno is lost"
    exit 1
fi
comm -12 "$work/changed" "$work/shared" >"$work/both"
echo "$(wc -l <"$work/changed") inline functions depend on the flags, $(wc -l <"$work/both") of them are shared"
if [ -s "$work/both" ]; then
    echo "These need FAIRLEAD_INLINE (base/platform.h), or a place in src/:"
    c++filt <"$work/both"
    exit 1
fi
