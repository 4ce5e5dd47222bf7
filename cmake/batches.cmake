# The files of one folder are compiled together, up to eight at a time: templates and headers they share are then read
# and instantiated once. A name in an anonymous namespace is therefore given once in a folder. The builds without
# batches (debug, tsan, fuzz, coverage) find a file that leans on its neighbours' includes.
#
# CMake's own UNITY_BUILD writes absolute paths into its files, so that no other copy of the sources could use what lies in
# the compiler's cache.
option(RECTA_BATCHES "compile the files of a folder together" OFF)
if(RECTA_BATCHES) # g++ takes a file that another one includes for a header, whose types should not be anonymous
  list(APPEND recta_quiet $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

# Sets `out` to what is to be compiled for these sources. Batches name their files relative to `root`.
function(recta_batches out root) # SOURCES...
  if(NOT RECTA_BATCHES)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(compiled "")
  set(batches "")
  set(last_folder "")
  foreach(source IN LISTS ARGN)
    if(source MATCHES "_(avx2|avx512|neon|baseline|scalar)\\.cpp$") # a kernel has compiler options of its own
      list(APPEND compiled ${source})
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT folder STREQUAL last_folder)
      set(last_folder ${folder})
      set(count 0)
    endif()
    math(EXPR number "${count} / 8")
    math(EXPR count "${count} + 1")
    file(RELATIVE_PATH folder_name ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder_name}_${number}" batch)
    list(APPEND batches ${batch})
    set(folder_of_${batch} ${folder_name})
    file(RELATIVE_PATH name ${root} ${source})
    string(APPEND text_of_${batch} "#include \"${name}\"\n")
  endforeach()
  list(REMOVE_DUPLICATES batches)
  foreach(batch IN LISTS batches)
    set(file ${PROJECT_BINARY_DIR}/batches/${batch}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text_of_${batch}}" @ONLY)
    set_source_files_properties(${file} PROPERTIES RECTA_FOLDER ${folder_of_${batch}})
    list(APPEND compiled ${file})
  endforeach()
  set(${out} ${compiled} PARENT_SCOPE)
endfunction()
