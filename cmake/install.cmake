# Headers, libraries, program, the CMake package and the pkg-config files. Nothing
# installed names a path: the tree may be moved as a whole.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/cairn")
set(headers ${CAIRN_HEADERS} ${CAIRN_CPP_HEADERS})
set(libraries cairn)
if(CAIRN_BUILD_IO)
    list(APPEND headers ${CAIRN_IO_HEADERS})
    list(APPEND libraries cairn_io)
endif()
list(TRANSFORM headers PREPEND "${PROJECT_SOURCE_DIR}/")
install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cairn")

foreach(library IN LISTS libraries)
    install(TARGETS ${library} EXPORT cairn-targets)
    if(TARGET ${library}_shared)
        install(TARGETS ${library}_shared EXPORT cairn-targets)
    endif()
endforeach()
if(TARGET cairn_program)
    install(TARGETS cairn_program)
endif()
if(TARGET playground)
    # If it was built: the program says how to build it.
    install(FILES "${PROJECT_BINARY_DIR}/share/cairn/playground.html" DESTINATION "${CMAKE_INSTALL_DATADIR}/cairn" OPTIONAL)
endif()

install(EXPORT cairn-targets NAMESPACE cairn:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/cairn-config.cmake.in"
    "${PROJECT_BINARY_DIR}/cairn-config.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cairn-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cairn-config.cmake" "${PROJECT_BINARY_DIR}/cairn-config-version.cmake"
    DESTINATION "${package_dir}")

# pkg-config: from lib/…/pkgconfig up to the prefix, however deep the library folder is.
file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(pc_private "-lm")
if(CAIRN_THREADS)
    string(APPEND pc_private " -pthread")
endif()
set(pc_io_private ${CAIRN_TILED_PACKAGES})
if(CAIRN_HAS_PNG)
    list(PREPEND pc_io_private "libpng")
endif()
list(JOIN pc_io_private ", " pc_io_private)
set(pc_names cairn)
if(CAIRN_BUILD_IO)
    list(APPEND pc_names cairn-io)
endif()
foreach(name IN LISTS pc_names)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
