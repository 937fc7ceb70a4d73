# The npm package: the core and the part of io that needs no other library, with flat exports (bindings/js/glue*.c), as
# one WebAssembly module beside its JavaScript, in the folder js of the build. Functions that open files are in no
# export's reach, so the linker leaves them and what they need out.
set(js_folder "${PROJECT_SOURCE_DIR}/bindings/js")
list(TRANSFORM CAIRN_JS_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE js_glue)
list(TRANSFORM CAIRN_IO_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE js_io)
list(TRANSFORM CAIRN_CORE_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE js_core)
list(TRANSFORM CAIRN_ALGORITHM_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE js_algorithms)

set(CAIRN_JS_FLAGS "-O2;-flto" CACHE STRING "How the package is compiled and linked")
add_executable(cairn_js ${js_glue} ${js_io} ${js_core} ${js_algorithms})
cairn_flags(cairn_js)
target_include_directories(cairn_js PRIVATE ${CAIRN_REGISTRY} "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_compile_options(cairn_js PRIVATE ${CAIRN_JS_FLAGS} -fvisibility=hidden)
target_link_options(cairn_js PRIVATE ${CAIRN_JS_FLAGS} -mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections
    -Wl,-z,stack-size=1048576 -Wl,--stack-first) # a stack that runs over traps, and overwrites nothing
set_target_properties(cairn_js PROPERTIES OUTPUT_NAME cairn SUFFIX .wasm
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/js")

# Everything else of the package is copied beside it.
foreach(file IN ITEMS package.json cairn.js cairn.d.ts README.md)
    list(APPEND js_copies "${CMAKE_BINARY_DIR}/js/${file}")
    add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/js/${file}" DEPENDS "${js_folder}/${file}"
        COMMAND ${CMAKE_COMMAND} -E copy "${js_folder}/${file}" "${CMAKE_BINARY_DIR}/js/${file}")
endforeach()
add_custom_target(cairn_js_package ALL DEPENDS cairn_js ${js_copies})

add_test(NAME js COMMAND node --test "${js_folder}/test")
set_tests_properties(js PROPERTIES ENVIRONMENT "CAIRN_JS=${CMAKE_BINARY_DIR}/js" TIMEOUT 1800)
