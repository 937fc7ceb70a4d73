# cairn_fuzz_target(TARGET fuzz/fuzz_NAME.c OTHER…): a program of a fuzz target and other sources, with what
# it needs besides the libraries (CAIRN_FUZZ_WITH_NAME). tests.cmake makes one that replays seed files,
# fuzz.cmake one for libFuzzer.
function(cairn_fuzz_target target source)
    cmake_path(GET source STEM name)
    string(REPLACE "fuzz_" "" short ${name})
    set(sources ${source} ${CAIRN_FUZZ_WITH_${short}} ${ARGN})
    list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/")
    add_executable(${target} ${sources})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests
        ${PROJECT_SOURCE_DIR}/program)
    target_link_libraries(${target} PRIVATE cairn_io cairn)
    if(short STREQUAL "sequence")
        find_package(cmocka REQUIRED)
        if(TARGET cmocka::cmocka)
            target_link_libraries(${target} PRIVATE cmocka::cmocka)
        else()
            target_link_libraries(${target} PRIVATE ${CMOCKA_LIBRARIES})
            target_include_directories(${target} SYSTEM PRIVATE ${CMOCKA_INCLUDE_DIR})
        endif()
    endif()
endfunction()
