# A folder under src/FOLDER is a leaf of its kind (a loss, a kernel, a family, ...): generated headers list them all, in
# order of their names, so that a new one is added without an edit anywhere else.

# Sets `out` to the names of the leaves.
function(recta_leaves out folder)
  file(GLOB found RELATIVE ${PROJECT_SOURCE_DIR}/src/${folder} CONFIGURE_DEPENDS src/${folder}/*)
  set(leaves "")
  foreach(name IN LISTS found)
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/${folder}/${name})
      list(APPEND leaves ${name})
    endif()
  endforeach()
  set(${out} ${leaves} PARENT_SCOPE)
endfunction()

# generated/FOLDER/FILE.hpp: LIST, the types NAME::TYPE of the leaves in their headers FOLDER/NAME/NAME.hpp.
function(recta_list_types folder file namespace type list)
  recta_leaves(leaves ${folder})
  set(includes "")
  set(types "")
  foreach(name IN LISTS leaves)
    string(APPEND includes "#include \"${folder}/${name}/${name}.hpp\"\n")
    list(APPEND types "${name}::${type}")
  endforeach()
  list(JOIN types ", " types)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${folder}/${file}.hpp CONTENT
"#pragma once\n\n${includes}\nnamespace ${namespace} {\nusing ${list} = List<${types}>;\n}\n" @ONLY)
endfunction()

# generated/FILE.hpp: LIST, the functions NAME::FUNCTION of the leaves, each of which makes a RESULT.
function(recta_list_makers folder file header namespace function result list)
  recta_leaves(leaves ${folder})
  set(names "")
  set(makers "")
  foreach(name IN LISTS leaves)
    string(APPEND names "namespace ${name} {\nstd::unique_ptr<${result}> ${function}();\n}\n")
    list(APPEND makers "${name}::${function}")
  endforeach()
  list(JOIN makers ", " makers)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${file}.hpp CONTENT
"#pragma once\n\n#include \"${header}\"\n\nnamespace ${namespace} {\n${names}\ninline constexpr std::unique_ptr<${result}> (*${list}[])() = {${makers}};\n}\n" @ONLY)
endfunction()

recta_list_types(loss all_losses recta::loss Loss AllLosses)
recta_list_types(kernel all_kernels recta::kernel Leaf AllKernels)
recta_list_types(metric all_metrics recta::neighbours Leaf AllMetrics)
recta_list_types(penalty all_penalties recta::penalty Leaf AllPenalties)
recta_list_makers(family family/all_families family/family.hpp recta::family make Family kAll)
recta_list_makers(feature/map feature/all_maps feature/map/leaf.hpp recta::feature make_leaf "const Leaf" kAllMaps)
