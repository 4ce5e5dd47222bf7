#include "family/family.hpp"

#include "family/threshold_unit/threshold_unit.hpp"

namespace recta::family::threshold_unit {
namespace {

class ThresholdUnits final : public Family {
public:
  using Family::fit;
  std::vector<ModelInfo> words() const override { return threshold_units(); }
  int place() const override { return 5; }
  bool penalised(const Request&) const override { return false; }
  bool gathers_products() const override { return false; }
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const override {
    return fit_threshold_unit(request, std::move(schema), rows, clock);
  }
  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const override {
    return verify_threshold_unit(model, rows, clock);
  }
  Result<Trace> trace(const Request& request, const Schema& schema, const Rows& rows, Index every,
                      const Clock& clock) const override {
    auto one = curve_of(request, schema, rows, every, clock);
    if (!one) return std::unexpected(one.error());
    return std::move(one->trace);
  }
  Result<TrainingCurve> curve(const Request& request, const Schema& schema, const Rows& rows, Index every,
                              const Clock& clock) const override {
    return curve_of(request, schema, rows, every, clock);
  }
  Result<std::vector<TrainingCurve>> curves(const Request& request, const Schema& schema, const Rows& rows, Index every,
                                            const Clock& clock) const override {
    return curves_of(request, schema, rows, every, clock);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<ThresholdUnits>();
}

} // namespace recta::family::threshold_unit
