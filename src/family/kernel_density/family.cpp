// recta fit kernel-density: the density of the rows as a sum of kernels, one on every training row. It needs no target.
#include "family/family.hpp"

#include "certificate/stated/contradict.hpp"
#include "family/kernel_density/body.hpp"
#include "family/neighbours/memory.hpp"
#include "model_file/rules.hpp"
#include "params/listed_values.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::family::kernel_density {
namespace {

using density::DensityBody;
using recta::neighbours::IndexWord;
using recta::neighbours::NeighbourBody;

constexpr Index kCheckedDensities = 16;

std::vector<ParamInfo> params_of_density() {
  return {{"kernel", std::string("gaussian"), "the shape on every row", 0, 0, density::kernel_names()},
          {"bandwidth",
           std::string("scott"),
           "its width: a number; or scott, n^(-1/(p+4)), or silverman, (n (p+2)/4)^(-1/(p+4))",
           0,
           0,
           {}}};
}

// Plain Euclidean neighbours, one of them: what remembers the rows.
Params memory_params() {
  Params out;
  for (const ParamInfo& param : recta::neighbours::parameters(false)) out.emplace(param.name, param.initial);
  out["k"] = 1.0;
  out["index"] = std::string("brute");
  return out;
}

// n: the sum of the weights.
double bandwidth_of(const Params& params, double n, Index cols) {
  const std::string text = word(params, "bandwidth");
  const auto p = static_cast<double>(cols);
  if (text == "scott") return std::pow(n, -1 / (p + 4));
  if (text == "silverman") return std::pow(n * (p + 2) / 4, -1 / (p + 4));
  return *read_double(text);
}

// Densities of rows at even steps, from compensated sums in another order.
void compare_densities(const DensityBody& body, Certificate& certificate) {
  const recta::neighbours::Points& points = body.memory().points();
  const Index step = std::max<Index>(1, points.rows / kCheckedDensities);
  std::vector<double> scratch;
  double apart = 0;
  Index checked = 0;
  for (Index row = 0; row < points.rows && checked < kCheckedDensities; row += step, ++checked) {
    const double stated = body.log_density(points.row(row), scratch), again = body.log_density_again(points.row(row));
    apart = std::max(apart, std::fabs(stated - again) / std::max(1.0, std::fabs(again)));
  }
  if (!(apart <= 1e-10))
    return contradict(certificate, fmt::format("log densities differ from compensated sums by {:.2g}", apart));
  certificate.conditions.push_back(
      fmt::format("the log densities of {} rows at even steps agree with compensated sums up to 1e-10", checked));
}

constexpr const char *kSolver = "sum", *kReason = "every row adds its kernel";

class DensitySteps final : public recta::neighbours::MemorySteps<DensityBody> {
  Params all_params(const Params&) const override { return memory_params(); }

  Result<Claim> solve(Work& work, const Params& params) const override {
    auto ready = recta::neighbours::prepare(work, params);
    if (!ready) return std::unexpected(ready.error());
    auto& [kept, settings, index, summary] = *ready;
    const double h = bandwidth_of(work.request.params, recta::neighbours::total_weight(kept), kept.cols);
    summary.solver = kSolver, summary.reason = kReason;
    const auto memory =
        std::make_shared<NeighbourBody>(std::move(kept), neighbours::NeighbourRule{settings, index}, summary);
    return std::make_shared<const DensityBody>(memory, word(work.request.params, "kernel"), h);
  }

  std::string objective(const DensityBody& body) const override {
    return fmt::format("log f(x) = log mean_i K(|x - x_i| / {0:.6g}) / {0:.6g}^{1}; K {2}", body.bandwidth(),
                       body.features(), body.kernel());
  }

  void prove_more(Work&, const DensityBody& body, Certificate& certificate) const override {
    compare_densities(body, certificate);
  }

  FitSummary figures(Work&, const Params& params, const DensityBody& body) const override {
    FitSummary out = recta::neighbours::summary_again(body.memory(), params);
    out.solver = kSolver, out.reason = kReason;
    return out;
  }

  Result<void> compare(Work& work, const Params& params, const Claim& body, Certified& judged) const override {
    if (auto good = MemorySteps::compare(work, params, body, judged); !good) return good;
    const Params& asked = work.request.params;
    const double h = bandwidth_of(asked, recta::neighbours::total_weight(body->memory().rows()), body->features());
    if (body->kernel() != word(asked, "kernel") || body->bandwidth() != h)
      contradict(judged.certificate, "its kernel or its bandwidth is not what the parameters ask for");
    return {};
  }
};

class KernelDensity final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override {
    ModelInfo info{"kernel-density",
                   "kernel density: the density of the rows as a sum of kernels, one on every training row",
                   "log f(x) = log mean_i K(|x - x_i| / h) / h^p", params_of_density()};
    info.without_target = info.rereads = true;
    return {info};
  }
  int place() const override { return 62; }
  bool penalised(const Request&) const override { return true; } // every level of a category has a feature
  bool gathers_products() const override { return false; }

  Result<void> check(const Request& request) const override {
    if (!request.options->intercept)
      return refuse(request.info->word, "it has no intercept to leave out", "leave out no-intercept");
    const std::string text = word(request.params, "bandwidth");
    const auto value = read_double(text);
    if (text != "scott" && text != "silverman" && !(value && *value > 0))
      return refuse(request.info->word + ", parameter bandwidth",
                    fmt::format("\"{}\" is neither a number above zero nor a rule", text),
                    "give a number, scott or silverman");
    return {};
  }

  const Procedure& procedure() const override {
    static const DensitySteps steps;
    return steps;
  }

  std::vector<FieldRule> rules() const override {
    std::vector<FieldRule> out = recta::neighbours::memory_rules();
    out.insert(out.end(), {
                              {"kernel_density.kernel", Rule::setting},
                              {"kernel_density.bandwidth", Rule::setting},
                          });
    return out;
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    auto body = recta::neighbours::read_neighbours(in, std::move(summary), schema);
    if (!body) return body;
    const auto memory = std::dynamic_pointer_cast<const NeighbourBody>(*body);
    const auto kernel = in.strings("kernel_density.kernel");
    const auto bandwidth = in.doubles("kernel_density.bandwidth");
    const auto& known = density::kernel_names();
    in.require(kernel.size() == 1 && std::ranges::find(known, kernel[0]) != known.end(),
               "its kernel has no known name");
    in.require(bandwidth.size() == 1 && bandwidth[0] > 0, "its bandwidth is not a number above zero");
    in.require(memory->settings().metric == recta::neighbours::Metric{} && memory->index() == IndexWord::brute,
               "its distance is not the Euclidean one");
    if (!in.ok()) return in.error();
    return std::make_shared<const DensityBody>(memory, kernel[0], bandwidth[0]);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<KernelDensity>();
}

} // namespace recta::family::kernel_density
