#include "certificate/softmax/no_maximum.hpp"

#include "certificate/verdict.hpp"
#include "feature/schema.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

std::string list_text(const std::vector<std::string>& all) {
  constexpr std::size_t kShown = 10;
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kShown));
  return fmt::format("{}{}", fmt::join(all.begin(), end, ", "),
                     all.size() > kShown ? fmt::format(" and {} more", all.size() - kShown) : "");
}

// Columns whose weights of two classes part.
std::string used_columns_text(const std::vector<double>& direction, const Schema& schema) {
  const std::vector<std::string> names = feature::feature_names(schema);
  const Index p = std::ssize(names), classes = schema.classes.count();
  std::vector<std::string> parted;
  for (Index j = 0; j <= p; ++j) {
    bool same = true;
    for (Index k = 0; k < classes; ++k)
      same &= direction[static_cast<std::size_t>(j < p ? k * p + j : classes * p + k)] ==
              direction[static_cast<std::size_t>(j < p ? j : classes * p)];
    if (!same) parted.push_back(j < p ? names[static_cast<std::size_t>(j)] : "the intercept");
  }
  return list_text(parted);
}

// Pairs of classes with no row of either on the plane between them.
std::string pairs_text(const Separability& answer, const ClassRows& rows, const Schema& schema) {
  const Index classes = schema.classes.count();
  std::vector<bool> touched(static_cast<std::size_t>(classes * classes));
  for (const Index row : answer.on_hyperplane) {
    const auto [i, other] = rows.of[static_cast<std::size_t>(row - 1)];
    const Index place = rows.place[static_cast<std::size_t>(i)];
    touched[static_cast<std::size_t>(std::min(place, other) * classes + std::max(place, other))] = true;
  }
  std::vector<std::string> apart;
  const std::vector<std::string>& labels = schema.classes.labels;
  for (Index a = 0; a < classes; ++a)
    for (Index b = a + 1; b < classes; ++b)
      if (!touched[static_cast<std::size_t>(a * classes + b)])
        apart.push_back(fmt::format("\"{}\" from \"{}\"", labels[static_cast<std::size_t>(a)],
                                    labels[static_cast<std::size_t>(b)]));
  return list_text(apart);
}

} // namespace

void claim_no_maximum(const Separability& answer, const ClassRows& rows, std::vector<double> direction,
                      const Schema& schema, Certificate& certificate) {
  certificate.verdict = verdict_of({.distance = 0, .is_bound = !answer.rounded});
  certificate.slack = 0;
  const auto count = static_cast<Index>(std::ranges::count_if(rows.place, [](Index k) { return k >= 0; }));
  if (answer.verdict == Separation::separable) {
    certificate.conditions.push_back(fmt::format(
        "planes separate every two classes completely: all {} rows lie beyond them, on their sides", count));
  } else {
    const std::string pairs = pairs_text(answer, rows, schema);
    certificate.conditions.push_back(fmt::format("planes separate the classes but for rows that lie on them{}{}",
                                                 pairs.empty() ? "" : ", and completely ", pairs));
  }
  certificate.conditions.push_back("infinite are coefficients of " + used_columns_text(direction, schema));
  certificate.conditions.emplace_back("those given are where the fit stopped; lambda above 0 has an answer");
  certificate.claim = NoFiniteMaximum{std::move(direction)};
}

} // namespace recta
