#include "family/ridge_classifier/ridge_classifier.hpp"

#include "certificate/stated/figures.hpp"
#include "classes/against_rest.hpp"
#include "family/least_squares/least_squares.hpp"
#include "model/linear/body.hpp"
#include "model/score_rows.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>

namespace recta {
namespace {

// The rows and columns of the classifier, with targets that are numbers.
class Squares {
public:
  Squares(const Schema& schema, const Rows& rows) : schema_(schema), rows_(rows) {
    schema_.classes = {};
    const Index classes = schema.classes.count();
    if (classes == 2) return;
    std::vector<Index> places(static_cast<std::size_t>(classes));
    std::iota(places.begin(), places.end(), Index{0});
    each_.emplace(rows.source, std::move(places));
    schema_.targets = schema.classes.labels;
  }
  const Schema& schema() const { return schema_; }
  Rows rows() {
    if (!each_) return rows_;
    Rows out{*each_, rows_.name, rows_.sparse, rows_.single_pass, rows_.low};
    return out;
  }

private:
  Schema schema_;
  Rows rows_;
  std::optional<AgainstRest> each_;
};

// Tests and likelihoods of least squares are of normal errors, which labels do not have.
void without_inference(LinearSummary& linear) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto bare = [&](Coefficient& c) { c.standard_error = c.t = c.p_value = c.lower = c.upper = none; };
  for (TargetFit& target : linear.targets) {
    bare(target.intercept);
    std::ranges::for_each(target.coefficients, bare);
    target.sigma = target.log_likelihood = target.f = target.f_p_value = none;
  }
}

// The weight of the rows whose class has the largest score, by the rule of prediction. Blocks are summed in order.
Result<double> right_weight(const Model& model, const Rows& rows, Pool& pool) {
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  const Index width = std::ssize(model.linear()->targets);
  std::mutex mutex;
  std::map<Index, double> right; // by a block's first row
  Written written{.out = nullptr, .columns = 0};
  written.finish = [&](const Batch& batch, double* scores, double*) {
    double sum = 0;
    for (Index i = 0; i < batch.rows(); ++i) {
      const double weight = batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(i)];
      const double label = element(batch.target, i, 0);
      const double* const z = scores + i * width;
      const double said = width == 1 ? (z[0] >= 0 ? 1 : -1) : static_cast<double>(std::max_element(z, z + width) - z);
      if (weight > 0 && said == label) sum += weight;
    }
    const std::lock_guard lock(mutex);
    right[batch.first_row] = sum;
  };
  if (auto done = score_rows(*model.body, ScoresOf::classes, rows.source, pool, written); !done)
    return std::unexpected(done.error());
  double sum = 0;
  for (const auto& [first, of_block] : right) sum += of_block;
  return sum;
}

// Ridge of the classes' numbers, with the share of the rows that it gets right.
class RidgeClassifier final : public Procedure {
public:
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const override {
    if (rows.single_pass)
      return fail(ErrorCode::usage, rows.name,
                  "the rows are read again to count the right ones, and these can be read only once",
                  "save them to a file first");
    Squares squares(schema, rows);
    auto model = linear_procedure().fit(request, squares.schema(), squares.rows(), clock);
    if (!model) return model;
    model->schema = std::move(schema);
    Pool pool(request.options->threads);
    const auto right = right_weight(*model, rows, pool);
    if (!right) return std::unexpected(right.error());
    LinearSummary& linear = own_linear(*model);
    without_inference(linear);
    linear.classes.accuracy = *right / linear.weight_sum;
    return model;
  }

  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const override {
    Squares squares(model.schema, rows);
    Model posed = model;
    posed.schema = squares.schema();
    own_linear(posed).classes = {};
    auto certificate = linear_procedure().verify(posed, squares.rows(), clock);
    if (!certificate || rows.single_pass) return certificate;
    Pool pool;
    const auto right = right_weight(model, rows, pool);
    if (!right) return std::unexpected(right.error());
    LinearSummary again = *model.linear();
    again.classes.accuracy = *right / model.linear()->weight_sum;
    without_inference(again);
    if (certificate->verdict != Verdict::refuted) compare_figures(model, again, *certificate);
    return certificate;
  }
};

} // namespace

const Procedure& ridge_classifier_procedure() {
  static const RidgeClassifier procedure;
  return procedure;
}

} // namespace recta
