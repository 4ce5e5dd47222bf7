#include "family/family.hpp"

#include "family/kernel_ridge/body.hpp"
#include "family/kernel_ridge/fit.hpp"
#include "held/kernel_params.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"

namespace recta::family::kernel_ridge {
namespace {

ModelInfo word() {
  ModelInfo info{"kernel-ridge", "least squares by a kernel, with a penalty on the squared length of w",
                 "F(w, b) = 1/(2W) sum_i s_i (y_i - f(x_i))^2 + (lambda/2) |w|^2,  f(x) = <w, phi(x)> + b",
                 kernel_params()};
  info.params.insert(
      info.params.end(),
      {{"lambda", kNotGiven, "strength of the penalty beside the mean loss", 1e-300, kHuge, {}, 1},
       {"lambda2", kNotGiven, "strength of half the squares: the same as lambda", 1e-300, kHuge, {}, 1},
       {"tau",
        kNotGiven,
        "strength beside the summed loss: lambda = tau / sum of weights; 1 where no strength is given",
        1e-300,
        kHuge,
        {},
        1},
       {"loo", false, "the mean squared error on every row left out, exactly; about as much work again", 0, 0, {}}});
  info.rereads = true;
  return info;
}

class KernelRidge final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return {kernel_ridge::word()}; }
  int place() const override { return 6; }
  bool penalised(const Request&) const override { return true; }
  bool gathers_products() const override { return false; }
  Result<void> check(const Request& request) const override { return check_kernel(request); }
  const Procedure& procedure() const override { return recta::kernel_ridge::procedure(); }
  std::vector<FieldRule> rules() const override {
    std::vector<FieldRule> out = kernel_rules("kernel_ridge");
    out.insert(out.end(), {
                              {"kernel_ridge.alpha", Rule::claimed},
                              {"kernel_ridge.b", Rule::claimed},
                              {"kernel_ridge.lambda", Rule::setting},
                              {"kernel_ridge.mse", Rule::recomputed},
                              {"kernel_ridge.r2", Rule::recomputed},
                              {"kernel_ridge.squared", Rule::recomputed},
                              {"kernel_ridge.left_out", Rule::recomputed},
                              {"params.loo", Rule::choice, "whether a figure is stated"},
                          });
    return out;
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::kernel_ridge::RidgeBody::read(in, std::move(summary), schema);
  }
  Result<Path> path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                    const Clock& clock) const override {
    return recta::kernel_ridge::path(request, schema, rows, how, clock);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<KernelRidge>();
}

} // namespace recta::family::kernel_ridge
