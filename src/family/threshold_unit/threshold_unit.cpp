#include "family/threshold_unit/threshold_unit.hpp"

#include "base/numbers.hpp"
#include "certificate/stated/figures.hpp"
#include "family/threshold_unit/columns.hpp"
#include "family/threshold_unit/learn.hpp"
#include "family/threshold_unit/request.hpp"
#include "family/threshold_unit/taught_rows.hpp"
#include "feature/schema.hpp"
#include "model/linear/body.hpp"
#include "model/linear/predict.hpp"
#include "params/params.hpp"
#include "summary/plain_fit.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// The points that the units have learned, in the units of the data.
struct Units {
  std::vector<Learned> all{};
  bool repeated = true; // its counts are those of a run, not only stated
};

struct UnitsProof {
  Certificate certificate;
  Score score; // of the first unit, and right by prediction
};

struct Posed {
  std::unique_ptr<TaughtClasses> taught;
  ColumnUnits columns; // of sparse rows
};

// The result of the units of several classes: the class of the largest score, the first if several are equal, as
// prediction has it.
class Winners {
public:
  void add(const Point& at, const TwoClasses& two) {
    class_.resize(two.sign.size(), -1);
    for (std::size_t i = 0; i < two.sign.size(); ++i)
      if (two.sign[i] > 0) class_[i] = static_cast<double>(scorers_.size());
    scorers_.push_back({at.w, at.b});
  }
  // The weight of the rows, which are the same for all classes.
  Result<double> right(const TwoClasses& two, Pool& pool) const {
    std::vector<double> predicted(class_.size());
    const std::size_t classes = scorers_.size();
    const auto largest = [&](const Batch& rows, double* scores, double* out) {
      for (Index i = 0; i < rows.rows(); ++i, scores += classes)
        out[i] = static_cast<double>(std::max_element(scores, scores + classes) - scores);
    };
    const Written written{.out = predicted.data(), .columns = 1, .finish = largest};
    if (auto done = predict_linear(scorers_, ScoresOf::classes, *two.rows, pool, written); !done)
      return std::unexpected(done.error());
    double sum = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i)
      if (predicted[i] == class_[i]) sum += two.rows->weight().empty() ? 1 : two.rows->weight()[i];
    return sum;
  }

private:
  std::vector<Scorer> scorers_{};
  std::vector<double> class_{}; // -1: the row is not there
};

Result<Learned> learned_unit(Work& work, const TaughtRows& taught) {
  auto learned = learn(work.request, taught.for_learner(), {}, work.pool, work.clock);
  if (!learned) return learned;
  if (!learned->point.finite() || (learned->diverged && work.model.word != "delta")) // whose best point is kept
    return fail(ErrorCode::bad_data, work.rows.name, "the weights grow beyond all bounds",
                "choose a smaller rate, or standardise the columns");
  taught.to_data(learned->point);
  return learned;
}

// The counts of the model's run, which is made once more. They are its own if it ends at the same weights: rows drawn
// by another seed, or another instruction set, may lead elsewhere.
std::optional<ClassFit> counts_again(Work& work, const TaughtRows& taught, const Point& at) {
  auto again = learn(work.request, taught.for_learner(), {}, work.pool, work.clock);
  if (!again || again->interrupted) return {};
  taught.to_data(again->point);
  if (again->point.w != at.w || again->point.b != at.b) return {};
  return again->counts;
}

Learned stated_unit(const Model& model, Index place) {
  const TargetFit& target = model.linear()->targets.at(at(place));
  Learned out{.stop = model.certificate.stop};
  for (const Coefficient& coefficient : target.coefficients) out.point.w.push_back(coefficient.value);
  out.point.b = target.intercept.value;
  return out;
}

// A hyperplane is judged among the rows as they are, the gradient of a delta rule in the units in which it descends.
Result<Certificate> judged(Work& work, Learned learned, const Score& score, const TaughtRows& taught) {
  const bool delta = work.model.word == "delta";
  if (delta) learned.point = taught.from_data(std::move(learned.point));
  return judge_unit(work, learned, score, delta ? taught.for_learner() : taught.rows());
}

UnitsProof joined(const std::vector<UnitsProof>& proofs, const std::vector<Learned>& units, const Classes& classes) {
  std::vector<JudgedUnit> judged;
  double mistakes = 0;
  for (const Learned& unit : units) mistakes += unit.counts.mistakes;
  for (const UnitsProof& proof : proofs) judged.push_back({proof.certificate, proof.score});
  return {joined_units(judged, classes.labels, mistakes), proofs[0].score};
}

ClassFit counts_of(const std::vector<Learned>& units) {
  if (units.size() == 1) return units[0].counts;
  ClassFit out;
  out.mistakes = out.presented = out.mistake_bound = 0;
  for (const Learned& unit : units) {
    out.mistakes += unit.counts.mistakes;
    out.presented += unit.counts.presented;
    out.mistake_bound += unit.counts.mistake_bound; // known if it is known for every class
  }
  return out;
}

LinearSummary summary_of(const Work& work, const Posed& posed, const std::vector<Learned>& units, const Score& score) {
  const FitOptions& options = work.options();
  LinearSummary out;
  out.solver = units[0].solver;
  out.reason = units[0].reason + (units.size() > 1 ? "; one for every class, against the rest" : "");
  out.rows = score.rows;
  out.weight_sum = score.weight;
  out.degrees_of_freedom = out.condition = kNaN;
  out.intercept = options.intercept;
  out.standardised = options.standardise;
  out.weights_are = options.weights_are;
  out.confidence = options.confidence;
  if (work.seen.sums) add_columns(*work.seen.sums, out);
  if (!work.seen.sums) out.means = posed.columns.mean, out.deviations = posed.columns.deviation;
  const Schema& schema = work.schema();
  const std::vector<std::string> names = feature::feature_names(schema);
  for (std::size_t j = 0; j < names.size(); ++j)
    out.rank += std::ranges::any_of(units, [&](const Learned& unit) { return unit.point.w[j] != 0; }) ? 1 : 0;
  for (std::size_t k = 0; k < units.size(); ++k) {
    const Point& point = units[k].point;
    out.targets.push_back(
        plain_fit(units.size() > 1 ? schema.classes.labels[k] : schema.targets.at(0), names, point.w, point.b, out));
  }
  out.classes = counts_of(units);
  out.classes.accuracy = score.right / score.weight;
  return out;
}

class ThresholdSteps final : public Steps<Posed, Units, UnitsProof> {
  Result<void> admit(Work& work) const override {
    return work.verifies() ? Result<void>() : check_unit(work.request, work.schema(), work.rows);
  }

  Result<FirstPass> read(Work& work) const override {
    return work.rows.sparse ? first_pass(work, {}) : first_pass_with_sums(work);
  }

  Result<Posed> pose(Work& work) const override {
    auto taught = TaughtClasses::make(work.schema(), work.rows, work.options().standardise);
    if (!taught) return std::unexpected(taught.error());
    Posed out{*std::move(taught), {}};
    if (!work.rows.sparse) return out;
    const auto first = out.taught->unit(0, work.pool, work.watch());
    if (!first) return std::unexpected(first.error());
    out.columns = column_units((*first)->rows(), work.pool);
    return out;
  }

  Result<Units> solve(Work& work, const Posed& posed) const override {
    Units out;
    for (Index unit = 0; unit < posed.taught->units(); ++unit) {
      const auto rows = posed.taught->unit(unit, work.pool, work.watch());
      if (!rows) return std::unexpected(rows.error());
      auto learned = learned_unit(work, **rows);
      if (!learned) return std::unexpected(learned.error());
      out.all.push_back(*std::move(learned));
    }
    return out;
  }

  // Mistakes are counted if the model has them and was not stopped by the clock.
  Result<Units> stated(Work& work, const Posed& posed) const override {
    Units out{.repeated = states_counts(work) && !work.stated->certificate.stop.by_the_caller()};
    for (Index unit = 0; unit < posed.taught->units(); ++unit) {
      Learned& learned = out.all.emplace_back(stated_unit(*work.stated, unit));
      if (!out.repeated) continue;
      const auto rows = posed.taught->unit(unit, work.pool, work.watch());
      if (!rows) return std::unexpected(rows.error());
      const auto counts = counts_again(work, **rows, learned.point);
      out.repeated = counts.has_value();
      if (counts) learned.counts = *counts;
    }
    return out;
  }

  Result<UnitsProof> prove(Work& work, const Posed& posed, const Units& units) const override {
    const Watch watch = work.verifies() ? work.watch() : Watch{}; // what a stopped fit has learned is judged
    const bool stopped = std::ranges::any_of(units.all, &Learned::interrupted);
    std::vector<UnitsProof> proofs;
    Winners winners;
    const TaughtRows* last = nullptr;
    for (std::size_t unit = 0; unit < units.all.size(); ++unit) {
      Learned learned = units.all[unit];
      learned.interrupted = stopped; // no unit has time left for more
      const auto rows = posed.taught->unit(static_cast<Index>(unit), work.pool, watch);
      if (!rows) return std::unexpected(rows.error());
      last = *rows;
      const auto score = score_of(last->rows(), learned.point, work.pool);
      if (!score) return std::unexpected(score.error());
      auto certificate = judged(work, learned, *score, *last);
      if (!certificate) return std::unexpected(certificate.error());
      proofs.push_back({*std::move(certificate), *score});
      if (units.all.size() > 1) winners.add(learned.point, last->rows());
    }
    if (proofs.size() == 1) return std::move(proofs[0]);
    const auto right = winners.right(last->rows(), work.pool);
    if (!right) return std::unexpected(right.error());
    proofs[0].score.right = *right;
    return joined(proofs, units.all, work.schema().classes);
  }

  Result<void> describe(Work& work, const Posed& posed, const Units& units, UnitsProof& proof) const override {
    Model& model = work.model;
    model.objective = unit_objective(model.word, work.options().intercept, work.options().standardise);
    LinearSummary& summary = own_linear(model) = summary_of(work, posed, units.all, proof.score);
    if (units.repeated || !states_counts(work)) return {};
    const ClassFit& stored = work.stated->linear()->classes;
    ClassFit& out = summary.classes;
    out.mistakes = stored.mistakes, out.presented = stored.presented, out.mistake_bound = stored.mistake_bound;
    out.radius = stored.radius, out.norm = stored.norm;
    if (std::holds_alternative<NotSeparable>(proof.certificate.claim)) // then mistakes have no bound
      out.mistake_bound = out.radius = out.norm = kNaN;
    model.certificate.conditions.emplace_back(
        "the run was not repeated: its counts of mistakes and rows are as stored");
    return {};
  }

  Result<void> compare(Work& work, const Posed&, const Units&, UnitsProof& proof) const override {
    const Model& stated = *work.stated;
    compare_multipliers(stated.certificate, proof.certificate);
    if (stated.word == "perceptron")
      compare_setting("the variant", stated.linear()->solver == word(stated.params, "variant"), proof.certificate);
    return {};
  }

  static bool states_counts(const Work& work) { return !std::isnan(work.stated->linear()->classes.mistakes); }
};

} // namespace

const Procedure& threshold_unit_procedure() {
  static const ThresholdSteps steps;
  return steps;
}

} // namespace recta
