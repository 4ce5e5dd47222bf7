#include "base/double_double.hpp"
#include "base/numbers.hpp"
#include "data/checked_table.hpp"
#include "feature/classes.hpp"

#include <recta/documents.hpp>

#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace recta {
namespace {

Result<void> check(const Model& model, const Costs& costs) {
  const std::size_t k = model.schema.classes.labels.size();
  if (costs.each.size() != k * k)
    return fail(ErrorCode::usage, "costs", fmt::format("there are {} of them, and {} classes", costs.each.size(), k),
                fmt::format("give {0} x {0}: a row per true class, a column per class that is taken", k));
  for (std::size_t i = 0; i < costs.each.size(); ++i)
    if (!std::isfinite(costs.each[i]))
      return fail(ErrorCode::usage, "costs",
                  fmt::format("taking \"{}\" for \"{}\" costs {}", model.schema.classes.labels[i % k],
                              model.schema.classes.labels[i / k], costs.each[i]),
                  "a cost is a number; a gain is one below 0");
  return {};
}

// Sums are exact enough that equal costs stay equal: with cost 1 for every error they order classes as probabilities
// do.
Index cheapest(const double* p, Index classes, const std::vector<double>& costs, Index positive) {
  Index best = classes == 2 ? positive : 0;
  DoubleDouble least = 0.0;
  for (Index step = 0; step < classes; ++step) {
    const Index k = classes == 2 ? (step == 0 ? positive : 1 - positive) : step;
    DoubleDouble cost = 0.0;
    for (Index t = 0; t < classes; ++t) cost += two_prod(p[t], costs[at(t * classes + k)]);
    const DoubleDouble less = least - cost;
    if (step == 0 || less.hi > 0) least = cost, best = k;
  }
  return best;
}

// Gives an answer of the model for all rows.
using Predict = std::function<Result<Values>(Answer)>;

template <class Data>
Predict predicting(const Model& model, const Data& data, int threads) {
  return [&model, &data, threads](Answer answer) { return model.predict(data, threads, answer); };
}
Predict predicting(const Model& model, const Dataset& data, UnknownTerms& unknown, int threads) {
  return [&model, &data, &unknown, threads](Answer answer) { return predict(model, data, unknown, threads, answer); };
}

Result<Values> decided(const Model& model, const Costs& costs, const Predict& predicted) {
  if (auto good = check(model, costs); !good) return std::unexpected(good.error());
  const auto p = predicted(Answer::corrected);
  if (!p) return std::unexpected(p.error());
  const Index classes = model.schema.classes.count();
  Values out(p->size() / at(classes));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double* row = p->data() + i * at(classes);
    out[i] = std::isnan(row[0])
                 ? row[0]
                 : static_cast<double>(cheapest(row, classes, costs.each, model.schema.classes.positive));
  }
  return out;
}

// By the rule that the model keeps.
Result<Values> decided_as_kept(const Model& model, const Predict& predicted) {
  const Decision& rule = model.decision;
  if (rule.aim.empty())
    return fail(ErrorCode::usage, model.word, "it keeps no rule for decisions",
                "choose one on rows that the fit has not seen (recta threshold), or give costs");
  const Index classes = model.schema.classes.count(), positive = model.schema.classes.positive;
  if (classes > 2) return decided(model, Costs{rule.costs}, predicted);
  auto scores = predicted(Answer::decision);
  if (!scores) return scores;
  const auto width = at(model.columns(Answer::decision));
  Values out(scores->size() / width);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double* const z = scores->data() + i * width;
    const double score = width == 1 ? z[0] : z[positive] - z[1 - positive];
    out[i] = std::isnan(score) ? score : static_cast<double>(score >= rule.threshold ? positive : 1 - positive);
  }
  return out;
}

Result<void> check_no_sets(const Model& model) {
  if (!model.has_label_set()) return {};
  return fail(ErrorCode::usage, "costs", "they are of classes, and rows have several labels",
              "move the border of a label with --label-threshold");
}

Result<Costs> costs_of_table(const Model& model, const Dataset& table) {
  if (auto good = check_no_sets(model); !good) return std::unexpected(good.error());
  const Classes& classes = model.schema.classes;
  const Index k = classes.count();
  const std::string cure = "one row per true class, its label first; one column per class, named by its label";
  if (table.columns.size() != at(k) + 1 || table.rows != k)
    return fail(
        ErrorCode::bad_data, table.source,
        fmt::format("it has {} rows and {} columns, and there are {} classes", table.rows, table.columns.size(), k),
        cure);
  const feature::ClassFinder finder(classes);
  const Column& labels = table.columns[0];
  const auto levels = finder.places(labels.type == ColumnType::category ? labels.levels : std::vector<std::string>{});
  Costs costs{std::vector<double>(at(k * k), std::nan(""))};
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    const Index predicted = finder.place(column.name);
    if (predicted < 0)
      return std::unexpected(feature::unknown_label(classes, fmt::format("{}, header", table.source), column.name));
    for (Index row = 0; row < k; ++row) {
      const std::string where = fmt::format("{}, row {}, column {}", table.source, row + 1, column.name);
      const Index t = finder.place(labels, levels, row);
      if (t < 0) return std::unexpected(feature::unknown_label(classes, where, feature::label_text(labels, row)));
      if (!column.numeric() || std::isnan(column.values[at(row)]))
        return fail(ErrorCode::bad_data, where, "the cost is not a number", "write 0 where nothing is lost");
      costs.each[at(t * k + predicted)] = column.values[at(row)];
    }
  }
  for (std::size_t i = 0; i < costs.each.size(); ++i)
    if (std::isnan(costs.each[i]))
      return fail(ErrorCode::bad_data, table.source,
                  fmt::format("a class stands there twice: what \"{}\" costs for \"{}\" is missing",
                              classes.labels[i % at(k)], classes.labels[i / at(k)]),
                  cure);
  return costs;
}

} // namespace

Result<Costs> costs_of(const Model& model, const Dataset& table) {
  return guarded(table, cure::kFree, [&] { return costs_of_table(model, table); });
}

Result<Costs> costs_of_missing(const Model& model, const std::vector<std::pair<std::string, double>>& missed) {
  if (auto good = check_no_sets(model); !good) return std::unexpected(good.error());
  const Classes& classes = model.schema.classes;
  const Index k = classes.count();
  Costs costs{std::vector<double>(at(k * k), 1.0)};
  for (Index t = 0; t < k; ++t) costs.each[at(t * k + t)] = 0;
  for (const auto& [label, cost] : missed) {
    const auto t = feature::named_class(classes, label, "costs");
    if (!t) return std::unexpected(t.error());
    if (!(cost >= 0) || std::isinf(cost))
      return fail(ErrorCode::usage, fmt::format("costs, class {}", label),
                  fmt::format("{} is not what a mistake can cost", cost), "give a number from zero up");
    for (Index predicted = 0; predicted < k; ++predicted)
      costs.each[at(*t * k + predicted)] = predicted == *t ? 0 : cost;
  }
  return costs;
}

Result<Values> decide(const Model& model, const Dataset& data, const Costs& costs, int threads) {
  return decided(model, costs, predicting(model, data, threads));
}
Result<Values> decide(const Model& model, const Dataset& data, const Costs& costs, UnknownTerms& unknown, int threads) {
  return decided(model, costs, predicting(model, data, unknown, threads));
}
Result<Values> decide(const Model& model, const MatrixView& x, const Costs& costs, int threads) {
  return decided(model, costs, predicting(model, x, threads));
}
Result<Values> decide(const Model& model, const SparseView& x, const Costs& costs, int threads) {
  return decided(model, costs, predicting(model, x, threads));
}

Result<Values> decide(const Model& model, const Dataset& data, int threads) {
  return decided_as_kept(model, predicting(model, data, threads));
}
Result<Values> decide(const Model& model, const Dataset& data, UnknownTerms& unknown, int threads) {
  return decided_as_kept(model, predicting(model, data, unknown, threads));
}
Result<Values> decide(const Model& model, const MatrixView& x, int threads) {
  return decided_as_kept(model, predicting(model, x, threads));
}
Result<Values> decide(const Model& model, const SparseView& x, int threads) {
  return decided_as_kept(model, predicting(model, x, threads));
}

} // namespace recta
