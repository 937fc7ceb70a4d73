# The program `cairn`.
list(TRANSFORM CAIRN_PROGRAM_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE sources)
add_executable(cairn_program ${sources})
cairn_flags(cairn_program)
set_target_properties(cairn_program PROPERTIES OUTPUT_NAME cairn RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
target_include_directories(cairn_program PRIVATE ${PROJECT_SOURCE_DIR}/program)
target_link_libraries(cairn_program PRIVATE cairn_io cairn)
if(CAIRN_THREADS)
    target_link_libraries(cairn_program PRIVATE Threads::Threads)
endif()
# Where the program finds the playground when both are installed, as seen from its own folder.
file(RELATIVE_PATH page_place "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_DATADIR}/cairn/playground.html")
set_source_files_properties("${PROJECT_SOURCE_DIR}/program/page.c" PROPERTIES
    COMPILE_DEFINITIONS "CAIRN_PAGE_PLACE=\"${page_place}\"")
if(CAIRN_HAS_PNG)
    target_compile_definitions(cairn_program PRIVATE CAIRN_WITH_PNG)
    target_link_libraries(cairn_program PRIVATE PNG::PNG)
endif()
