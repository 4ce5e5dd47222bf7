# The target `recta` from a library that is built already: what it links privately must be named again.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)

add_library(recta STATIC IMPORTED)
set_target_properties(recta PROPERTIES IMPORTED_LOCATION ${RECTA_LIBRARY})
target_include_directories(recta INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../include)
target_link_libraries(recta INTERFACE fmt::fmt ZLIB::ZLIB PkgConfig::zstd PkgConfig::openblas lapacke Threads::Threads)
