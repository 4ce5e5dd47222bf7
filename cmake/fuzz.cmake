# One libFuzzer program, fuzz_NAME, for each src/**/NAME_fuzz.cpp. The library itself is built with
# -fsanitize=fuzzer-no-link by the preset, so that the fuzzer sees its branches.
file(GLOB_RECURSE fuzz_sources CONFIGURE_DEPENDS src/*_fuzz.cpp)
foreach(source IN LISTS fuzz_sources)
  get_filename_component(stem ${source} NAME_WE)
  string(REGEX REPLACE "_fuzz$" "" stem ${stem})
  add_executable(fuzz_${stem} ${source})
  set_target_properties(fuzz_${stem} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
  target_include_directories(fuzz_${stem} PRIVATE src)
  target_link_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_${stem} PRIVATE recta fmt::fmt Boost::headers nlohmann_json::nlohmann_json)
endforeach()
