#include "model/contributions.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

constexpr std::size_t kShown = 50;

double largest_term(const Contribution& contribution) {
  double most = 0;
  for (const double term : contribution.terms) most = std::max(most, std::abs(term));
  return most;
}

void add_terms(std::vector<double>& to, const std::vector<double>& terms) {
  to.resize(terms.size());
  for (std::size_t k = 0; k < terms.size(); ++k) to[k] += terms[k];
}

void compare_classes(std::vector<double>& terms, const Classes& classes) {
  if (classes.count() == 2) {
    const auto positive = static_cast<std::size_t>(classes.positive);
    terms = {terms[positive] - terms[1 - positive]};
    return;
  }
  const double mean = std::accumulate(terms.begin(), terms.end(), 0.0) / static_cast<double>(terms.size());
  if (std::isfinite(mean))
    for (double& term : terms) term -= mean;
}

} // namespace

Report contributions_report(Contribution first, std::vector<Contribution> features, std::vector<std::string> scores) {
  std::vector<std::pair<double, std::size_t>> order; // by size, then as they come
  for (std::size_t j = 0; j < features.size(); ++j) order.emplace_back(-largest_term(features[j]), j);
  std::ranges::sort(order);
  Report out;
  Report::Table table{"contributions", "What each feature adds", {"feature", "value"}, {}};
  table.columns.insert(table.columns.end(), scores.begin(), scores.end());
  const auto add = [&](const Contribution& contribution) {
    table.rows.push_back({contribution.feature, contribution.value});
    for (const double term : contribution.terms) table.rows.back().emplace_back(term);
  };
  add(first);
  std::vector<double> sum = first.terms, others(first.terms.size());
  for (std::size_t j = 0; j < features.size(); ++j) {
    const Contribution& contribution = features[order[j].second];
    if (j < kShown) add(contribution);
    add_terms(j < kShown ? sum : others, contribution.terms);
  }
  if (features.size() > kShown) add({fmt::format("({} others)", features.size() - kShown), std::string(), others});
  add_terms(sum, others);
  add({"(sum)", std::string(), sum});
  out.tables.push_back(std::move(table));
  return out;
}

Report class_contributions_report(Contribution first, std::vector<Contribution> features, const Classes& classes) {
  compare_classes(first.terms, classes);
  for (Contribution& contribution : features) compare_classes(contribution.terms, classes);
  const bool two = classes.count() == 2;
  Report out = contributions_report(
      std::move(first), std::move(features),
      two ? std::vector{"log-odds of " + classes.labels[static_cast<std::size_t>(classes.positive)]} : classes.labels);
  if (!two) out.remarks.emplace_back("Every number is less the mean over the classes: only differences count.");
  return out;
}

} // namespace recta
