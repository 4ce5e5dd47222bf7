#include "family/family.hpp"

#include "family/kernel_pca/body.hpp"
#include "family/kernel_pca/component_pictures.hpp"
#include "family/kernel_pca/fit.hpp"
#include "held/kernel_params.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"

namespace recta::family::kernel_pca {
namespace {

ModelInfo word() {
  ModelInfo info{"kernel-pca", "the directions of most variance, along straight lines or by a kernel: no target",
                 "max sum_j var f_j(x),  f_j(x) = <w_j, phi(x)> + b_j,  w_1, w_2, ... orthonormal", kernel_params()};
  info.without_target = info.rereads = true;
  return info;
}

class KernelComponents final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return {kernel_pca::word()}; }
  int place() const override { return 60; }
  bool penalised(const Request&) const override { return true; }
  bool gathers_products() const override { return false; }
  Result<void> check(const Request& request) const override {
    const std::string& name = request.info->word;
    if (!request.options->intercept)
      return refuse(name, "its components have mean zero by their intercepts", "leave out no-intercept");
    return check_kernel(request);
  }
  const Procedure& procedure() const override { return recta::kernel_pca::procedure(); }
  std::vector<FieldRule> rules() const override {
    std::vector<FieldRule> out = kernel_rules("kernel_pca");
    out.insert(out.end(), {
                              {"kernel_pca.alpha", Rule::claimed},
                              {"kernel_pca.b", Rule::claimed},
                              {"kernel_pca.variance", Rule::recomputed},
                              {"kernel_pca.total", Rule::recomputed},
                          });
    return out;
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::kernel_pca::ComponentsBody::read(in, std::move(summary), schema);
  }
  std::vector<plot::PictureInfo> pictures() const override {
    return {{"components", "kernel-pca: rows by their first two components"},
            {"variance", "kernel-pca: the share of the variance of every component"}};
  }
  Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) const override {
    if (kind == "components") return recta::kernel_pca::components_picture(model, data);
    if (kind == "variance") return recta::kernel_pca::variance_picture(model);
    return Family::picture(kind, model, data);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<KernelComponents>();
}

} // namespace recta::family::kernel_pca
