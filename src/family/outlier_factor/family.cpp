// recta fit lof: how much sparser the surroundings of a row are than those of its neighbours. It needs no target.
#include "family/family.hpp"

#include "family/neighbours/memory.hpp"
#include "family/outlier_factor/body.hpp"
#include "family/params.hpp"
#include "family/skips_missing.hpp"

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

std::string objective_text(const Settings& settings) {
  return fmt::format("LOF(x) = mean of density(o) / density(x) over the {} nearest rows o; distance {}", settings.k,
                     settings.metric.word);
}

// The densities stated are those of the rows, and of some rows those of the definition.
void compare_density(const OutlierBody& body, Pool& pool, Certificate& certificate) {
  if (body.density() != local_density(body.memory(), pool))
    refute(certificate, "the rows give other outlier factors than the file");
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
    return refute(certificate,
                  fmt::format("{} of {} outlier factors are not those of the definition", differing, checked));
  certificate.conditions.push_back(fmt::format(
      "the outlier factors of {} rows at even steps are those of the definition, from all distances", checked));
}

class OutlierFactor final : public Family, public SkipsMissing {
public:
  using Family::fit;
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
      return refuse(request.info->word, "it has no intercept that could be left out", "leave out no-intercept");
    return check_settings(*request.info, request.options->params, full(request.params));
  }

  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const override {
    Pool pool(request.options->threads);
    auto ready = prepare(request, full(request.params), schema, rows, pool, clock);
    if (!ready) return std::unexpected(ready.error());
    auto& [kept, settings, choice, fingerprint, summary] = *ready;
    if (!(settings.k < static_cast<double>(kept.rows)))
      return fail(ErrorCode::bad_data, rows.name,
                  fmt::format("k = {}, and a row has {} others", settings.k, kept.rows - 1), "take a smaller k");
    auto memory = std::make_shared<NeighbourBody>(std::move(kept), settings, choice.word, 0, 0, summary);
    memory->set_recall(recall_of(*memory, pool));
    const auto body = std::make_shared<const OutlierBody>(memory, local_density(*memory, pool));
    auto certificate = prove_memory(*memory, schema.classes, rows.source, pool);
    if (!certificate) return std::unexpected(certificate.error());
    compare_density(*body, pool, *certificate);
    Model model = begin_model(request, fingerprint);
    drop_idle(model.params, settings, choice.word);
    model.objective = objective_text(settings);
    model.certificate = *std::move(certificate);
    model.certificate.passes = 3;
    model.certificate.tolerance = request.options->tolerance;
    model.schema = std::move(schema);
    model.body = body;
    return model;
  }

  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const override {
    Pool pool;
    const auto& body = dynamic_cast<const OutlierBody&>(*model.body);
    if (auto good = recognise_rows(body.memory(), model, rows, pool, clock); !good)
      return std::unexpected(good.error());
    auto certificate = prove_memory(body.memory(), model.schema.classes, rows.source, pool);
    if (!certificate) return certificate;
    certificate->passes = 2;
    certificate->tolerance = model.certificate.tolerance;
    compare_density(body, pool, *certificate);
    if (auto good = compare_memory(body.memory(), model, full(model.params), rows, pool, *certificate); !good)
      return std::unexpected(good.error());
    return certificate;
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
