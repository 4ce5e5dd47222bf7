#include "family/family.hpp"

#include "family/elastic_net/squares_path.hpp"
#include "family/least_squares/least_squares.hpp"
#include "family/least_squares/words.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"
#include "summary/descent.hpp"

namespace recta::family::least_squares {
namespace {

class LeastSquares final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return least_squares_words(); }
  int place() const override { return 0; }
  bool penalised(const Request& request) const override { return request.info->word != "linear"; }
  const Procedure& procedure() const override { return linear_procedure(); }
  const Procedure& procedure_for(const Request& request, const Rows& rows) const override {
    return linear_procedure(request, rows);
  }
  std::vector<FieldRule> rules() const override { return descent_rules(); }
  Result<Trace> trace(const Request& request, const Schema& schema, const Rows& rows, Index every,
                      const Clock& clock) const override {
    return trace_linear(request, schema, rows, every, clock);
  }
  Result<Path> path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                    const Clock& clock) const override {
    if (request.info->word == "ridge") return squares_path(request, schema, rows, how, clock);
    return request.info->word == "linear" ? refuse("linear", "least squares has no penalty, so no path",
                                                   "lasso, elastic-net, ridge, logistic and softmax have one")
                                          : Family::path(request, schema, rows, how, clock);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<LeastSquares>();
}

} // namespace recta::family::least_squares
