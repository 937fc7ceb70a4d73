#!/bin/bash
# tools/check_install.sh BUILD: installs what was built there into a fresh folder, moves
# that folder (nothing installed may know where it is), and builds tests/consumer against
# it: with CMake in C and C++, static and shared, and with pkg-config; also as a part of
# another project with add_subdirectory.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
root=$PWD
work=$build/consumer
rm -rf "$work"
mkdir -p "$work"

echo "install: into a folder that is moved afterwards"
cmake --install "$build" --prefix "$work/first" >"$work/log"
mv "$work/first" "$work/prefix"
if grep -rIl "$work/first\|$root" "$work/prefix"; then
    echo "install: these files name a folder of the machine they were made on"
    exit 1
fi
(cd "$work/prefix" && find . -type f -o -type l | sort) >"$work/files"
for file in include/cairn/cairn.h include/cairn/cairn.hpp include/cairn/io.h bin/cairn; do
    grep -qx "./$file" "$work/files" || { echo "install: $file is missing" && exit 1; }
done

echo "install: the program finds the playground"
page=share/cairn/playground.html
if [ -f "$build/$page" ]; then
    cmp "$build/$page" "$work/prefix/$page"
else # where it was not built any page with a policy will do
    mkdir -p "$work/prefix/share/cairn"
    echo '<html><head><meta http-equiv="Content-Security-Policy" content="default-src none"></head><body></body></html>' \
        >"$work/prefix/$page"
fi
"$work/prefix/bin/cairn" view -o "$work/page.html" >>"$work/log"
cmp "$work/page.html" "$work/prefix/$page"

echo "consumer: CMake"
cmake -S tests/consumer -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log"
ninja -C "$work/cmake" >>"$work/log"
ctest --test-dir "$work/cmake" --output-on-failure

echo "consumer: pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name cairn.pc)")
export PKG_CONFIG_PATH
libdir=$(pkg-config --variable=libdir cairn)
check() {
    "$@" | tee "$work/printed"
    grep -q '^found, [0-9]* turning points, length 8\.24' "$work/printed"
}
# shellcheck disable=SC2046 # flags are words
gcc -std=c17 -Wall -Wextra -Werror tests/consumer/consumer.c -o "$work/shared" $(pkg-config --cflags --libs cairn)
check env LD_LIBRARY_PATH="$libdir" "$work/shared"
# shellcheck disable=SC2046
gcc -std=c17 tests/consumer/consumer.c -o "$work/static" $(pkg-config --cflags cairn) "$libdir/libcairn.a" \
    $(pkg-config --static --libs-only-other cairn) -lm
check "$work/static"
# shellcheck disable=SC2046
g++ -std=c++17 -Wall -Wextra -Werror tests/consumer/consumer.cpp -o "$work/shared_cpp" \
    $(pkg-config --cflags --libs cairn-io)
check env LD_LIBRARY_PATH="$libdir" "$work/shared_cpp"

echo "consumer: add_subdirectory"
mkdir "$work/embedded"
cat >"$work/embedded/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(game LANGUAGES C)
add_subdirectory("$root" cairn)
if(TARGET cairn_io OR TARGET cairn_program OR TARGET cairn_shared)
    message(FATAL_ERROR "embedded, the library must come alone")
endif()
add_executable(game "$root/tests/consumer/consumer.c")
target_link_libraries(game PRIVATE cairn::cairn)
END
# Not optimised: how the library is built as a part of another is what counts.
cmake -S "$work/embedded" -B "$work/embedded/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug >>"$work/log"
ninja -C "$work/embedded/build" >>"$work/log"
check "$work/embedded/build/game"
