# The benchmark programs.
foreach(source IN LISTS CAIRN_BENCH_SOURCES)
    cmake_path(GET source STEM name)
    add_executable(bench_${name} ${PROJECT_SOURCE_DIR}/${source})
    cairn_flags(bench_${name})
    target_link_libraries(bench_${name} PRIVATE cairn_io cairn)
endforeach()
# Looks inside of searches.
target_include_directories(bench_open_lists PRIVATE ${PROJECT_SOURCE_DIR}/src)
