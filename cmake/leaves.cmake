# A folder under src/loss is a loss: generated/loss/all_losses.hpp lists them all, in order of their names, so that a
# new one is added without an edit anywhere else.
file(GLOB loss_folders RELATIVE ${PROJECT_SOURCE_DIR}/src/loss CONFIGURE_DEPENDS src/loss/*)
set(loss_includes "")
set(loss_types "")
foreach(folder IN LISTS loss_folders)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/loss/${folder})
    string(APPEND loss_includes "#include \"loss/${folder}/${folder}.hpp\"\n")
    list(APPEND loss_types "${folder}::Loss")
  endif()
endforeach()
list(JOIN loss_types ", " loss_types)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/loss/all_losses.hpp CONTENT
"#pragma once\n\n${loss_includes}\nnamespace recta::loss {\nusing AllLosses = List<${loss_types}>;\n}\n" @ONLY)

# A folder under src/family is a family of models, found in the same way: generated/family/all_families.hpp lists their
# make().
file(GLOB family_folders RELATIVE ${PROJECT_SOURCE_DIR}/src/family CONFIGURE_DEPENDS src/family/*)
set(family_names "")
set(family_makers "")
foreach(folder IN LISTS family_folders)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/family/${folder})
    string(APPEND family_names "namespace ${folder} {\nstd::unique_ptr<Family> make();\n}\n")
    list(APPEND family_makers "${folder}::make")
  endif()
endforeach()
list(JOIN family_makers ", " family_makers)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/family/all_families.hpp CONTENT
"#pragma once\n\n#include \"family/family.hpp\"\n\nnamespace recta::family {\n${family_names}\ninline constexpr std::unique_ptr<Family> (*kAll[])() = {${family_makers}};\n}\n" @ONLY)

# A folder under src/kernel is a kernel of two rows: generated/kernel/all_kernels.hpp lists them all.
file(GLOB kernel_folders RELATIVE ${PROJECT_SOURCE_DIR}/src/kernel CONFIGURE_DEPENDS src/kernel/*)
set(kernel_includes "")
set(kernel_types "")
foreach(folder IN LISTS kernel_folders)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/kernel/${folder})
    string(APPEND kernel_includes "#include \"kernel/${folder}/${folder}.hpp\"\n")
    list(APPEND kernel_types "${folder}::Leaf")
  endif()
endforeach()
list(JOIN kernel_types ", " kernel_types)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/kernel/all_kernels.hpp CONTENT
"#pragma once\n\n${kernel_includes}\nnamespace recta::kernel {\nusing AllKernels = List<${kernel_types}>;\n}\n" @ONLY)

# A folder under src/metric is a distance between rows: generated/metric/all_metrics.hpp lists them all.
file(GLOB metric_folders RELATIVE ${PROJECT_SOURCE_DIR}/src/metric CONFIGURE_DEPENDS src/metric/*)
set(metric_includes "")
set(metric_types "")
foreach(folder IN LISTS metric_folders)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/metric/${folder})
    string(APPEND metric_includes "#include \"metric/${folder}/${folder}.hpp\"\n")
    list(APPEND metric_types "${folder}::Leaf")
  endif()
endforeach()
list(JOIN metric_types ", " metric_types)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/metric/all_metrics.hpp CONTENT
"#pragma once\n\n${metric_includes}\nnamespace recta::neighbours {\nusing AllMetrics = List<${metric_types}>;\n}\n" @ONLY)

# A folder under src/penalty is a penalty on weights: generated/penalty/all_penalties.hpp lists them all.
file(GLOB penalty_folders RELATIVE ${PROJECT_SOURCE_DIR}/src/penalty CONFIGURE_DEPENDS src/penalty/*)
set(penalty_includes "")
set(penalty_types "")
foreach(folder IN LISTS penalty_folders)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/penalty/${folder})
    string(APPEND penalty_includes "#include \"penalty/${folder}/${folder}.hpp\"\n")
    list(APPEND penalty_types "${folder}::Leaf")
  endif()
endforeach()
list(JOIN penalty_types ", " penalty_types)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/penalty/all_penalties.hpp CONTENT
"#pragma once\n\n${penalty_includes}\nnamespace recta::penalty {\nusing AllPenalties = List<${penalty_types}>;\n}\n" @ONLY)
# A folder under src/feature/map is a call that makes features: generated/feature/all_maps.hpp lists their make_leaf().
file(GLOB map_folders RELATIVE ${PROJECT_SOURCE_DIR}/src/feature/map CONFIGURE_DEPENDS src/feature/map/*)
set(map_names "")
set(map_makers "")
foreach(folder IN LISTS map_folders)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/feature/map/${folder})
    string(APPEND map_names "namespace ${folder} {\nstd::unique_ptr<const Leaf> make_leaf();\n}\n")
    list(APPEND map_makers "${folder}::make_leaf")
  endif()
endforeach()
list(JOIN map_makers ", " map_makers)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/feature/all_maps.hpp CONTENT
"#pragma once\n\n#include \"feature/map/leaf.hpp\"\n\nnamespace recta::feature {\n${map_names}\ninline constexpr std::unique_ptr<const Leaf> (*kAllMaps[])() = {${map_makers}};\n}\n" @ONLY)
