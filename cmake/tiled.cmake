# What Tiled maps need is optional in libcairn-io, each part by itself: expat for `.tmx`, jansson for `.tmj`,
# zlib and zstd for packed layers. Without one of them its files are answered with "unsupported".
#
# The libraries are linked by their bare names, so that nothing installed knows where they were.
set(CAIRN_TILED_PACKAGES "") # names for pkg-config

# cairn_use_library(DEFINITION header library package)
function(cairn_use_library definition header library package)
    find_path(${definition}_HEADER ${header})
    find_library(${definition}_LIBRARY ${library})
    mark_as_advanced(${definition}_HEADER ${definition}_LIBRARY)
    if(NOT ${definition}_HEADER OR NOT ${definition}_LIBRARY)
        return()
    endif()
    cmake_path(GET ${definition}_LIBRARY PARENT_PATH folder)
    foreach(target cairn_io cairn_io_shared)
        if(TARGET ${target})
            target_compile_definitions(${target} PRIVATE ${definition})
            target_include_directories(${target} SYSTEM PRIVATE ${${definition}_HEADER})
            target_link_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
            target_link_libraries(${target} PRIVATE ${library})
        endif()
    endforeach()
    set(CAIRN_TILED_PACKAGES ${CAIRN_TILED_PACKAGES} ${package} PARENT_SCOPE)
endfunction()

if(CAIRN_TILED)
    cairn_use_library(CAIRN_WITH_EXPAT expat.h expat expat)
    cairn_use_library(CAIRN_WITH_JANSSON jansson.h jansson jansson)
    cairn_use_library(CAIRN_WITH_ZLIB zlib.h z zlib)
    cairn_use_library(CAIRN_WITH_ZSTD zstd.h zstd libzstd)
endif()
