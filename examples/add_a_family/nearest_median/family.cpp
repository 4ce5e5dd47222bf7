#include "family/family.hpp"

#include "base/numbers.hpp"
#include "family/figures.hpp"
#include "family/nearest_median/nearest_median.hpp"
#include "family/params.hpp"
#include "family/plain_fit.hpp"
#include "feature/schema.hpp"

namespace recta::family::nearest_median {
namespace {

ModelInfo word() {
  ModelInfo info{"nearest-median",
                 "classes by the nearest of their medians, column by column",
                 "F(m) = 1/W sum_i s_i sum_j |x_ij - m_(y_i)j|",
                 {}};
  info.classes = info.rereads = true;
  return info;
}

LinearSummary summary_of(const Schema& schema, const Medians& medians, const Count& count, const ColumnSums& sums,
                         const FitOptions& options) {
  LinearSummary out;
  out.solver = "sorting";
  out.reason = "a median has a closed form";
  out.rows = count.rows;
  out.weight_sum = count.weight;
  out.rank = sums.cols;
  out.degrees_of_freedom = out.condition = kNaN;
  out.weights_are = options.weights_are;
  out.confidence = options.confidence;
  add_columns(sums, out);
  const auto names = feature::feature_names(schema);
  for (std::size_t k = 0; k < medians.of_class.size(); ++k)
    out.targets.push_back(
        plain_fit(schema.classes.labels[k], names, medians.of_class[k], medians.score_constant(k), out));
  return out;
}

class NearestMedian final : public Family {
public:
  using Family::fit;
  std::vector<ModelInfo> words() const override { return {word()}; }
  bool penalised(const Request&) const override { return true; } // every level of a category has a column
  bool gathers_products() const override { return false; }

  Result<void> check(const Request& request) const override {
    if (request.options->intercept && !request.options->standardise) return {};
    return refuse(request.info->word, "its distances are between rows as they are",
                  "leave out no-intercept and standardise, or scale the columns first");
  }

  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const override {
    if (rows.sparse) return refuse(rows.name, "medians of sparse columns are mostly zero", "give dense rows");
    Pool pool(request.options->threads);
    const auto seen = first_pass_with_sums(rows, schema, pool, clock.watch());
    if (!seen) return std::unexpected(seen.error());
    if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
    const auto medians = find(schema, rows);
    if (!medians) return std::unexpected(medians.error());
    const auto count = prove(*medians, schema, rows, request.options->tolerance);
    if (!count) return std::unexpected(count.error());
    Model model;
    model.word = request.info->word;
    model.params = copied(request.params);
    model.objective = request.info->objective;
    model.fingerprint = seen->fingerprint.fingerprint();
    model.certificate = count->certificate;
    model.linear() = summary_of(schema, *medians, *count, *seen->sums, *request.options);
    model.schema = std::move(schema);
    return model;
  }

  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const override {
    Pool pool;
    if (const auto known = recognise(model, rows, {}, pool, clock); !known) return std::unexpected(known.error());
    if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
    const auto seen = first_pass_with_sums(rows, model.schema, pool, clock.watch());
    if (!seen) return std::unexpected(seen.error());
    Medians medians;
    for (const TargetFit& target : model.linear().targets) {
      auto& of_class = medians.of_class.emplace_back();
      for (const Coefficient& coefficient : target.coefficients) of_class.push_back(coefficient.value);
    }
    auto count = prove(medians, model.schema, rows, model.certificate.tolerance);
    if (!count) return std::unexpected(count.error());
    Certificate certificate = count->certificate;
    const LinearSummary again = summary_of(model.schema, medians, *count, *seen->sums, options_of(model));
    compare_figures(model, again, certificate);
    return certificate;
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<NearestMedian>();
}

} // namespace recta::family::nearest_median
