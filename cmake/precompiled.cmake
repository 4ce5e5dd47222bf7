# The headers that nearly every file reads, read once: for the tests, whose files are compiled one by one. A file that
# forgets an include is found by the builds that do without: debug, tsan, fuzz and coverage.
option(RECTA_PRECOMPILE "read common headers once for all files" OFF)
set(common_headers
    <algorithm> <array> <bit> <cmath> <cstdint> <expected> <functional> <limits> <map> <memory> <numeric> <optional>
    <span> <string> <string_view> <variant> <vector> <fmt/format.h> <recta/recta.hpp>)

function(recta_precompile target) # HEADERS...
  if(RECTA_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${common_headers} ${ARGN})
    recta_cacheable(${target})
  endif()
endfunction()

function(recta_precompiled_as target other) # of the same options
  if(RECTA_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${other})
    recta_cacheable(${target})
  endif()
endfunction()

# What ccache needs to see through a precompiled header; see also scripts/build.
function(recta_cacheable target)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                                           $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()
