# The examples: each a small program. Where an example ends with a comment that begins
# "Output:", the tests compare.
foreach(source IN LISTS CAIRN_EXAMPLE_SOURCES)
    cmake_path(GET source STEM name)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${source} needs_threads REGEX "^#include <pthread.h>")
    if(needs_threads AND NOT CAIRN_THREADS)
        continue()
    endif()
    add_executable(example_${name} ${PROJECT_SOURCE_DIR}/${source})
    cairn_flags(example_${name})
    target_link_libraries(example_${name} PRIVATE cairn)
    if(TARGET cairn_io)
        target_link_libraries(example_${name} PRIVATE cairn_io)
    endif()
    if(needs_threads)
        target_link_libraries(example_${name} PRIVATE Threads::Threads)
    endif()
    if(CAIRN_BUILD_TESTS)
        add_test(NAME example.${name} COMMAND ${PROJECT_SOURCE_DIR}/tools/check_example.sh
            $<TARGET_FILE:example_${name}> ${PROJECT_SOURCE_DIR}/${source})
        set_tests_properties(example.${name} PROPERTIES LABELS example TIMEOUT 120
            WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    endif()
endforeach()
