#include "family/family.hpp"

#include "family/kernel_perceptron/body.hpp"
#include "family/kernel_perceptron/fit.hpp"
#include "held/kernel_params.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"

namespace recta::family::kernel_perceptron {
namespace {

ModelInfo word() {
  ModelInfo info{"kernel-perceptron", "classes by a hyperplane in the space of a kernel that learns from its mistakes",
                 "y_i f(x_i) > 0 for every row,  f(x) = <w, phi(x)> + b", kernel_params()};
  info.params.insert(info.params.end(), {{"passes", 1000.0, "end after this many passes over the rows", 1, 1e15, {}},
                                         {"steps", kNotGiven, "end after this many mistakes", 1, 1e15, {}},
                                         {"cache", 1000.0, "megabytes for rows of the kernel matrix", 1, 1e9, {}}});
  info.classes = info.rereads = true;
  return info;
}

class KernelPerceptron final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return {kernel_perceptron::word()}; }
  int place() const override { return 6; }
  bool penalised(const Request&) const override { return true; } // every level of a category is as far from the others
  bool gathers_products() const override { return false; }
  Result<void> check(const Request& request) const override {
    const std::string& name = request.info->word;
    for (const char* param : {"passes", "steps"})
      if (const double value = number(request.params, param); value != std::floor(value) && !std::isnan(value))
        return refuse(name + ", parameter " + param, "it is not a whole number", "give a whole number from 1 up");
    return check_kernel(request);
  }
  const Procedure& procedure() const override { return recta::kernel_perceptron::procedure(); }
  std::vector<FieldRule> rules() const override {
    std::vector<FieldRule> out = kernel_rules("kernel_perceptron");
    out.insert(out.end(), {
                              {"kernel_perceptron.beta", Rule::claimed},
                              {"kernel_perceptron.numbers", Rule::recomputed},
                              {"kernel_perceptron.counts", Rule::recomputed},
                              {"kernel_perceptron.support", Rule::recomputed},
                              {"params.passes", Rule::choice, "how the search goes"},
                              {"params.steps", Rule::choice, "how the search goes"},
                              {"params.cache", Rule::choice, "how the search goes"},
                          });
    return out;
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::kernel_perceptron::PerceptronBody::read(in, std::move(summary), schema);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<KernelPerceptron>();
}

} // namespace recta::family::kernel_perceptron
