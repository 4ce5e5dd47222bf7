#include "family/family.hpp"

#include "family/loss/class_path.hpp"
#include "family/loss/descent.hpp"
#include "family/loss/loss.hpp"
#include "family/loss/request.hpp"
#include "model_file/rules.hpp"
#include "summary/descent.hpp"

namespace recta::family::loss {
namespace {

class RowLosses final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return loss_words(); }
  int place() const override { return 3; }
  bool one_target() const override { return true; }
  bool penalised(const Request& request) const override { return loss_is_penalised(request.params); }
  const Procedure& procedure() const override { return loss_procedure(); }
  std::vector<FieldRule> rules() const override { return descent_rules(); }
  Result<Trace> trace(const Request& request, const Schema& schema, const Rows& rows, Index every,
                      const Clock& clock) const override {
    return trace_loss(request, schema, rows, every, clock);
  }
  Result<Path> path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                    const Clock& clock) const override {
    return recta::loss::loss_model(request.info->word)->log_odds ? logistic_path(request, schema, rows, how, clock)
                                                                 : Family::path(request, schema, rows, how, clock);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<RowLosses>();
}

} // namespace recta::family::loss
