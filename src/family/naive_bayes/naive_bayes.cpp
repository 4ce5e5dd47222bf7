#include "family/naive_bayes/naive_bayes.hpp"

#include "base/numbers.hpp"
#include "certificate/naive_bayes/recount.hpp"
#include "certificate/stated/figures.hpp"
#include "classes/class_means.hpp"
#include "family/closed_form.hpp"
#include "family/naive_bayes/body.hpp"
#include "family/naive_bayes/likelihoods.hpp"
#include "feature/schema.hpp"
#include "params/listed_values.hpp"

#include <fmt/format.h>

namespace recta::naive_bayes {
namespace {

Result<void> check_variances(const Work& work, const Learned& learned) {
  for (const Factor& factor : learned.layout.factors)
    for (Index j = 0; j < factor.count && factor.kind == Likelihood::gaussian; ++j)
      for (Index k = 0; k < learned.layout.classes; ++k) {
        const Moments own = moments_of(factor, j, learned.counts.of_class(learned.layout, k));
        if (!(own.weight > 0)) continue;
        if (auto good = check_squares(work, at(k), own.weight, own.mean, own.scatter, factor.first + j); !good)
          return good;
      }
  const Schema& schema = work.schema();
  const Flat flat = first_without_variance(learned.layout, learned.counts, learned.smoothing);
  if (flat.column < 0) return {};
  return fail(ErrorCode::bad_data,
              fmt::format("{}, column {}", work.rows.name, feature::feature_names(schema).at(at(flat.column))),
              fmt::format("it is constant in class {}, where the likelihood has no maximum without smoothing",
                          schema.classes.labels.at(at(flat.k))),
              "give smoothing above 0, or ignore the column");
}

class NaiveBayesSteps final : public ClosedForm<Smoothing, NaiveBayesBody> {
  Result<void> admit(Work& work) const override {
    if (work.verifies()) return ClosedForm::admit(work);
    Schema& schema = work.model.schema;
    if (work.options().missing == Missing::skip) schema.missing = Missing::skip; // arrays have no schema of their own
    schema.unseen = work.options().unseen;
    return {};
  }

  Result<Smoothing> pose(Work& work) const override { return asked_smoothing(work.request.params, work.schema()); }

  Result<Draft> solve(Work& work, const Smoothing& smoothing) const override {
    const Schema& schema = work.schema();
    Learned learned;
    learned.smoothing = smoothing;
    learned.refuses_strangers = schema.unseen == Unseen::refuse;
    auto layout = choose_likelihoods(work);
    if (!layout) return std::unexpected(layout.error());
    learned.layout = *std::move(layout);
    auto counts = first_counts(work, learned.layout);
    if (!counts) return std::unexpected(counts.error());
    learned.counts = *std::move(counts);
    auto prior = priors(kWord, work.request.params, schema.classes, learned.counts.weight);
    if (!prior) return std::unexpected(prior.error());
    learned.prior = *std::move(prior);
    if (auto good = check_variances(work, learned); !good) return std::unexpected(good.error());
    return std::make_shared<const NaiveBayesBody>(FitSummary(), std::move(learned), names_for_messages(schema));
  }

  Result<ClosedFormProof> prove(Work& work, const Smoothing&, const Draft& draft) const override {
    const Learned& l = draft->learned();
    const CountsClaim claim{l.layout, work.schema().classes, l.counts};
    auto proof =
        prove_again(work, *draft, Recount(claim, work.rows.sparse), "counting again", [&](const Recount& again) {
          return certify(again, block_rows(l.layout.columns), work.options().tolerance);
        });
    if (!proof) return proof;
    add_objectives(claim, draft->scorer().estimates(), l.smoothing, proof->fit.null_log_likelihood, proof->certificate);
    proof->certificate.passes = 2;
    return proof;
  }

  ClosedFormFit told(const Work& work, const NaiveBayesBody& body) const override {
    const Learned& l = body.learned();
    return {"counting", "counts and moments have a closed form",
            l.layout.has(Likelihood::complement)
                ? "argmax_k sum_j x_j w_kj, w_kj = -log of the share of j in the other classes"
                : work.request.info->objective,
            l.counts.rows, l.counts.weight};
  }

  // Compares the body's smoothing and the weights of its classes with what the parameters ask for.
  Result<void> compare(Work& work, const Smoothing& smoothing, const Draft& draft,
                       ClosedFormProof& proof) const override {
    const Learned& l = draft->learned();
    Certificate& certificate = proof.certificate;
    const auto layout = choose_likelihoods(work);
    if (!layout) return std::unexpected(layout.error());
    compare_setting("the likelihood of the columns", l.layout == *layout, certificate);
    compare_setting("the smoothing", l.smoothing == smoothing, certificate);
    if (auto good = compare_priors(work, l.prior, l.counts.weight, certificate); !good) return good;
    compare_setting("the rule for unseen values", l.refuses_strangers == (work.schema().unseen == Unseen::refuse),
                    certificate);
    return {};
  }
};

} // namespace

const Procedure& procedure() {
  static const NaiveBayesSteps steps;
  return steps;
}

} // namespace recta::naive_bayes
