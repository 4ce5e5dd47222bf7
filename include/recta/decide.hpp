// Decisions when errors have different costs: the class of the least expected cost.
#pragma once

#include <recta/model.hpp>

#include <utility>

namespace recta {

// The cost of taking class k when the true one is t: each[t * classes + k], in the order of Classes::labels.
struct Costs {
  std::vector<double> each;
};

// Costs from a table with one row per true class, its label in the first column, and one column per class that is
// taken, named by its label.
Result<Costs> costs_of(const Model& model, const Dataset& table);
// The cost of missing a class, whichever is taken in its place; 1 for classes that are not named.
Result<Costs> costs_of_missing(const Model& model, const std::vector<std::pair<std::string, double>>& missed);

// The place among the classes that is taken for each row. Costs belong to the rows as they come, and are weighed by
// probabilities that are corrected for the factors of the classes. If costs are equal it takes the positive class of
// two, or the first of more than two. With cost 1 for every error this is the prediction, if classes have no factors.
Result<Values> decide(const Model& model, const Dataset& data, const Costs& costs, int threads = 0);
Result<Values> decide(const Model& model, const MatrixView& x, const Costs& costs, int threads = 0);
Result<Values> decide(const Model& model, const SparseView& x, const Costs& costs, int threads = 0);

// The same by the rule that the model keeps: Model::decision. Scores that are not above or below one another fall on
// the same side of a threshold.
Result<Values> decide(const Model& model, const Dataset& data, int threads = 0);
Result<Values> decide(const Model& model, const MatrixView& x, int threads = 0);
Result<Values> decide(const Model& model, const SparseView& x, int threads = 0);

// The rule for an aim, from rows that the model has not seen; those that it was trained on are refused. Two classes:
//   precision>=P, specificity>=P   the largest recall with at least this precision or specificity
//   recall>=P                      the largest precision with at least this recall
//   f1 (f2, f0.5, ...), accuracy, balanced_accuracy, kappa, matthews   the largest
Result<Decision> choose_decision(const Model& model, const Dataset& data, const std::string& aim, int threads = 0);
// For costs of errors: of two classes the threshold of the least cost on these rows, which need no probabilities; of
// more the class of the least expected cost by the probabilities.
Result<Decision> choose_decision(const Model& model, const Dataset& data, const Costs& costs, int threads = 0);
// Two classes from scores alone: `scores` of the positive class, whose rows are `positive`.
Result<Decision> choose_threshold(std::span<const double> scores, std::span<const std::int32_t> positive,
                                  std::span<const double> weights, const std::string& aim);

} // namespace recta
