#include "family/family.hpp"

#include "family/one_class/body.hpp"
#include "family/one_class/fit.hpp"
#include "held/kernel_params.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"

namespace recta::family::one_class {
namespace {

ModelInfo word() {
  ModelInfo info{
      "one-class", "rows like those of training, and others: a border that leaves a share nu of them outside",
      "min 1/2 |w|^2 - rho + 1/(nu W) sum_i s_i max(0, rho - <w, phi(x_i)>);  f = <w, phi(x)> / rho minimises "
      "F(w) = 1/W sum_i s_i max(0, 1 - f(x_i)) + (lambda/2) |w|^2",
      kernel_params()};
  info.params[0].initial = std::string("rbf");
  info.params.insert(info.params.begin() + 1,
                     {"nu",
                      0.5,
                      "at most this share of the rows is outside the border, at least this share supports it",
                      1e-12,
                      1,
                      {}});
  info.params.push_back({"cache", 1000.0, "megabytes for rows of the kernel matrix", 1, 1e9, {}});
  info.without_target = info.rereads = true;
  return info;
}

class OneClass final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return {one_class::word()}; }
  int place() const override { return 6; }
  bool penalised(const Request&) const override { return true; }
  bool gathers_products() const override { return false; }
  Result<void> check(const Request& request) const override { return check_kernel(request); }
  const Procedure& procedure() const override { return recta::one_class::procedure(); }
  std::vector<FieldRule> rules() const override {
    std::vector<FieldRule> out = kernel_rules("one_class");
    out.insert(out.end(), {
                              {"one_class.beta", Rule::claimed},
                              {"one_class.offset", Rule::claimed},
                              {"one_class.border", Rule::recomputed},
                              {"params.cache", Rule::choice, "how the search goes"},
                          });
    return out;
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::one_class::OneClassBody::read(in, std::move(summary), schema);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<OneClass>();
}

} // namespace recta::family::one_class
