#include "family/family.hpp"

#include "family/threshold_unit/threshold_unit.hpp"
#include "model_file/rules.hpp"
#include "summary/descent.hpp"

namespace recta::family::threshold_unit {
namespace {

class ThresholdUnits final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return threshold_units(); }
  int place() const override { return 5; }
  bool penalised(const Request&) const override { return false; }
  bool gathers_products() const override { return false; }
  const Procedure& procedure() const override { return threshold_unit_procedure(); }
  std::vector<FieldRule> rules() const override { return descent_rules(); }
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
