#include "family/family.hpp"

#include "family/elastic_net/squares_path.hpp"
#include "family/least_squares/least_squares.hpp"
#include "family/least_squares/words.hpp"
#include "family/params.hpp"

namespace recta::family::least_squares {
namespace {

class LeastSquares final : public Family {
public:
  std::vector<ModelInfo> words() const override { return least_squares_words(); }
  int place() const override { return 0; }
  bool penalised(const Request& request) const override { return request.info->word != "linear"; }
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const override {
    return fit_linear(request, std::move(schema), rows, clock);
  }
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, FirstPass pass,
                    const Clock& clock) const override {
    return fit_linear(request, std::move(schema), rows, std::move(pass), clock);
  }
  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const override {
    return verify_linear(model, rows, clock);
  }
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
