# The playground: the page that `cairn view` shows. The target `playground` builds the library as WebAssembly in a folder of
# its own (preset `wasm`), and puts that, the scripts and the style into one file, share/cairn/playground.html in the build
# folder. Nothing else needs it: it is built when it is asked for, or always with CAIRN_BUILD_PLAYGROUND=ON.
set(CAIRN_BUILD_PLAYGROUND AUTO CACHE STRING "Build the playground: ON, OFF, or AUTO: on demand, if its tools are there")
set_property(CACHE CAIRN_BUILD_PLAYGROUND PROPERTY STRINGS AUTO ON OFF)
if(NOT CAIRN_BUILD_PLAYGROUND)
    return()
endif()

find_program(CAIRN_PLAYGROUND_CLANG clang)
find_program(CAIRN_PLAYGROUND_LINKER wasm-ld)
find_program(CAIRN_PLAYGROUND_ARCHIVER NAMES llvm-ar llvm-ar-14 PATHS /usr/lib/llvm-14/bin)
find_program(CAIRN_PLAYGROUND_NINJA ninja)
find_program(CAIRN_PLAYGROUND_NODE node)
find_file(CAIRN_PLAYGROUND_LIBC wasm32-wasi/libc.a PATHS /usr/lib NO_DEFAULT_PATH)
set(missing "")
foreach(tool CLANG LINKER ARCHIVER NINJA NODE LIBC)
    mark_as_advanced(CAIRN_PLAYGROUND_${tool})
    if(NOT CAIRN_PLAYGROUND_${tool})
        list(APPEND missing ${tool})
    endif()
endforeach()
if(missing)
    if(NOT CAIRN_BUILD_PLAYGROUND STREQUAL "AUTO")
        message(FATAL_ERROR "CAIRN_BUILD_PLAYGROUND needs clang, wasm-ld, llvm-ar, ninja, node and wasi-libc; "
            "not found: ${missing}")
    endif()
    return()
endif()

set(all ALL)
if(CAIRN_BUILD_PLAYGROUND STREQUAL "AUTO")
    set(all "")
endif()
# The build inside knows best what has changed, so it is always asked. Flags of the environment are for this machine.
set(wasm_folder "${PROJECT_BINARY_DIR}/playground")
add_custom_target(playground ${all}
    COMMAND ${CMAKE_COMMAND} -E env --unset=CFLAGS --unset=LDFLAGS ${CMAKE_COMMAND} --preset wasm -S . -B ${wasm_folder}
    COMMAND ${CMAKE_COMMAND} --build ${wasm_folder} --target cairn_js_package
    COMMAND ${CAIRN_PLAYGROUND_NODE} playground/build.mjs --package ${wasm_folder}/js
        --out ${PROJECT_BINARY_DIR}/share/cairn/playground.html
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "The playground" USES_TERMINAL VERBATIM)
