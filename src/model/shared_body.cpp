// The body of a model that has learned nothing.
#include "model/shared_body.hpp"

namespace recta {
namespace {

std::unexpected<Error> refuse_use() {
  return fail(ErrorCode::usage, "model", "it is empty: it was never fitted, or it was moved from",
              "fit a model or load one, and use the one that it was moved to");
}

class EmptyBody final : public Body {
public:
  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return 0; }
  Index scores() const override { return 0; }
  Result<void> score(const Batch&, ScoresOf, double*) const override { return refuse_use(); }
  Result<void> probability(const Batch&, double*) const override { return refuse_use(); }
  Result<void> transform(const Batch&, double*) const override { return refuse_use(); }
  Result<Report> explain(const Batch&, const Schema&) const override { return refuse_use(); }
  Report report(const Schema&) const override { return {}; }
  void write(TensorWriter&) const override {}
  std::string_view kind() const override { return "empty"; }

private:
  FitSummary summary_;
};

} // namespace

const Body& SharedBody::empty() {
  static const EmptyBody body;
  return body;
}

Result<void> check_fitted(const Model& model) {
  if (!model.body) return refuse_use();
  return {};
}

} // namespace recta
