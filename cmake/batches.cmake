# Files are compiled together, up to twelve at a time: templates and headers they share are then read and instantiated once.
# A batch holds files of one folder, or of several small ones of one room: the folders of src/, those of solver/, and what
# outside.cmake names are rooms. A name in an anonymous namespace is therefore given once in a room; where two meet in a
# batch, the compiler says so. The builds without batches (debug, tsan, fuzz, coverage) find a file that leans on its
# neighbours' includes.
#
# CMake's own UNITY_BUILD writes absolute paths into its files, so that no other copy of the sources could use what lies in
# the compiler's cache.
option(RECTA_BATCHES "compile files of a folder together" OFF)
set(recta_batch_size 12)
if(RECTA_BATCHES) # g++ takes a file that another one includes for a header, whose types should not be anonymous
  list(APPEND recta_quiet $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

# Sets `out` to the room that a folder lies in.
function(recta_room out folder)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
  string(REGEX MATCH "^[^/]+(/solver/[^/]+|/[^/]+)?" room ${name})
  foreach(outside IN LISTS outside_folders)
    if(name MATCHES "^src/${outside}(/|$)")
      set(room src/${outside})
    endif()
  endforeach()
  set(${out} ${room} PARENT_SCOPE)
endfunction()

# Sets `out` to what is to be compiled for these sources. Batches name their files relative to `root`.
function(recta_batches out root) # SOURCES...
  if(NOT RECTA_BATCHES)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(compiled "")
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    if(source MATCHES "_(avx2|avx512|neon|baseline|scalar)\\.cpp$") # a kernel has compiler options of its own
      list(APPEND compiled ${source})
    else()
      list(APPEND folders ${folder})
      list(APPEND files_of_${folder} ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    recta_room(room ${folder})
    set(last ${last_of_${room}}) # the batch that this folder's room has begun
    list(LENGTH files_of_${folder} places) # a folder begins in a batch that can take all of it, or in one of its own
    foreach(source IN LISTS files_of_${folder})
      list(LENGTH files_of_${last} taken)
      math(EXPR full "${taken} + ${places}")
      if(NOT last OR (taken AND full GREATER recta_batch_size))
        math(EXPR number_of_${room} "0${number_of_${room}} + 1")
        string(MAKE_C_IDENTIFIER "${room}_${number_of_${room}}" last)
        list(APPEND batches ${last})
        set(room_of_${last} ${room})
      endif()
      set(places 1)
      list(APPEND files_of_${last} ${source})
    endforeach()
    set(last_of_${room} ${last})
  endforeach()
  foreach(batch IN LISTS batches)
    set(text "")
    foreach(source IN LISTS files_of_${batch})
      file(RELATIVE_PATH name ${root} ${source})
      string(APPEND text "#include \"${name}\"\n")
    endforeach()
    set(file ${PROJECT_BINARY_DIR}/batches/${batch}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    set_source_files_properties(${file} PROPERTIES RECTA_FOLDER ${room_of_${batch}})
    list(APPEND compiled ${file})
  endforeach()
  set(${out} ${compiled} PARENT_SCOPE)
endfunction()
