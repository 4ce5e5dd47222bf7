#include "family/family.hpp"

#include "family/loss/descent.hpp"
#include "family/loss/request.hpp"
#include "family/softmax/softmax.hpp"

namespace recta::family::softmax {
namespace {

class Softmax final : public Family {
public:
  std::vector<ModelInfo> words() const override { return {softmax_word()}; }
  int place() const override { return 4; }
  bool penalised(const Request& request) const override { return loss_is_penalised(request.params); }
  bool gathers_products() const override { return false; }
  Result<void> check(const Request& request) const override {
    if (request.options->positive.empty()) return {};
    return fail(ErrorCode::usage, "positive", "softmax has one score per class, and treats all alike",
                "leave it out; logistic sets one class against the rest");
  }
  const Procedure& procedure() const override { return softmax_procedure(); }
  Result<Trace> trace(const Request& request, const Schema& schema, const Rows& rows, Index every,
                      const Clock& clock) const override {
    return trace_loss(request, schema, rows, every, clock);
  }
  Result<Path> path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                    const Clock& clock) const override {
    return softmax_path(request, schema, rows, how, clock);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<Softmax>();
}

} // namespace recta::family::softmax
