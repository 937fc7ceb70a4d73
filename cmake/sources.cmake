# Every source file of the project, by target. Scripts read these lists too (tools/sources.sh):
# one path on each line. Algorithms are not named here but in src/algorithms.def.
# tools/check_lists.sh, a part of ./test, says what is missing.

set(CAIRN_HEADERS
    include/cairn/base.h
    include/cairn/cairn.h
    include/cairn/generate.h
    include/cairn/graph.h
    include/cairn/grid.h
    include/cairn/path.h
    include/cairn/planner.h
    include/cairn/space.h
    include/cairn/store.h
    include/cairn/trace.h
)

set(CAIRN_IO_HEADERS
    include/cairn/io.h
)

# In this order they make the two-file library.
set(CAIRN_CORE_SOURCES
    src/core/context.c
    src/core/hash.c
    src/core/sort.c
    src/core/status.c
    src/core/threads.c
    src/generate/board.c
    src/generate/caves.c
    src/generate/facility.c
    src/generate/fields.c
    src/generate/generate.c
    src/generate/maze.c
    src/generate/plain.c
    src/generate/scaled.c
    src/heuristic/heuristic.c
    src/open/bins.c
    src/open/blocks.c
    src/open/chain.c
    src/open/heap.c
    src/path/path.c
    src/path/raycast.c
    src/path/simplify.c
    src/path/smooth.c
    src/search/best_first.c
    src/search/best_first_loops.c
    src/search/easy.c
    src/search/goals.c
    src/search/index.c
    src/search/landmarks.c
    src/search/planner.c
    src/search/records.c
    src/search/registry.c
    src/search/search.c
    src/store/container.c
    src/store/identity.c
    src/store/query.c
    src/store/world.c
    src/world/clearance.c
    src/world/commit.c
    src/world/cost.c
    src/world/explain.c
    src/world/graph.c
    src/world/graph_regions.c
    src/world/graph_space.c
    src/world/graph_tree.c
    src/world/grid.c
    src/world/grid_space.c
    src/world/labels.c
    src/world/links.c
    src/world/reach.c
    src/world/size.c
    src/world/space.c
    src/world/text.c
    src/world/validate.c
)

set(CAIRN_IO_SOURCES
    src/io/archive.c
    src/io/dimacs.c
    src/io/file.c
    src/io/grid_png.c
    src/io/grid_file.c
    src/io/movingai.c
    src/io/picture.c
    src/io/png.c
    src/io/png_read.c
    src/io/posthoc.c
    src/io/recording.c
    src/io/scenario.c
    src/io/scenario_generate.c
    src/io/support.c
    src/io/svg.c
    src/io/tiled.c
    src/io/tiled_cells.c
    src/io/tiled_data.c
    src/io/tiled_json.c
    src/io/tiled_xml.c
)

set(CAIRN_PROGRAM_SOURCES
    program/algorithms.c
    program/args.c
    program/batch.c
    program/bench.c
    program/cmd_algorithms.c
    program/cmd_bench.c
    program/cmd_build.c
    program/cmd_check.c
    program/cmd_convert.c
    program/cmd_explain.c
    program/cmd_generate.c
    program/cmd_info.c
    program/cmd_path.c
    program/draw.c
    program/index.c
    program/json.c
    program/json_read.c
    program/main.c
    program/measure.c
    program/problems.c
    program/profile.c
    program/progress.c
    program/repro.c
    program/table.c
    program/text.c
    program/world.c
)

set(CAIRN_EXAMPLE_SOURCES
    examples/first_path.c
    examples/frame_budget.c
    examples/within_reach.c
)

# Each is a program of cmocka cases.
set(CAIRN_TEST_SOURCES
    tests/test_agents.c
    tests/test_alt.c
    tests/test_clearance.c
    tests/test_conformance_goals.c
    tests/test_conformance_index.c
    tests/test_conformance_limits.c
    tests/test_conformance_memory.c
    tests/test_conformance_partial.c
    tests/test_conformance_paths.c
    tests/test_conformance_trace.c
    tests/test_context.c
    tests/test_cost.c
    tests/test_data.c
    tests/test_dimacs.c
    tests/test_explain.c
    tests/test_generate.c
    tests/test_graph.c
    tests/test_grid.c
    tests/test_hex.c
    tests/test_io_movingai.c
    tests/test_io_pictures.c
    tests/test_io_png_grid.c
    tests/test_io_store.c
    tests/test_io_tiled.c
    tests/test_links.c
    tests/test_loop.c
    tests/test_open.c
    tests/test_path.c
    tests/test_posthoc.c
    tests/test_queries.c
    tests/test_raycast.c
    tests/test_reach.c
    tests/test_search.c
    tests/test_size.c
    tests/test_smooth.c
    tests/test_store.c
    tests/test_threads.c
    tests/test_upkeep.c
    tests/test_validate.c
)

# Of these, the ones that start threads: run under the thread sanitizer.
set(CAIRN_TEST_THREAD_SOURCES
    tests/test_context.c
    tests/test_threads.c
)

# What the tests share.
set(CAIRN_TEST_SUPPORT_SOURCES
    tests/conformance.c
    tests/oracle.c
    tests/scenes.c
)

# The golden program: no more than the core and this.
set(CAIRN_GOLDEN_SOURCES
    tests/golden.c
    tests/oracle.c
    tests/scenes.c
)

set(CAIRN_BENCH_SOURCES
    bench/generators.c
    bench/instructions_queries.c
    bench/upkeep.c
)

# fuzz/fuzz_NAME.c, with seed files in fuzz/corpus/NAME.
set(CAIRN_FUZZ_SOURCES
    fuzz/fuzz_cairn.c
    fuzz/fuzz_dimacs.c
    fuzz/fuzz_index.c
    fuzz/fuzz_map.c
    fuzz/fuzz_png.c
    fuzz/fuzz_scen.c
    fuzz/fuzz_text.c
    fuzz/fuzz_tiled_json.c
    fuzz/fuzz_tiled_xml.c
)
