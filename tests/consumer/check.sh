#!/usr/bin/env bash
# Uses the library the way a stranger's project does, from an empty folder.
#   check.sh WAY SOURCE_DIR BUILD_DIR CXX
# find_package, pkg_config, folded: the finished build is installed into an empty folder, and used from there alone.
# add_subdirectory, fetch_content, packages: the library is built afresh (the time is printed: 30 s on an idle machine).
# plain: the tree is configured as a newcomer does, without the packages of tests and tools.
set -euo pipefail
way=$1 source=$2 build=$3 cxx=$4
here=$source/tests/consumer
all=(fairlead verify explain debug mesh_table bake formats)
export CXX=$cxx

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "$*" && exit 1; }
logged() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
list() { local IFS=';'; echo "$*"; }

install_library() {
    logged cmake --install "$build" --prefix "$work/prefix"
    [ -n "$(find "$work/prefix" -name 'libfairlead_formats.*')" ] || unset 'all[6]' # built without zlib
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

# Nothing of ours but the libraries was built, with optimization; the game's own files have none of our flags.
judge_build() {
    local commands=$1/compile_commands.json unwanted
    unwanted=$(find "$1" -name 'tests_*' -o -name 'example_*' -o -name 'fairlead_cli*' -o -name 'fairlead-digest*')
    [ -z "$unwanted" ] || fail "built inside someone else's project: $unwanted"
    grep '"command"' "$commands" | grep -F "/unity_grid_cxx" | grep -q -e '-O3' || fail "our objects are not optimized"
    grep '"command"' "$commands" | grep -F "/unity_grid_cxx" | grep -q -e '-ffp-contract=off' ||
        fail "our objects lost -ffp-contract=off"
    grep '"command"' "$commands" | grep -F "$here/" | grep -qv -e '-ffp-contract' || fail "the game got our flags"
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
        "$cxx" -std=c++20 -O2 "$here/$name.cpp" $(pkg-config --cflags --libs "$package") -o "$work/uses_$name"
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
    # A debug build with every flag that changes arithmetic: the route is the same to the last bit.
    start=$(date +%s)
    use "$work/build" -DWAY=add_subdirectory -DFAIRLEAD_SOURCE="$source" -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_CXX_FLAGS="-ffast-math -march=native"
    echo "libraries and $((${#all[@]})) programs from nothing in $(($(date +%s) - start)) s"
    judge_build "$work/build"
    install_library
    "$cxx" -std=c++20 -O2 -I"$work/prefix/include" "$here/fairlead.cpp" \
        "$(find "$work/prefix" -name libfairlead.a)" -o "$work/uses_fairlead"
    "$work/uses_fairlead" | cmp - "$work/build/fairlead.out" || fail "the game's flags changed the route"
    ;;
fetch_content)
    # With no build type at all, and no network.
    use "$work/build" -DWAY=fetch_content -DFETCHCONTENT_SOURCE_DIR_FAIRLEAD="$source" -DFETCHCONTENT_FULLY_DISCONNECTED=ON
    judge_build "$work/build"
    ;;
packages)
    # The calls of CMake that the vcpkg port and the Conan recipe make; neither tool is needed here.
    options=$(sed -n 's/^ *\(-DFAIRLEAD_[A-Z_]*=[A-Z]*\).*/\1/p' "$source/packaging/vcpkg/ports/fairlead/portfile.cmake" | sort -u)
    recipe=$(sed -n 's/^ *toolchain[.]variables\["\(FAIRLEAD_[A-Z_]*\)"\] = "\([A-Z]*\)".*/-D\1=\2/p' \
        "$source/packaging/conan/conanfile.py" | sort -u)
    [ -n "$options" ] && [ "$options" = "$recipe" ] || fail "port and recipe differ: $options against $recipe"
    # shellcheck disable=SC2086  # the options are words
    logged cmake -S "$source" -B "$work/port" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_INSTALL_PREFIX="$work/prefix" -DFAIRLEAD_BUILD_FORMATS=ON $options
    logged cmake --build "$work/port" -j2
    logged cmake --install "$work/port"
    use "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix"
    ;;
plain)
    none=()
    for package in GTest fmt CLI11 Python3 ZLIB; do none+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
    logged cmake -S "$source" -B "$work/plain" "${none[@]}"
    grep -q "The command line program: not built, for want of" "$work/log" || { cat "$work/log"; exit 1; }
    logged cmake --build "$work/plain" -j2 --target example_hello
    "$work/plain/bin/examples/hello" >/dev/null
    if cmake -S "$source" -B "$work/insisted" "${none[@]}" -DFAIRLEAD_BUILD_TESTS=ON >"$work/log" 2>&1; then
        fail "tests without GoogleTest were configured"
    fi
    grep -q "FAIRLEAD_BUILD_TESTS is ON, but these" "$work/log" || { cat "$work/log"; exit 1; }
    ;;
*)
    fail "no way $way"
    ;;
esac
