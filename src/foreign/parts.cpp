#include "foreign/parts.hpp"

#include "base/numbers.hpp"

namespace recta::foreign {
namespace {

std::vector<TheirPart> pairs_of(const ForeignModel& model) {
  std::vector<TheirPart> out;
  if (model.labels.empty()) {
    TheirPart part{.positive = 0, .negative = 0};
    for (Index k = 0; k < model.vectors(); ++k) part.support.push_back(k);
    part.beta = model.coefficients, part.b = -model.rho[0];
    return {std::move(part)};
  }
  std::vector<Index> first{0}; // vector of every class
  for (const Index count : model.vectors_of) first.push_back(first.back() + count);
  const Index columns = model.classes - 1;
  for (Index i = 0; i < model.classes; ++i)
    for (Index j = i + 1; j < model.classes; ++j) {
      TheirPart part{.positive = i, .negative = j};
      const auto take = [&](Index vector_class, Index column) {
        for (Index k = first[at(vector_class)]; k < first[at(vector_class) + 1]; ++k) {
          part.support.push_back(k);
          part.beta.push_back(model.coefficients[at(k * columns + column)]);
        }
      };
      take(i, j - 1);
      take(j, i);
      part.b = -model.rho[out.size()];
      out.push_back(std::move(part));
    }
  return out;
}

} // namespace

std::vector<TheirPart> parts_of(const ForeignModel& model) {
  if (model.program == "libsvm") return pairs_of(model);
  std::vector<TheirPart> out;
  const Index scores = model.scores(), classes = std::ssize(model.labels);
  for (Index s = 0; s < scores; ++s) {
    TheirPart part{.positive = s, .negative = classes > 2 || scores > 1 ? classes : classes - 1};
    if (classes == 0) part.negative = 0;
    for (Index j = 0; j < model.features; ++j) part.w.push_back(model.weights[at(j * scores + s)]);
    if (model.bias >= 0) part.w_bias = model.weights[at(model.features * scores + s)];
    part.b = model.bias >= 0 ? part.w_bias * model.bias : 0;
    if (!model.rho.empty()) part.b -= model.rho[0];
    out.push_back(std::move(part));
  }
  return out;
}

} // namespace recta::foreign
