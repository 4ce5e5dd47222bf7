#include "model/contributions.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "stats/rows.hpp"

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

void add_terms(std::vector<CompensatedSum>& to, const std::vector<double>& terms) {
  for (std::size_t k = 0; k < terms.size(); ++k) to[k].add(terms[k]);
}

std::vector<double> values_of(const std::vector<CompensatedSum>& sums) {
  std::vector<double> out;
  for (const CompensatedSum& sum : sums) out.push_back(std::isfinite(sum.sum) ? sum.value() : sum.sum);
  return out;
}

// A term has two roundings, and as many sums as there are features lie between it and the score; twice, as a score may
// be the difference of two.
double rounding_of(const Contribution& first, const std::vector<Contribution>& features) {
  std::vector<double> size(first.terms.size());
  const auto add = [&](const Contribution& one) {
    for (std::size_t k = 0; k < size.size(); ++k) size[k] += std::abs(one.terms[k]);
  };
  add(first);
  for (const Contribution& one : features) add(one);
  return size.empty() ? 0 : 2 * static_cast<double>(features.size() + 8) * kUnit * std::ranges::max(size);
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

Report report_of(const Contribution& first, const std::vector<Contribution>& features, std::vector<std::string> scores,
                 double rounding) {
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
  std::vector<CompensatedSum> sum(first.terms.size()), others(first.terms.size());
  add_terms(sum, first.terms);
  for (std::size_t j = 0; j < features.size(); ++j) {
    const Contribution& contribution = features[order[j].second];
    if (j < kShown) add(contribution);
    add_terms(sum, contribution.terms);
    if (j >= kShown) add_terms(others, contribution.terms);
  }
  if (features.size() > kShown)
    add({fmt::format("({} others)", features.size() - kShown), std::string(), values_of(others)});
  add({"(sum)", std::string(), values_of(sum)});
  out.tables.push_back(std::move(table));
  if (std::isfinite(rounding)) out.figures.push_back({"rounding", "the sum is the score, up to", rounding});
  return out;
}

} // namespace

Report contributions_report(Contribution first, std::vector<Contribution> features, std::vector<std::string> scores) {
  return report_of(first, features, std::move(scores), rounding_of(first, features));
}

Report class_contributions_report(Contribution first, std::vector<Contribution> features, const Classes& classes,
                                  double rounding) {
  rounding += rounding_of(first, features);
  compare_classes(first.terms, classes);
  for (Contribution& contribution : features) compare_classes(contribution.terms, classes);
  const bool two = classes.count() == 2;
  Report out = report_of(first, features,
                         two ? std::vector{"log-odds of " + classes.labels[static_cast<std::size_t>(classes.positive)]}
                             : classes.labels,
                         rounding);
  if (!two) out.remarks.push_back({"explain.classes"});
  return out;
}

Report linear_contributions_report(const Batch& row, Contribution first, const LinearTerms& terms) {
  std::vector<Contribution> features;
  const auto add = [&](Index j, double x) {
    Contribution one{{}, x, {}};
    bool counts = false;
    for (Index k = 0; k < std::ssize(terms.scores); ++k) {
      const double w = terms.weight(k, j);
      one.terms.push_back(w * x);
      counts = counts || w != 0;
    }
    if (!counts) return;
    one.feature = terms.name(j);
    features.push_back(std::move(one));
  };
  if (const auto* dense = std::get_if<MatrixView>(&row.x)) {
    for (Index j = 0; j < dense->cols; ++j) add(j, element(*dense, 0, j));
  } else {
    const SparseRow stored = sparse_row(std::get<SparseView>(row.x), 0);
    for (Index s = 0; s < stored.count; ++s) add(stored.column(s), stored.value[s]);
  }
  return contributions_report(std::move(first), std::move(features), terms.scores);
}

} // namespace recta
