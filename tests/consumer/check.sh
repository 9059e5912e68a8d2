#!/usr/bin/env bash
# Uses the library the way a stranger's project does, from an empty folder.
#   check.sh WAY SOURCE_DIR BUILD_DIR CXX [FLAGS]
# find_package, pkg_config, folded: the finished build is installed into an empty folder, and used from there alone.
# add_subdirectory, fetch_content: the library is built below a game that has the FLAGS of the finished build.
# packages: it is built and installed as package managers do.
# plain: the tree is configured as a newcomer does, without the packages of tests and tools.
# What all these would compile just as the finished build did is taken from there (compile_once.py).
set -euo pipefail
way=$1 source=$2 build=$3 cxx=$4 flags=${5:-}
here=$source/tests/consumer
all=(fairlead verify explain debug mesh_table classic bake formats)
export CXX=$cxx

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "$*" && exit 1; }
logged() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
list() { local IFS=';'; echo "$*"; }

[ -n "$(find "$build" -maxdepth 1 -name 'libfairlead_formats.*')" ] || unset 'all[6]' # built without zlib

install_library() { logged cmake --install "$build" --prefix "$work/prefix"; }

# The finished build's objects serve where they are the same. To say how many: count_objects.
once="-DCMAKE_CXX_COMPILER_LAUNCHER=$here/compile_once.py;$build;$work/objects"
count_objects() {
    echo "$(grep -c '^taken' "$work/objects") objects taken from $build, $(grep -c '^compiled' "$work/objects") compiled"
}

# use FOLDER OPTION...: configures, builds and runs the consumer.
use() {
    local folder=$1 name
    shift
    logged cmake -S "$here" -B "$folder" "-DTARGETS=$(list "${all[@]}")" "$@"
    logged cmake --build "$folder" -j2
    for name in "${all[@]}"; do
        "$folder/uses_$name" >"$folder/$name.out" || fail "uses_$name ends with status $?"
    done
}

# Below a game, nothing of ours but the libraries is built.
judge_build() {
    local unwanted
    unwanted=$(find "$1" -name 'tests_*' -o -name 'example_*' -o -name 'fairlead_cli*' -o -name 'fairlead-digest*')
    [ -z "$unwanted" ] || fail "built inside someone else's project: $unwanted"
}

# Our objects are optimized whatever the build type is, and have our flags after the game's; the game's own files have
# none of ours. The commands tell it, nothing is compiled.
judge_flags() {
    local type commands ours
    for type in "" Debug Release; do
        logged cmake -S "$here" -B "$work/flags$type" "-DTARGETS=$(list "${all[@]}")" "-DCMAKE_BUILD_TYPE=$type" \
            "-DCMAKE_CXX_FLAGS=-ffast-math -march=native" "$@"
        commands=$work/flags$type/compile_commands.json
        ours=$(grep '"command"' "$commands" | grep -F "/unity_grid_cxx")
        [[ $ours == *-O3* ]] || fail "our objects are not optimized (build type '$type')"
        [[ $ours == *-ffast-math*-fno-fast-math*-ffp-contract=off* ]] || fail "our objects lost their flags: $ours"
        grep '"command"' "$commands" | grep -F "$here/fairlead.cpp" >"$work/game" || fail "the game has no command"
        ! grep -qe '-ffp-contract' "$work/game" || fail "the game got our flags"
    done
}

case $way in
find_package)
    install_library
    use "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DWHOLE=ON
    # A component that is not there must be named in the error.
    if cmake -S "$here" -B "$work/missing" -DTARGETS=no_such_part -DCMAKE_PREFIX_PATH="$work/prefix" \
        >"$work/log" 2>&1; then
        fail "a component that does not exist was found"
    fi
    grep -q no_such_part "$work/log" || { cat "$work/log"; exit 1; }
    ;;
pkg_config)
    command -v pkg-config >/dev/null || { echo "skipped: no pkg-config"; exit 77; }
    install_library
    PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name fairlead.pc)")
    export PKG_CONFIG_PATH
    for name in "${all[@]}"; do
        package=fairlead-$name
        [ "$name" != fairlead ] || package=fairlead
        # shellcheck disable=SC2046  # the flags are words
        "$cxx" -std=c++20 "$here/$name.cpp" $(pkg-config --cflags --libs "$package") -o "$work/uses_$name"
        "$work/uses_$name" >/dev/null || fail "uses_$name ends with status $?"
    done
    ;;
folded)
    # A linker that folds identical data and functions, constants' addresses be what they may.
    lld=$(command -v ld.lld || command -v ld.lld-14) || { echo "skipped: no lld"; exit 77; }
    install_library
    ln -s "$lld" "$work/ld.lld"
    "$cxx" -std=c++20 -O2 -ffunction-sections -fdata-sections -B"$work" -fuse-ld=lld -Wl,--icf=all \
        -Wl,--ignore-data-address-equality -I"$work/prefix/include" "$here/fairlead.cpp" \
        "$(find "$work/prefix" -name libfairlead.a)" -o "$work/uses_fairlead"
    "$work/uses_fairlead" || fail "folded, uses_fairlead ends with status $?"
    ;;
add_subdirectory)
    # Built once more with flags that change arithmetic (stage gcc_native), the route is the same to the last bit.
    use "$work/build" -DWAY=add_subdirectory -DFAIRLEAD_SOURCE="$source" -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_CXX_FLAGS=$flags" "$once"
    judge_build "$work/build"
    judge_flags -DWAY=add_subdirectory -DFAIRLEAD_SOURCE="$source"
    install_library
    "$cxx" -std=c++20 -O2 -I"$work/prefix/include" "$here/fairlead.cpp" \
        "$(find "$work/prefix" -name libfairlead.a)" -o "$work/uses_fairlead"
    "$work/uses_fairlead" | cmp - "$work/build/fairlead.out" || fail "the game's flags changed the route"
    count_objects
    ;;
fetch_content)
    # With no network. Behind it is what add_subdirectory does: the runtime tells whether it is reached.
    all=(fairlead)
    use "$work/build" -DWAY=fetch_content -DFETCHCONTENT_SOURCE_DIR_FAIRLEAD="$source" \
        -DFETCHCONTENT_FULLY_DISCONNECTED=ON -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=$flags" "$once"
    judge_build "$work/build"
    count_objects
    ;;
packages)
    # The calls of CMake that the vcpkg port and the Conan recipe make; neither tool is needed here.
    options=$(sed -n 's/^ *\(-DFAIRLEAD_[A-Z_]*=[A-Z]*\).*/\1/p' "$source/packaging/vcpkg/ports/fairlead/portfile.cmake" | sort -u)
    recipe=$(sed -n 's/^ *toolchain[.]variables\["\(FAIRLEAD_[A-Z_]*\)"\] = "\([A-Z]*\)".*/-D\1=\2/p' \
        "$source/packaging/conan/conanfile.py" | sort -u)
    [ -n "$options" ] && [ "$options" = "$recipe" ] || fail "port and recipe differ: $options against $recipe"
    # shellcheck disable=SC2086  # the options are words
    logged cmake -S "$source" -B "$work/port" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_INSTALL_PREFIX="$work/prefix" -DFAIRLEAD_BUILD_FORMATS=ON "$once" $options
    logged cmake --build "$work/port" -j2
    logged cmake --install "$work/port"
    use "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix"
    count_objects
    ;;
plain)
    none=()
    for package in GTest fmt CLI11 Python3 ZLIB; do none+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
    logged cmake -S "$source" -B "$work/plain" "${none[@]}" "$once"
    grep -q "The command line program: not built, for want of" "$work/log" || { cat "$work/log"; exit 1; }
    logged cmake --build "$work/plain" -j2 --target example_hello
    "$work/plain/bin/examples/hello" >/dev/null
    if cmake -S "$source" -B "$work/insisted" "${none[@]}" -DFAIRLEAD_BUILD_TESTS=ON >"$work/log" 2>&1; then
        fail "tests without GoogleTest were configured"
    fi
    grep -q "FAIRLEAD_BUILD_TESTS is ON, but these" "$work/log" || { cat "$work/log"; exit 1; }
    count_objects
    ;;
*)
    fail "no way $way"
    ;;
esac
