# The files of one folder are compiled together, up to eight at a time: templates and headers they share are then read
# and instantiated once. A name in an anonymous namespace is therefore given once in a folder. The builds without
# batches (debug, tsan, fuzz, coverage) find a file that leans on its neighbours' includes.
option(RECTA_BATCHES "compile the files of a folder together" OFF)

function(recta_batches target) # SOURCES...
  if(NOT RECTA_BATCHES)
    return()
  endif()
  set(folder "")
  foreach(source IN LISTS ARGN)
    if(source MATCHES "_(avx2|avx512|neon|baseline|scalar)\\.cpp$")
      continue() # a kernel has compiler options of its own
    endif()
    get_filename_component(source_folder ${source} DIRECTORY)
    if(NOT source_folder STREQUAL folder)
      set(folder ${source_folder})
      set(count 0)
    endif()
    math(EXPR batch "${count} / 8")
    math(EXPR count "${count} + 1")
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${name}_${batch}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
