#include "family/family.hpp"

#include "family/kernel_kmeans/body.hpp"
#include "family/kernel_kmeans/cluster_picture.hpp"
#include "family/kernel_kmeans/fit.hpp"
#include "held/kernel_params.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::family::kernel_kmeans {
namespace {

ModelInfo word() {
  ModelInfo info{"kernel-kmeans", "clusters of rows about their means, by distances or by a kernel: no target",
                 "F = 1/W sum_i s_i |phi(x_i) - m_c(i)|^2,  m_c the mean of phi over the rows of cluster c",
                 kernel_params()};
  info.params.insert(info.params.end(), {{"clusters", 2.0, "how many", 1, 1e6, {}},
                                         {"starts", 10.0, "random starts, of which the best is kept", 1, 1e6, {}}});
  info.without_target = info.rereads = true;
  return info;
}

class KernelClusters final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return {kernel_kmeans::word()}; }
  int place() const override { return 61; }
  bool penalised(const Request&) const override { return true; }
  bool gathers_products() const override { return false; }
  Result<void> check(const Request& request) const override {
    const std::string& name = request.info->word;
    if (request.options->components > 0)
      return refuse(name, "it has no components", "leave out components, or fit kernel-pca");
    for (const char* param : {"clusters", "starts"})
      if (const double value = number(request.params, param); value != std::floor(value))
        return refuse(name + ", parameter " + param, fmt::format("{} is not a whole number", value),
                      "give 1, 2, 3, ...");
    return check_kernel(request);
  }
  const Procedure& procedure() const override { return recta::kernel_kmeans::procedure(); }
  std::vector<FieldRule> rules() const override {
    std::vector<FieldRule> out = kernel_rules("kernel_kmeans");
    out.insert(out.end(), {
                              {"kernel_kmeans.of_row", Rule::claimed},
                              {"kernel_kmeans.share", Rule::recomputed},
                              {"kernel_kmeans.square", Rule::recomputed},
                              {"kernel_kmeans.weight", Rule::recomputed},
                              {"kernel_kmeans.cost", Rule::recomputed},
                              {"fit.kernel_kmeans", Rule::note, "how the search went, which the search alone knows"},
                              {"params.starts", Rule::choice, "how the search goes"},
                          });
    return out;
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::kernel_kmeans::ClustersBody::read(in, std::move(summary), schema);
  }
  std::vector<plot::PictureInfo> pictures() const override {
    return {{"clusters", "kernel-kmeans: where a new row would belong, over two columns"}};
  }
  Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) const override {
    if (kind == "clusters") return recta::kernel_kmeans::cluster_picture(model, data);
    return Family::picture(kind, model, data);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<KernelClusters>();
}

} // namespace recta::family::kernel_kmeans
