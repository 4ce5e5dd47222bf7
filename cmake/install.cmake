# `cmake --install`: headers, library, program, and what find_package(recta) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/recta)

install(TARGETS recta EXPORT recta-targets)
install(DIRECTORY include/recta DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT recta-targets NAMESPACE recta:: DESTINATION ${package_dir})
configure_package_config_file(cmake/recta-config.cmake.in recta-config.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(recta-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/recta-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/recta-config-version.cmake
        DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET recta_cli)
  install(TARGETS recta_cli)
endif()
