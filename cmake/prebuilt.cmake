# A target for a library that is built already: what it links privately must be named again.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
set(recta_include ${CMAKE_CURRENT_LIST_DIR}/../include)

function(recta_add_prebuilt target file)
  add_library(${target} STATIC IMPORTED)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${file})
  target_include_directories(${target} INTERFACE ${recta_include})
  target_link_libraries(${target} INTERFACE fmt::fmt ZLIB::ZLIB PkgConfig::zstd PkgConfig::openblas PkgConfig::utf8proc stemmer lapacke
                                            Threads::Threads)
endfunction()

recta_add_prebuilt(recta ${RECTA_LIBRARY})
if(RECTA_SANITIZED_LIBRARY)
  recta_add_prebuilt(recta_sanitized ${RECTA_SANITIZED_LIBRARY})
endif()
