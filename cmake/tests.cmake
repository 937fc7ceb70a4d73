# The tests. Each file tests/test_*.c is a program; each of its cmocka cases becomes one
# ctest entry FILE.CASE, found by asking the program after it was linked (see
# tests/runner/cases.c), so that nobody keeps a list of cases.
#
# Labels: `threads` (run under the thread sanitizer), `data` (real maps, found through
# CAIRN_DATA; skipped without), `example`, `fuzz` (replay of the seed files).
if(NOT TARGET cairn_program)
    message(FATAL_ERROR "CAIRN_BUILD_TESTS needs CAIRN_BUILD_IO and CAIRN_BUILD_PROGRAM")
endif()
list(LENGTH CAIRN_TILED_PACKAGES tiled_packages)
if(NOT CAIRN_HAS_PNG OR NOT CAIRN_HAS_HTTP OR NOT tiled_packages EQUAL 4)
    message(FATAL_ERROR "CAIRN_BUILD_TESTS needs libpng, expat, jansson, zlib, zstd and libmicrohttpd")
endif()
# For what hangs: nothing is judged by the clock, and a busy machine may need long.
set(CAIRN_TEST_TIMEOUT 1800 CACHE STRING "Seconds after which a test case is ended")
find_package(cmocka REQUIRED)
add_library(cairn_cmocka INTERFACE)
if(TARGET cmocka::cmocka)
    target_link_libraries(cairn_cmocka INTERFACE cmocka::cmocka)
else()
    target_link_libraries(cairn_cmocka INTERFACE ${CMOCKA_LIBRARIES})
    target_include_directories(cairn_cmocka SYSTEM INTERFACE ${CMOCKA_INCLUDE_DIR})
endif()

# With some of the algorithms only (CAIRN_ALGORITHMS): the tests that ask the registry what there is.
if(CAIRN_ALGORITHMS)
    list(FILTER CAIRN_TEST_SOURCES INCLUDE REGEX "/test_(conformance_.*|open)\\.c$")
endif()

list(TRANSFORM CAIRN_TEST_SUPPORT_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/")
add_library(cairn_test_support STATIC ${CAIRN_TEST_SUPPORT_SOURCES} ${PROJECT_SOURCE_DIR}/tests/runner/cases.c)
cairn_flags(cairn_test_support)
target_include_directories(cairn_test_support PUBLIC ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(cairn_test_support PUBLIC cairn cairn_io cairn_cmocka)
if(CAIRN_THREADS)
    target_link_libraries(cairn_test_support PUBLIC Threads::Threads)
endif()
target_compile_definitions(cairn_test_support PUBLIC
    CAIRN_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CAIRN_BINARY_DIR="${PROJECT_BINARY_DIR}"
    CAIRN_PROGRAM="$<TARGET_FILE:cairn_program>")

# The tests themselves are not optimised: it takes a quarter of the time to compile them, and they say
# the same. What they share (cairn_test_support: the oracle, the scenes) is compiled like the library,
# and so are those that compute a lot themselves.
set(busy_tests test_changes test_clearance test_direct test_hcdps_large test_jps_plus test_jump_table test_pra test_raycast test_size
    test_spline test_theta test_upkeep test_views)
function(cairn_test_flags target)
    cairn_flags(${target})
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        set(level -O0)
        if(target IN_LIST busy_tests)
            set(level -O1)
        endif()
        target_compile_options(${target} PRIVATE ${level})
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # which guesses then, as cmake/flags.cmake says
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
endfunction()

# The cases that start threads; a case that is in the wrong place fails (tests/runner/cases.c). Where
# the list changes, the programs are asked for their cases again.
set(list_of_threads ${PROJECT_SOURCE_DIR}/tests/threads.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_of_threads})
file(STRINGS ${list_of_threads} cases_with_threads REGEX "^[^#]")

# The programs whose cases get the label `data`: the stage of that name runs them.
set(data_tests test_hcdps_large)

# cairn_add_test(tests/test_x.c): program test_x, entries test_x.CASE.
function(cairn_add_test source)
    cmake_path(GET source STEM name)
    add_executable(${name} ${PROJECT_SOURCE_DIR}/${source})
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${list_of_threads})
    cairn_test_flags(${name})
    target_link_libraries(${name} PRIVATE cairn_test_support)
    target_link_options(${name} PRIVATE -Wl,--wrap=_cmocka_run_group_tests -Wl,--wrap=pthread_create)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${source} uses_program REGEX CAIRN_PROGRAM)
    if(uses_program)
        add_dependencies(${name} cairn_program)
    endif()
    set(label "")
    set(limit ${CAIRN_TEST_TIMEOUT})
    if(name IN_LIST data_tests)
        set(label data)
        set(limit 7200)
    endif()
    set(cases "${PROJECT_BINARY_DIR}/cases/${name}.cmake")
    add_custom_command(TARGET ${name} POST_BUILD
        COMMAND ${CMAKE_COMMAND} -DEXECUTABLE=$<TARGET_FILE:${name}> -DNAME=${name} -DOUT=${cases}
            -DFOLDER=${PROJECT_SOURCE_DIR} -DLIMIT=${limit} -DLABEL=${label}
            -P ${PROJECT_SOURCE_DIR}/cmake/discover.cmake
        VERBATIM)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/cases/${name}-include.cmake" @ONLY CONTENT [[
if(EXISTS "@cases@")
    include("@cases@")
else()
    add_test(@name@.not_built @name@.not_built)
endif()
]])
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${PROJECT_BINARY_DIR}/cases/${name}-include.cmake")
endfunction()

foreach(source IN LISTS CAIRN_TEST_SOURCES)
    cairn_add_test(${source})
endforeach()

# Steps that TBA* traces back are counted by who asks for them.
if(TARGET test_tbastar)
    target_link_options(test_tbastar PRIVATE -Wl,--wrap=crn_best_first_before)
endif()

# Pictures are looked at with the library that others would use.
if(CAIRN_HAS_PNG)
    foreach(test test_io_overlay test_io_pictures)
        if(TARGET ${test})
            target_compile_definitions(${test} PRIVATE CAIRN_WITH_PNG)
            target_link_libraries(${test} PRIVATE PNG::PNG)
        endif()
    endforeach()
endif()

# What the JavaScript package must answer too (bindings/js/test).
add_executable(js_reference ${PROJECT_SOURCE_DIR}/bindings/js/test/reference.c)
cairn_flags(js_reference)
target_link_libraries(js_reference PRIVATE cairn_io)
add_test(NAME js_reference COMMAND ${PROJECT_SOURCE_DIR}/tools/check_output.sh
    ${PROJECT_SOURCE_DIR}/bindings/js/test/reference.txt $<TARGET_FILE:js_reference>)

# The header for C++, with exceptions and without, if there is a compiler.
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER AND NOT CAIRN_ALGORITHMS)
    enable_language(CXX)
    foreach(exceptions "" _no_exceptions)
        add_executable(test_cpp${exceptions} ${PROJECT_SOURCE_DIR}/tests/test_cpp.cpp)
        cairn_flags(test_cpp${exceptions})
        target_compile_features(test_cpp${exceptions} PRIVATE cxx_std_17)
        target_link_libraries(test_cpp${exceptions} PRIVATE cairn)
        add_test(NAME cpp${exceptions} COMMAND test_cpp${exceptions})
    endforeach()
    target_compile_options(test_cpp_no_exceptions PRIVATE -fno-exceptions)
endif()

# The program, as others script against it, and files that it would not write itself.
add_executable(craft ${PROJECT_SOURCE_DIR}/tests/program/craft.c)
cairn_flags(craft)
target_link_libraries(craft PRIVATE cairn_io cairn)
add_custom_target(program DEPENDS cairn_program craft)
add_test(NAME program COMMAND ${PROJECT_SOURCE_DIR}/tests/test_program.sh $<TARGET_FILE:cairn_program>
    $<TARGET_FILE:craft> ${PROJECT_SOURCE_DIR})
set_tests_properties(program PROPERTIES TIMEOUT ${CAIRN_TEST_TIMEOUT})

add_custom_target(program_threads DEPENDS cairn_program)
add_test(NAME program_threads COMMAND ${PROJECT_SOURCE_DIR}/tests/test_program_threads.sh
    $<TARGET_FILE:cairn_program> ${PROJECT_SOURCE_DIR})
set_tests_properties(program_threads PROPERTIES LABELS threads TIMEOUT ${CAIRN_TEST_TIMEOUT})

add_custom_target(reproduce DEPENDS cairn_program)
add_test(NAME reproduce COMMAND ${PROJECT_SOURCE_DIR}/tests/test_reproduce.sh $<TARGET_FILE:cairn_program>)
set_tests_properties(reproduce PROPERTIES TIMEOUT ${CAIRN_TEST_TIMEOUT})

add_custom_target(simulate DEPENDS cairn_program)
add_test(NAME simulate COMMAND ${PROJECT_SOURCE_DIR}/tests/test_simulate.sh $<TARGET_FILE:cairn_program>
    ${PROJECT_SOURCE_DIR})
set_tests_properties(simulate PROPERTIES TIMEOUT ${CAIRN_TEST_TIMEOUT})

add_custom_target(advise DEPENDS cairn_program)
add_test(NAME advise COMMAND ${PROJECT_SOURCE_DIR}/tests/test_advise.sh $<TARGET_FILE:cairn_program>
    ${PROJECT_SOURCE_DIR})
set_tests_properties(advise PROPERTIES TIMEOUT ${CAIRN_TEST_TIMEOUT})

add_custom_target(view DEPENDS cairn_program)
add_test(NAME view COMMAND ${PROJECT_SOURCE_DIR}/tests/test_view.sh $<TARGET_FILE:cairn_program> ${PROJECT_SOURCE_DIR})
set_tests_properties(view PROPERTIES TIMEOUT ${CAIRN_TEST_TIMEOUT})

# The golden program must print the golden file, here too.
include(cmake/golden.cmake)

# The seed files of the fuzz targets, replayed without a fuzzer.
include(cmake/fuzz_target.cmake)
add_custom_target(replays)
foreach(source IN LISTS CAIRN_FUZZ_SOURCES)
    cmake_path(GET source STEM name)
    string(REPLACE "fuzz_" "" short ${name})
    cairn_fuzz_target(replay_${short} ${source} fuzz/replay.c)
    cairn_test_flags(replay_${short})
    add_dependencies(replays replay_${short})
    add_test(NAME replay.${short} COMMAND replay_${short} ${PROJECT_SOURCE_DIR}/fuzz/corpus/${short})
    set_tests_properties(replay.${short} PROPERTIES LABELS fuzz TIMEOUT ${CAIRN_TEST_TIMEOUT})
endforeach()

# All that the label `threads` needs.
set(thread_tests program_threads)
foreach(case IN LISTS cases_with_threads)
    string(REGEX REPLACE "\\..*" "" name ${case})
    if(TARGET ${name})
        list(APPEND thread_tests ${name})
    endif()
endforeach()
list(REMOVE_DUPLICATES thread_tests)
add_custom_target(thread_tests DEPENDS ${thread_tests})

# The whole index of hcdps after each of many edits on larger maps; some of them are real.
if(TARGET test_hcdps_edits)
    add_test(NAME data.hcdps_edits COMMAND ${PROJECT_SOURCE_DIR}/tools/check_hcdps_edits.sh
        $<TARGET_FILE:cairn_program> $<TARGET_FILE:test_hcdps_edits>)
    set_tests_properties(data.hcdps_edits PROPERTIES LABELS data TIMEOUT 7200)
endif()

# All that the label `data` needs.
add_custom_target(data_tests DEPENDS cairn_program)
foreach(name IN LISTS data_tests ITEMS test_hcdps_edits)
    if(TARGET ${name})
        add_dependencies(data_tests ${name})
    endif()
endforeach()

# A sample of the published problems of every set whose lengths can be trusted.
foreach(set dao sc1 bg512 da2 random maze room street)
    add_test(NAME data.${set} COMMAND ${PROJECT_SOURCE_DIR}/tools/check_data.sh $<TARGET_FILE:cairn_program> ${set})
    set_tests_properties(data.${set} PROPERTIES LABELS data SKIP_RETURN_CODE 77 TIMEOUT 7200)
endforeach()
