// recta fit lof: how much sparser the surroundings of a row are than those of its neighbours. It needs no target.
#include "family/family.hpp"

#include "certificate/stated/contradict.hpp"
#include "family/neighbours/memory.hpp"
#include "family/outlier_factor/body.hpp"
#include "family/skips_missing.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::family::outlier_factor {
namespace {

using namespace recta::neighbours;

// Rows whose factor is computed from all distances: k^2 lists of all rows each, so fewer where that would take seconds.
constexpr double kCheckedRows = 16, kCheckedDistances = 3e7;

std::vector<ParamInfo> params_of_lof() {
  std::vector<ParamInfo> all = parameters(false);
  std::erase_if(all, [](const ParamInfo& param) {
    return param.name == "radius" || param.name == "vote" || param.name == "outside" || param.name == "choose-k";
  });
  for (ParamInfo& param : all)
    if (param.name == "k")
      param.initial = 20.0, param.summary = "neighbours among which the density is measured", param.simpler = 0;
  return all;
}

// Adds the parameters of knn that this model does not have, at their usual values.
Params full(const Params& params) {
  Params out = copied(params);
  for (const ParamInfo& param : parameters(false)) out.emplace(param.name, copied(param.initial));
  return out;
}

// The densities stated are those of the rows, and of some rows those of the definition.
void compare_density(const OutlierBody& body, Pool& pool, Certificate& certificate) {
  if (body.density() != local_density(body.memory(), pool))
    contradict(certificate, "the rows give other outlier factors than the file");
  if (body.memory().index() == IndexWord::hnsw) return; // its neighbours are not all the true ones
  const Index n = body.memory().rows().rows;
  const double k = body.memory().settings().k;
  const auto most =
      static_cast<Index>(std::clamp(kCheckedDistances / (k * k * static_cast<double>(n)), 1.0, kCheckedRows));
  const Index step = std::max<Index>(1, n / most);
  DensityByDefinition definition(body.memory());
  Index checked = 0, differing = 0;
  for (Index row = 0; row < n && checked < most; row += step, ++checked) {
    const RowDensity fresh = definition.of(row);
    const LocalDensity& stated = body.density();
    differing += fresh.reach != stated.reach[at(row)] || fresh.spread != stated.spread[at(row)] ||
                         fresh.factor != stated.factor[at(row)]
                     ? 1
                     : 0;
  }
  if (differing > 0)
    return contradict(certificate,
                      fmt::format("{} of {} outlier factors are not those of the definition", differing, checked));
  certificate.conditions.push_back(fmt::format(
      "the outlier factors of {} rows at even steps are those of the definition, from all distances", checked));
}

class OutlierSteps final : public MemorySteps<OutlierBody> {
  Params all_params(const Params& params) const override { return full(params); }

  Result<Claim> solve(Work& work, const Params& params) const override {
    auto ready = prepare(work, params);
    if (!ready) return std::unexpected(ready.error());
    auto& [kept, settings, index, summary] = *ready;
    if (!(settings.k < static_cast<double>(kept.rows)))
      return fail(ErrorCode::bad_data, work.rows.name,
                  fmt::format("k = {}, and a row has {} others", settings.k, kept.rows - 1), "take a smaller k");
    auto memory = std::make_shared<NeighbourBody>(std::move(kept), NeighbourRule{settings, index}, summary);
    memory->set_recall(recall_of(*memory, work.pool));
    return std::make_shared<const OutlierBody>(memory, local_density(*memory, work.pool));
  }

  std::string objective(const OutlierBody& body) const override {
    const Settings& settings = body.memory().settings();
    return fmt::format("LOF(x) = mean of density(o) / density(x) over the {} nearest rows o; distance {}", settings.k,
                       settings.metric.word);
  }

  void prove_more(Work& work, const OutlierBody& body, Certificate& certificate) const override {
    compare_density(body, work.pool, certificate);
  }
};

class OutlierFactor final : public Family, public HasFieldRules, public SkipsMissing {
public:
  std::vector<ModelInfo> words() const override {
    ModelInfo info{"lof",
                   "local outlier factor: how much sparser the surroundings of a row are than those of its neighbours",
                   "LOF(x) = mean of density(o) / density(x) over the k nearest rows o", params_of_lof()};
    info.without_target = info.rereads = true;
    return {info};
  }
  int place() const override { return 61; }
  bool skips_missing(const Request& request) const override {
    return takes_missing({.word = word(request.params, "metric")});
  }
  bool penalised(const Request&) const override { return true; } // every level of a category has a feature
  bool gathers_products() const override { return false; }

  Result<void> check(const Request& request) const override {
    if (!request.options->intercept)
      return refuse(request.info->word, "it has no intercept to leave out", "leave out no-intercept");
    return check_settings(*request.info, request.options->params, full(request.params));
  }

  const Procedure& procedure() const override {
    static const OutlierSteps steps;
    return steps;
  }

  std::vector<FieldRule> rules() const override {
    std::vector<FieldRule> out = recta::neighbours::memory_rules();
    out.insert(out.end(), {
                              {"outlier_factor.reach", Rule::recomputed},
                              {"outlier_factor.spread", Rule::recomputed},
                              {"outlier_factor.factor", Rule::recomputed},
                          });
    return out;
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    auto body = read_neighbours(in, std::move(summary), schema);
    if (!body) return body;
    const auto memory = std::dynamic_pointer_cast<const NeighbourBody>(*body);
    LocalDensity density{in.doubles("outlier_factor.reach"), in.doubles("outlier_factor.spread"),
                         in.doubles("outlier_factor.factor")};
    const auto n = static_cast<std::size_t>(memory->rows().rows);
    in.require(density.reach.size() == n && density.spread.size() == n && density.factor.size() == n,
               "it does not have one density per row");
    in.require(memory->settings().k > 0 && memory->settings().k < static_cast<double>(n),
               "it has fewer rows than neighbours");
    if (!in.ok()) return in.error();
    return std::make_shared<const OutlierBody>(memory, std::move(density));
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<OutlierFactor>();
}

} // namespace recta::family::outlier_factor
