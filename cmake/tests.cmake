# One test program a folder of src/, and one, test_system, for what crosses folders in tests/.
# A suite whose name begins with Slow carries the label `slow` and runs only in ./test --full.
#
# With RECTA_SANITIZED_LIBRARY, which has the folders of outside.cmake compiled with the sanitizers, the programs of these
# and those of tests/ are linked a second time to it, sanitized_NAME; the tests themselves are compiled once, without. (The
# preset asan compiles everything with, and runs all tests.)
enable_testing()
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)
set(same_examples "RC_PARAMS=seed=1") # RapidCheck would take its seed from the clock

add_custom_target(tests) # all of them, and nothing else
add_custom_target(sanitized_tests)
list(TRANSFORM outside_folders REPLACE "/.*" "" OUTPUT_VARIABLE sanitized_programs)
list(APPEND sanitized_programs system out_of_memory)
list(TRANSFORM sanitized_programs PREPEND test_)

# Tests whose own loops are long: they make large files, run a slow method millions of times to compare with, or compute
# with 80 digits.
file(GLOB_RECURSE busy_tests CONFIGURE_DEPENDS src/classes/decide_separation_test.cpp src/data/csv/whole_test.cpp
     tests/memory/*_test.cpp tests/oracle/*_test.cpp)
set_source_files_properties(${busy_tests} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)

set(test_needs GTest::gtest_main GTest::gmock rapidcheck fmt::fmt Boost::headers nlohmann_json::nlohmann_json ZLIB::ZLIB
               PkgConfig::zstd PkgConfig::openblas PkgConfig::utf8proc stemmer lapacke)

# The objects of one program.
function(recta_add_test_code name)
  add_library(${name}_code OBJECT ${ARGN})
  target_include_directories(${name}_code PRIVATE src ${PROJECT_BINARY_DIR}/generated)
  # A test's own loops are short; compiling them well takes longer than running them does. g++ is quickest at -Og.
  target_compile_options(${name}_code PRIVATE $<IF:$<CXX_COMPILER_ID:GNU>,-Og,-O0> -Wall -Wextra ${recta_werror}
                                              -ffp-contract=off ${recta_quiet})
  target_link_libraries(${name}_code PRIVATE recta ${test_needs})
  if(TARGET test_base_code AND NOT name STREQUAL test_base)
    recta_precompiled_as(${name}_code test_base_code)
  else()
    recta_precompile(${name}_code ${inner_headers} <gtest/gtest.h> <gmock/gmock.h> <filesystem> <fstream> <random> <set>
                     <thread>)
  endif()
endfunction()

# A program of them with a library.
function(recta_link_test name code library)
  add_executable(${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${code}>)
  # All of the library, before the test: of a template that both made, the linker keeps the first, and what is tested
  # (and fast) is the library's.
  target_link_options(${name} PRIVATE LINKER:--whole-archive,$<TARGET_FILE:${library}>,--no-whole-archive)
  target_link_libraries(${name} PRIVATE ${library} ${test_needs})
endfunction()

# Every test is a process of its own.
function(recta_add_test_program name)
  recta_link_test(${name} ${name}_code recta)
  set(first 0)
  if(name MATCHES "out_of_memory|system")
    set(first 100) # they have the longest tests: the others run beside these
  endif()
  gtest_discover_tests(${name} TEST_FILTER "-Slow*" DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 300 COST ${first} ENVIRONMENT "${same_examples}")
  gtest_discover_tests(${name} TEST_FILTER "Slow*" DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 1800 ENVIRONMENT "${same_examples}" LABELS slow)
endfunction()

# All tests of a program are one process, which starts slowly; its report is build/logs/NAME.xml. Left out is what repeats at
# length what other tests do once, and what measures memory, of which the sanitizer takes its own.
function(recta_add_sanitized_program name code)
  recta_link_test(${name} ${code} recta_sanitized)
  target_link_options(${name} PRIVATE -fsanitize=address,undefined)
  add_dependencies(sanitized_tests ${name})
  set(left_out "Slow*:*TheSameBytesHoweverTheTableIsCut*:OutOfMemory.InEverySolver:ReadMemory.Stays*:StreamAndRounds.*WithMany*")
  add_test(NAME ${name} COMMAND ${name} --gtest_filter=-${left_out}
                       --gtest_output=xml:${PROJECT_SOURCE_DIR}/build/logs/${name}.xml)
  set(first 0)
  if(name MATCHES "dispatch|family|data|system")
    set(first 100)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 COST ${first} ENVIRONMENT "${same_examples}")
endfunction()

function(recta_add_test name)
  recta_add_test_code(${name} ${ARGN})
  recta_add_test_program(${name})
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL OFF)
  add_dependencies(tests ${name})
  if(RECTA_SANITIZED_LIBRARY AND name IN_LIST sanitized_programs)
    recta_add_sanitized_program(sanitized_${name} ${name}_code)
  endif()
endfunction()

file(GLOB folders RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/*)
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE folder_tests CONFIGURE_DEPENDS src/${folder}/*_test.cpp)
  if(folder_tests)
    recta_add_test(test_${folder} ${folder_tests})
  endif()
endforeach()

file(GLOB_RECURSE system_tests CONFIGURE_DEPENDS tests/*_test.cpp)
list(FILTER system_tests EXCLUDE REGEX "tests/out_of_memory/")
# Has an operator new of its own, so it is a program of its own.
file(GLOB memory_tests CONFIGURE_DEPENDS tests/out_of_memory/*.cpp)
recta_add_test(test_out_of_memory ${memory_tests})
if(system_tests)
  recta_add_test(test_system ${system_tests})
endif()
