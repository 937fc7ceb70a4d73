# WebAssembly without a browser: clang with Debian's wasi-libc, lld and
# libclang-rt-14-dev-wasm32. Programs run in Node through tests/wasm/run.mjs.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /usr)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE NEVER)
# llvm-ar of the same release: the system's ar makes archives without an index for wasm.
find_program(CMAKE_AR NAMES llvm-ar llvm-ar-14 PATHS /usr/lib/llvm-14/bin REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib llvm-ranlib-14 PATHS /usr/lib/llvm-14/bin REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR node;--no-warnings;--experimental-wasi-unstable-preview1;${CMAKE_CURRENT_LIST_DIR}/../tests/wasm/run.mjs)
