// libsvm's model file: lines of a word and its numbers, then "SV" and one support vector per line,
//
//   coefficient (one per other class) number:value number:value ...
//
// (svm_save_model of libsvm 3.3). The vectors of a class stand together, in the order of the labels.
#pragma once

#include "foreign/lines.hpp"

#include <recta/foreign.hpp>

#include <array>

namespace recta::foreign {

// Its kernels, which Recta calls by the same words.
inline constexpr std::array<std::string_view, 5> kLibsvmKernels{"linear", "polynomial", "rbf", "sigmoid",
                                                                "precomputed"};
// Whether the model's kernel has this parameter: gamma, degree or coef.
bool kernel_has(const ForeignModel& model, std::string_view parameter);

Result<ForeignModel> parse_libsvm(Lines& lines);
std::string libsvm_text(const ForeignModel& model);

} // namespace recta::foreign
