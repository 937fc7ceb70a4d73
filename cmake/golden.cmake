# The golden program: hashes of many answers, the same on every compiler and machine. It
# uses the public interface and the shared scenes only, so it is built for WebAssembly too.
if(NOT TARGET golden)
    list(TRANSFORM CAIRN_GOLDEN_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE golden_sources)
    add_executable(golden ${golden_sources})
    cairn_flags(golden)
    target_link_libraries(golden PRIVATE cairn)
    set(golden_check ${PROJECT_SOURCE_DIR}/tools/check_output.sh ${PROJECT_SOURCE_DIR}/tests/golden.txt
        ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:golden>)
    add_test(NAME golden COMMAND ${golden_check})
    set_tests_properties(golden PROPERTIES LABELS golden)
    if(CAIRN_THREADS)
        add_test(NAME golden.8_threads COMMAND ${golden_check} --threads 8)
        set_tests_properties(golden.8_threads PROPERTIES LABELS "threads;golden" TIMEOUT 1800)
    endif()
endif()
