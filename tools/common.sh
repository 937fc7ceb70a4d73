# Shared by ./run and ./test: finding what is missing, building quietly with progress.
# To be sourced by bash in the project's folder.
# shellcheck shell=bash

jobs=$(nproc 2>/dev/null || echo 2)
missing=()

# want PACKAGE TEST…: PACKAGE (Debian's name) is missing if the test fails.
want() {
    local package=$1
    shift
    "$@" || missing+=("$package")
}

has_command() {
    command -v "$1" >/dev/null 2>&1
}

# One of these files exists (patterns are expanded by the caller's shell).
has_file() {
    local file
    for file in "$@"; do
        [ -e "$file" ] && return 0
    done
    return 1
}

want_build_tools() {
    want cmake has_command cmake
    want ninja-build has_command ninja
    want gcc has_command gcc
    want libc6-dev has_file /usr/include/stdio.h
    want libpng-dev has_file /usr/include/png.h /usr/local/include/png.h
    want libexpat1-dev has_file /usr/include/expat.h /usr/local/include/expat.h
    want libjansson-dev has_file /usr/include/jansson.h /usr/local/include/jansson.h
    want zlib1g-dev has_file /usr/include/zlib.h /usr/local/include/zlib.h
    want libzstd-dev has_file /usr/include/zstd.h /usr/local/include/zstd.h
    want libmicrohttpd-dev has_file /usr/include/microhttpd.h /usr/local/include/microhttpd.h
}

# What makes the playground: the library as WebAssembly, and Node, which puts the page together.
want_playground_tools() {
    want clang has_command clang
    want lld has_command wasm-ld
    want llvm has_command llvm-ar
    want wasi-libc has_file /usr/lib/wasm32-wasi/libc.a
    want libclang-rt-14-dev-wasm32 has_file /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a
    want nodejs has_command node
}

# Installs what `want` found missing: as root, or with sudo where it asks for nothing;
# else says what to type, and ends.
install_missing() {
    [ ${#missing[@]} = 0 ] && return 0
    local line="apt-get install --no-install-recommends ${missing[*]}" as=()
    if ! has_command apt-get; then
        echo "Missing (names of Debian 12): ${missing[*]}" >&2
        echo "Install what provides them here, then start $0 again." >&2
        exit 1
    fi
    if [ "$(id -u)" != 0 ]; then
        if ! has_command sudo || ! sudo -n true 2>/dev/null; then
            echo "These packages are missing and only root can install them. Type" >&2
            echo "    sudo $line" >&2
            echo "then start $0 again." >&2
            exit 1
        fi
        as=(sudo -n)
    fi
    echo "Installing ${missing[*]} …" >&2
    mkdir -p build
    export DEBIAN_FRONTEND=noninteractive
    if ! "${as[@]}" apt-get update >build/install.log 2>&1 ||
        ! "${as[@]}" apt-get install -y --no-install-recommends "${missing[@]}" >>build/install.log 2>&1; then
        tail -n 20 build/install.log >&2
        echo "Could not install: ${missing[*]} (all of the output: build/install.log)." >&2
        exit 1
    fi
    missing=()
}

# Copies ninja's output to a log; on a terminal keeps one line of progress up to date,
# elsewhere prints such lines if progress_lines=1.
progress_lines=0
show_progress() {
    local log=$1 line shown=0
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        if [ -t 2 ]; then
            printf '\r\033[Kbuilding: %s of %s' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
            shown=1
        elif [ $progress_lines = 1 ]; then
            echo "building: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
        fi
    done
    [ $shown = 0 ] || printf '\r\033[K' >&2
}

# A build folder that was configured elsewhere (a copied tree) is of no use.
forget_foreign_build() {
    local dir=$1 home
    [ -f "$dir/CMakeCache.txt" ] || return 0
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$dir/CMakeCache.txt")
    [ "$home" -ef . ] || rm -rf "$dir"
}

# build_preset PRESET [TARGET…]: configures if needed (or if reconfigure=1: tools may have come since), builds what
# changed, says nothing when all is well. The whole output is build/PRESET.log.
reconfigure=0
build_preset() {
    local preset=$1 dir=build/$1 log=build/$1.log result=0
    shift
    if ! mkdir -p build || ! [ -w build ] || { [ -e "$dir" ] && ! [ -w "$dir" ]; }; then
        echo "The folder build cannot be written to; was it made by another user? Remove it and start again." >&2
        return 1
    fi
    exec 9>"$dir.lock"
    has_command flock && flock 9
    : >"$log"
    forget_foreign_build "$dir"
    if [ ! -f "$dir/build.ninja" ] || [ $reconfigure = 1 ]; then
        cmake --preset "$preset" >>"$log" 2>&1 || result=$?
    fi
    if [ $result = 0 ]; then
        ninja -C "$dir" -j "$jobs" "$@" 2>&1 9>&- | show_progress "$log"
        result=${PIPESTATUS[0]}
    fi
    exec 9>&-
    if [ "$result" != 0 ]; then
        grep -Ev '^(\[[0-9]+/[0-9]+\] |-- |Preset CMake|  [A-Z_]+=|$)' "$log" | tail -n 60 >&2
        echo "The build failed (preset $preset); all of its output: $log" >&2
        return 1
    fi
}

# make_copy: brings a copy of the tree up to date, for whoever plays with the sources (planted mistakes, the walk of
# docs/adding-an-algorithm.md), and configures its build folder, optimised little and without debug information. Only what
# differs is touched, so both go from one to the next; whoever has the copy keeps it until the script ends.
copy=build/copy/tree copy_build=build/copy/build
make_copy() {
    local file home
    mkdir -p $copy
    exec 8>build/copy/lock
    has_command flock && flock 8
    (cd $copy && find . -type f | sed 's|^\./||' | sort) >build/copy/there
    find . \( -path ./build -o -path ./out -o -path ./.git -o -path ./tests/mutants \) -prune -o -type f -print |
        sed 's|^\./||' | sort >build/copy/wanted
    comm -23 build/copy/there build/copy/wanted | while read -r file; do rm -f "$copy/$file"; done
    while read -r file; do
        if ! cmp -s "$file" "$copy/$file"; then
            mkdir -p "$copy/$(dirname "$file")"
            cp -p "$file" "$copy/$file"
            touch "$copy/$file"
        fi
    done <build/copy/wanted
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' $copy_build/CMakeCache.txt 2>/dev/null || true)
    [ "$home" -ef $copy ] || rm -rf $copy_build
    cmake -S $copy -B $copy_build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 \
        -DCMAKE_C_COMPILER=gcc -DCAIRN_BUILD_TESTS=ON -DCAIRN_CHECKS=ON -DCAIRN_BUILD_SHARED=OFF \
        -DCAIRN_BUILD_EXAMPLES=OFF -DCAIRN_BUILD_BENCH=OFF -DCAIRN_INSTALL=OFF -DCAIRN_TEST_TIMEOUT=300
}
