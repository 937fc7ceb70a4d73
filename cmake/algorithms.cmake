# src/algorithms.def is the one list of algorithms: lines CRN_ALGORITHM(family, name). The
# registry includes it; here it becomes source files: src/family/name.c, or for the few
# large ones every .c file of the folder src/family/name. src/heuristics.def is the same for
# heuristics: src/heuristic/name.c.
#
# A build may take some of the algorithms: CAIRN_ALGORITHMS="astar;jps". Those that they need are
# added (and said so); families of which none is taken are left out with all their files, and what is still not used by
# what is there falls out when the library, or the program with the static one, is linked. The registry then has a list of its own,
# in the folder of the build.
set(CAIRN_ALGORITHMS "" CACHE STRING "The algorithms to build, such as astar;jps; empty: all")

# Families whose files nobody else uses.
set(CAIRN_FAMILIES jump hierarchy spatial realtime)

# The lines of a list: CRN_NAME(…) with what stands behind it.
function(cairn_list_lines file name out)
    set(list "${PROJECT_SOURCE_DIR}/src/${file}")
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
    file(STRINGS "${list}" lines REGEX "^[ ]*${name}\\(")
    set(${out} ${lines} PARENT_SCOPE)
endfunction()

# Adds what the wanted ones need, until nothing is missing.
function(cairn_add_needed lines out)
    list(TRANSFORM CAIRN_ALGORITHMS REPLACE "-" "_" OUTPUT_VARIABLE wanted)
    list(APPEND wanted astar)
    list(REMOVE_DUPLICATES wanted)
    set(before "")
    while(NOT "${before}" STREQUAL "${wanted}")
        set(before "${wanted}")
        foreach(line IN LISTS lines)
            string(REGEX MATCH "CRN_ALGORITHM\\([a-z_ ]*,[ ]*([a-z0-9_]+)" found "${line}")
            if(CMAKE_MATCH_1 IN_LIST wanted AND line MATCHES "needs ([a-z0-9_ ]+[a-z0-9_])")
                string(REPLACE " " ";" needed "${CMAKE_MATCH_1}")
                list(APPEND wanted ${needed})
            endif()
        endforeach()
        list(REMOVE_DUPLICATES wanted)
    endwhile()
    set(${out} ${wanted} PARENT_SCOPE)
endfunction()

# The source files of an algorithm.
function(cairn_algorithm_files family name out)
    set(path "src/${family}/${name}")
    if(EXISTS "${PROJECT_SOURCE_DIR}/${path}.c")
        set(files "${path}.c")
    elseif(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${path}")
        file(GLOB files RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
            "${PROJECT_SOURCE_DIR}/${path}/*.c")
    else()
        message(FATAL_ERROR "src/algorithms.def names ${path}.c, which is not there")
    endif()
    set(${out} ${files} PARENT_SCOPE)
endfunction()

# The sources of the algorithms that are built, of the heuristics, and in CAIRN_CORE_SOURCES what is left of it.
# CAIRN_REGISTRY is the folder of the list, if it is not src.
function(cairn_algorithm_sources out)
    cairn_list_lines(algorithms.def CRN_ALGORITHM lines)
    set(wanted "")
    if(CAIRN_ALGORITHMS)
        cairn_add_needed("${lines}" wanted)
    endif()
    set(sources "")
    set(registry "")
    set(left_out "${wanted}")
    set(families "")
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "CRN_ALGORITHM\\([ ]*([a-z_]+)[ ]*,[ ]*([a-z0-9_]+)[ ]*\\)")
            message(FATAL_ERROR "src/algorithms.def: cannot read this line: ${line}")
        endif()
        set(family "${CMAKE_MATCH_1}")
        set(name "${CMAKE_MATCH_2}")
        if(NOT wanted OR name IN_LIST wanted)
            cairn_algorithm_files(${family} ${name} files)
            list(APPEND sources ${files})
            list(APPEND families ${family})
            list(REMOVE_ITEM left_out ${name})
            string(APPEND registry "CRN_ALGORITHM(${family}, ${name})\n")
        endif()
    endforeach()
    if(left_out)
        message(FATAL_ERROR "CAIRN_ALGORITHMS: src/algorithms.def has no ${left_out}")
    endif()
    if(wanted)
        message(STATUS "Algorithms: ${wanted}")
        file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/registry/algorithms.def" CONTENT "${registry}" @ONLY)
        set(CAIRN_REGISTRY "${PROJECT_BINARY_DIR}/registry" PARENT_SCOPE)
        foreach(family IN LISTS CAIRN_FAMILIES)
            if(NOT family IN_LIST families)
                list(FILTER CAIRN_CORE_SOURCES EXCLUDE REGEX "^src/${family}/")
            endif()
        endforeach()
        set(CAIRN_CORE_SOURCES ${CAIRN_CORE_SOURCES} PARENT_SCOPE)
    endif()
    cairn_list_lines(heuristics.def CRN_HEURISTIC lines)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[ ]*CRN_HEURISTIC\\([ ]*([a-z0-9_]+)[ ]*\\).*" "src/heuristic/\\1.c" file "${line}")
        list(APPEND sources "${file}")
    endforeach()
    set(${out} ${sources} PARENT_SCOPE)
endfunction()
