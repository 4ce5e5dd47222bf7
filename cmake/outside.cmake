# What takes bytes from outside: files, tables and texts that users bring, models that others made, messages of other
# machines; and what is quick to compile. With RECTA_REST, a build folder with batches, only these folders of src/ are
# compiled; the library takes the objects of all others from there. The preset `sanitized` makes a library in this way in
# less than half the time of a whole sanitized one, which ./test --full makes.
set(RECTA_REST "" CACHE PATH "a build whose objects serve for folders that take nothing from outside")
set(outside_folders base combine data design dispatch feature foreign kernel loss metric model model_file penalty rounds rows
                    select stats text family/naive_bayes family/neighbours)

# Sets `out` to those of the given files and batches that lie in these folders, and to the objects of all others.
function(recta_outside out) # SOURCES...
  list(JOIN outside_folders "|" outside)
  set(parts "")
  foreach(source IN LISTS ARGN)
    get_source_file_property(folder ${source} RECTA_FOLDER) # of a batch
    if(NOT folder)
      get_filename_component(folder ${source} DIRECTORY)
      file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    endif()
    if(folder MATCHES "^src/(${outside})(/|$)")
      list(APPEND parts ${source})
    else()
      string(REPLACE ${PROJECT_BINARY_DIR}/ "" name ${source})
      string(REPLACE ${PROJECT_SOURCE_DIR}/ "" name ${name})
      list(APPEND parts ${RECTA_REST}/CMakeFiles/recta.dir/${name}.o)
    endif()
  endforeach()
  set(${out} ${parts} PARENT_SCOPE)
endfunction()
