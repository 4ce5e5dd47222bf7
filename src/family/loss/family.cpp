#include "family/family.hpp"

#include "family/loss/class_path.hpp"
#include "family/loss/descent.hpp"
#include "family/loss/loss.hpp"
#include "family/loss/request.hpp"

namespace recta::family::loss {
namespace {

class RowLosses final : public Family {
public:
  using Family::fit;
  std::vector<ModelInfo> words() const override { return loss_words(); }
  int place() const override { return 3; }
  bool penalised(const Order& order) const override { return loss_is_penalised(order.params); }
  Result<Model> fit(const Order& order, Schema schema, const Rows& rows, const Clock& clock) const override {
    return fit_loss(order, std::move(schema), rows, clock);
  }
  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const override {
    return verify_loss(model, rows, clock);
  }
  Result<Trace> trace(const Order& order, const Schema& schema, const Rows& rows, Index every,
                      const Clock& clock) const override {
    return trace_loss(order, schema, rows, every, clock);
  }
  Result<Path> path(const Order& order, const Schema& schema, const Rows& rows, const PathOptions& how,
                    const Clock& clock) const override {
    return order.info->word == "logistic" ? logistic_path(order, schema, rows, how, clock)
                                          : Family::path(order, schema, rows, how, clock);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<RowLosses>();
}

} // namespace recta::family::loss
