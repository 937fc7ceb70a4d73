# Run after a test program was linked: writes one add_test for each of its cases. Those that
# tests/threads.txt names get the label `threads`, and are told that they are named there. LABEL is one
# for all cases of the program, or empty.
set(ENV{CAIRN_TEST_LIST} 1)
set(ENV{ASAN_OPTIONS} "$ENV{ASAN_OPTIONS}:detect_leaks=0")
execute_process(COMMAND "${EXECUTABLE}" OUTPUT_VARIABLE lines RESULT_VARIABLE result TIMEOUT 60)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${NAME} could not list its cases: ${result}")
endif()
string(REGEX MATCHALL "case: [^\n]+" lines "${lines}")
cmake_policy(SET CMP0057 NEW) # IN_LIST
file(STRINGS "${FOLDER}/tests/threads.txt" with_threads REGEX "^[^#]")
set(script "")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^case: " "" case "${line}")
    set(test "${NAME}.${case}")
    set(labels "${LABEL}")
    set(threads no)
    if(test IN_LIST with_threads)
        list(APPEND labels threads)
        set(threads yes)
    endif()
    string(APPEND script "add_test([==[${test}]==] [==[${EXECUTABLE}]==])\n"
        "set_tests_properties([==[${test}]==] PROPERTIES ENVIRONMENT [==[CAIRN_TEST_CASE=${case};CAIRN_TEST_THREADS=${threads}]==] "
        "WORKING_DIRECTORY [==[${FOLDER}]==] LABELS [==[${labels}]==] "
        "SKIP_REGULAR_EXPRESSION [==[\\[  SKIPPED \\] 1 test]==] TIMEOUT ${LIMIT})\n")
endforeach()
if(script STREQUAL "")
    message(FATAL_ERROR "${NAME} has no cases")
endif()
file(WRITE "${OUT}" "${script}")
