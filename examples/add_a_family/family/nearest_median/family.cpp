#include "family/family.hpp"

#include "base/numbers.hpp"
#include "certificate/nearest_median/certify.hpp"
#include "family/nearest_median/nearest_median.hpp"
#include "feature/schema.hpp"
#include "model/linear/body.hpp"
#include "params/params.hpp"
#include "summary/plain_fit.hpp"

#include <variant>

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

LinearSummary summary_of(const Work& work, const Medians& medians, const MediansChecked& checked) {
  LinearSummary out;
  out.solver = "sorting";
  out.reason = "a median has a closed form";
  out.rows = checked.rows;
  out.weight_sum = checked.weight;
  out.rank = work.seen.sums->cols;
  out.degrees_of_freedom = out.condition = kNaN;
  out.weights_are = work.options().weights_are;
  out.confidence = work.options().confidence;
  add_columns(*work.seen.sums, out);
  const auto names = feature::feature_names(work.schema());
  for (std::size_t k = 0; k < medians.of_class.size(); ++k)
    out.targets.push_back(
        plain_fit(work.schema().classes.labels[k], names, medians.of_class[k], medians.score_constant(k), out));
  return out;
}

class MedianSteps final : public Steps<std::monostate, Medians, MediansChecked> {
  Result<void> admit(Work& work) const override {
    if (!work.rows.sparse) return {};
    return refuse(work.rows.name, "medians of sparse columns are mostly zero", "give dense rows");
  }
  Result<FirstPass> read(Work& work) const override { return first_pass_with_sums(work); }
  Result<std::monostate> pose(Work&) const override { return {}; }
  Result<Medians> solve(Work& work, const std::monostate&) const override { return find(work.schema(), work.rows); }
  Result<Medians> stated(Work& work, const std::monostate&) const override {
    Medians out;
    for (const TargetFit& target : work.stated->linear()->targets) {
      auto& of_class = out.of_class.emplace_back();
      for (const Coefficient& coefficient : target.coefficients) of_class.push_back(coefficient.value);
    }
    return out;
  }
  Result<MediansChecked> prove(Work& work, const std::monostate&, const Medians& medians) const override {
    return certify({medians.of_class, work.schema().classes, work.options().tolerance}, work.rows.source);
  }
  Result<void> describe(Work& work, const std::monostate&, const Medians& medians,
                        MediansChecked& checked) const override {
    own_linear(work.model) = summary_of(work, medians, checked);
    return {};
  }
};

class NearestMedian final : public Family {
public:
  std::vector<ModelInfo> words() const override { return {word()}; }
  bool penalised(const Request&) const override { return true; } // every level of a category has a column
  bool gathers_products() const override { return false; }

  Result<void> check(const Request& request) const override {
    if (request.options->intercept && !request.options->standardise) return {};
    return refuse(request.info->word, "its distances are between rows as they are",
                  "leave out no-intercept and standardise, or scale the columns first");
  }
  const Procedure& procedure() const override {
    static const MedianSteps steps;
    return steps;
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<NearestMedian>();
}

} // namespace recta::family::nearest_median
