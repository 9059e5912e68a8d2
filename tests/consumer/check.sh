#!/usr/bin/env bash
# Uses the library the way a stranger's project does.
#   check.sh find_package|pkg_config|add_subdirectory SOURCE_DIR BUILD_DIR CXX
# The first two install the finished build into an empty folder and build against that alone; the third builds
# the library afresh inside the consumer and must stay under 30 seconds on an idle machine (the time is printed).
set -euo pipefail
way=$1 source=$2 build=$3 cxx=$4
here=$source/tests/consumer

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install_library() {
    cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
}

configure_and_build() {
    cmake -S "$here" -B "$work/build" -DCMAKE_CXX_COMPILER="$cxx" "$@" >"$work/log" 2>&1 &&
        cmake --build "$work/build" -j2 >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

case $way in
find_package)
    install_library
    formats=OFF
    [ -z "$(find "$work/prefix" -name 'libfairlead_formats.*')" ] || formats=ON
    configure_and_build -DCMAKE_PREFIX_PATH="$work/prefix" -DWITH_FORMATS=$formats
    "$work/build/consumer"
    # A component that is not there must be named in the error.
    if cmake -S "$here" -B "$work/missing" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$work/prefix" \
        -DEXTRA_COMPONENT=no_such_part >"$work/log" 2>&1; then
        echo "a component that does not exist was found" && exit 1
    fi
    grep -q no_such_part "$work/log" || { cat "$work/log"; exit 1; }
    ;;
pkg_config)
    command -v pkg-config >/dev/null || { echo "skipped: no pkg-config"; exit 77; }
    install_library
    PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name fairlead.pc)")
    export PKG_CONFIG_PATH
    flags=$(pkg-config --cflags --libs fairlead)
    case $flags in
    *-ffp-contract=off*) ;;
    *) echo "pkg-config lost -ffp-contract=off: $flags" && exit 1 ;;
    esac
    # shellcheck disable=SC2086  # the flags are words
    "$cxx" -std=c++20 -O2 "$here/main.cpp" $flags -o "$work/consumer"
    "$work/consumer"
    ;;
add_subdirectory)
    start=$(date +%s.%N)
    configure_and_build -DCMAKE_BUILD_TYPE=Release -DFAIRLEAD_SOURCE="$source"
    "$work/build/consumer"
    echo "library and hello program from nothing in $(echo "$(date +%s.%N) $start" | awk '{printf "%.1f", $1-$2}') s"
    for unwanted in fairlead_formats tests_base; do
        if find "$work/build" -name "*$unwanted*" | grep -q .; then
            echo "$unwanted was built inside someone else's project" && exit 1
        fi
    done
    ;;
*)
    echo "usage: check.sh find_package|pkg_config|add_subdirectory SOURCE_DIR BUILD_DIR CXX" && exit 2
    ;;
esac
