#include "family/nearest_centroid/nearest_centroid.hpp"

#include "base/numbers.hpp"
#include "certificate/nearest_centroid/recentre.hpp"
#include "certificate/stated/figures.hpp"
#include "classes/class_means.hpp"
#include "family/closed_form.hpp"
#include "family/nearest_centroid/body.hpp"
#include "family/nearest_centroid/medians.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"

#include <cmath>

namespace recta::nearest_centroid {
namespace {

struct Settings {
  bool manhattan;
  double threshold; // of shrinking
};

class CentroidSteps final : public ClosedForm<Settings, CentroidBody> {
  Result<Settings> pose(Work& work) const override {
    const Params& params = work.request.params;
    return Settings{word(params, "metric") == "manhattan", number(params, "shrink-threshold")};
  }

  Result<Draft> solve(Work& work, const Settings& settings) const override {
    const auto means = class_means(work);
    if (!means) return std::unexpected(means.error());
    auto prior = positive_priors(work, means->weight);
    if (!prior) return std::unexpected(prior.error());
    Learned out{.columns = work.rows.source.cols(),
                .classes = work.schema().classes.count(),
                .manhattan = settings.manhattan,
                .threshold = settings.threshold,
                .prior = *std::move(prior),
                .weight = means->weight,
                .centroid = means->mean};
    if (out.manhattan) {
      auto medians = class_medians(work.schema().classes, work.rows, work.pool);
      if (!medians) return std::unexpected(medians.error());
      out.centroid = *std::move(medians);
    }
    std::vector<double> scatter = means->variance;
    for (std::size_t i = 0; i < scatter.size(); ++i) scatter[i] *= out.weight[i / at(out.columns)];
    out.spread = spread_of(out.weight, means->mean, scatter, out.centroid);
    if (out.threshold > 0 && std::isnan(out.spread.deviation[0]))
      return fail(ErrorCode::bad_data, work.rows.name,
                  "there are no more rows than classes, so that nothing says how far "
                  "centroids may move",
                  "leave out shrink-threshold, or take more rows");
    out.used = out.threshold > 0 ? shrunken(out.centroid, out.weight, out.spread, out.threshold) : out.centroid;
    return std::make_shared<const CentroidBody>(FitSummary(), std::move(out), feature::feature_names(work.schema()));
  }

  Result<ClosedFormProof> prove(Work& work, const Settings&, const Draft& draft) const override {
    const Learned& l = draft->learned();
    const CentroidClaim claim{
        work.schema().classes, l.columns, l.manhattan, l.threshold, l.weight, l.centroid, l.used, l.spread};
    return prove_again(work, *draft, Recentre(claim), "proving the centroids", [&](const Recentre& again) {
      Certificate out = certify(again, block_rows(l.columns), work.options().tolerance);
      out.passes = l.manhattan ? 3 : 2;
      return out;
    });
  }

  ClosedFormFit told(const Work& work, const CentroidBody& body) const override {
    const Learned& l = body.learned();
    return {l.manhattan ? "sorting" : "mean", "centroids have a closed form",
            l.manhattan ? "F = 1/W sum_i s_i |x_i - c_(y_i)|_1" : work.request.info->objective,
            work.seen.fingerprint.rows, l.weight};
  }

  Result<void> compare(Work& work, const Settings& settings, const Draft& draft,
                       ClosedFormProof& proof) const override {
    const Learned& l = draft->learned();
    compare_setting("the metric", l.manhattan == settings.manhattan, proof.certificate);
    compare_setting("the threshold of shrinking", l.threshold == settings.threshold, proof.certificate);
    return compare_priors(work, l.prior, l.weight, proof.certificate);
  }
};

} // namespace

const Procedure& procedure() {
  static const CentroidSteps steps;
  return steps;
}

} // namespace recta::nearest_centroid
