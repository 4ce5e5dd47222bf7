// What each column adds to the scores of naive Bayes, and its scores as weights.
#include "base/numbers.hpp"
#include "family/naive_bayes/body.hpp"
#include "feature/schema.hpp"
#include "model/contributions.hpp"
#include "stats/dense_copy.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::naive_bayes {
namespace {

// The levels of a category are columns of their own; the one that a row has counts for all of them.
bool is_of_other_level(const Factor& factor, double x) {
  return factor.kind == Likelihood::categorical && factor.levels.empty() && x == 0;
}

bool is_bag(const Factor& factor) {
  return factor.kind == Likelihood::multinomial || factor.kind == Likelihood::complement;
}

} // namespace

Result<Report> NaiveBayesBody::explain(const Batch& row, const Schema& schema) const {
  if (auto good = check(row); !good) return std::unexpected(good.error());
  DenseCopy copy;
  copy.take(row);
  const Layout& layout = learned_->layout;
  const std::vector<std::string> names = feature::feature_names(schema);
  std::vector<Contribution> features;
  for (const Factor& factor : layout.factors)
    for (Index j = 0; j < factor.count; ++j) {
      const double x = copy.x[at(factor.first + j)];
      if (is_of_other_level(factor, x) || (is_bag(factor) && x == 0)) continue;
      Contribution one{names[at(factor.first + j)], x, std::vector<double>(at(layout.classes))};
      if (std::isnan(x)) one.value = std::string("missing");
      scorer_->add_column(factor, j, x, one.terms.data());
      features.push_back(std::move(one));
    }
  Report out = class_contributions_report({"(prior)", std::string(), scorer_->estimates().log_prior},
                                          std::move(features), schema.classes);
  out.remarks.push_back({"naive-bayes.contributions"});
  return out;
}

// Linear in x: counts with their logarithms as weights, and 0/1 columns, for which log P(1 | k) - log P(0 | k) is the
// weight and log P(0 | k) a part of the intercept.
Result<LinearForm> NaiveBayesBody::linear_form() const {
  const Layout& layout = learned_->layout;
  const Estimates& estimates = scorer_->estimates();
  LinearForm out{std::vector<double>(at(layout.classes * layout.columns)), estimates.log_prior};
  const auto table = [&](Index cell, Index k) { return estimates.table[at(cell * layout.classes + k)]; };
  for (const Factor& factor : layout.factors) {
    if (factor.kind == Likelihood::gaussian || !factor.levels.empty())
      return fail(ErrorCode::usage, "naive-bayes",
                  fmt::format("column {} is {}, whose score is not linear in it", name(factor.first),
                              naive_bayes::name(factor.kind)),
                  "fit with bernoulli or multinomial columns, or lda");
    if (factor.kind == Likelihood::bernoulli && layout.threshold != 0)
      return fail(
          ErrorCode::usage, "naive-bayes",
          fmt::format("bernoulli columns count as 1 above {}, and only 0/1 columns are linear", layout.threshold),
          "fit 0/1 columns with threshold 0");
    for (Index k = 0; k < layout.classes; ++k)
      for (Index j = 0; j < factor.count; ++j) {
        double& w = out.w[at(k * layout.columns + factor.first + j)];
        w = table(factor.cell + j, k);
        if (factor.kind != Likelihood::bernoulli) continue;
        out.b[at(k)] += w;
        w = table(factor.cell + factor.count + j, k) - w;
      }
  }
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(out.w, finite) || !std::ranges::all_of(out.b, finite))
    return fail(ErrorCode::usage, "naive-bayes", "some probabilities are zero, and their logarithms no weights",
                "fit with alpha above 0");
  return out;
}

} // namespace recta::naive_bayes
