#include "family/threshold_unit/threshold_unit.hpp"

#include "family/against_rest.hpp"
#include "family/figures.hpp"
#include "family/params.hpp"
#include "family/plain_fit.hpp"
#include "family/threshold_unit/columns.hpp"
#include "family/threshold_unit/learn.hpp"
#include "family/threshold_unit/request.hpp"
#include "family/threshold_unit/taught_rows.hpp"
#include "feature/schema.hpp"
#include "model/linear/predict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace recta {
namespace {

const double kNone = std::numeric_limits<double>::quiet_NaN();

// A unit for two classes, fitted and judged; for more classes there is one for each, against the rest.
struct UnitFit {
  Learned learned{};
  Score score{};
  Certificate certificate{};
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

// A hyperplane is judged among the rows as they are, the gradient of a delta rule in the units in which it descends.
Result<Certificate> judged(const std::string& word, Learned learned, const Score& score, const TaughtRows& taught,
                           bool intercept, double tolerance, Pool& pool, const Clock& clock) {
  const bool delta = word == "delta";
  if (delta) learned.point = taught.from_data(std::move(learned.point));
  return judge_unit(word, learned, score, delta ? taught.for_learner() : taught.rows(), intercept, tolerance, pool,
                    clock);
}

Result<UnitFit> fitted_unit(const Request& request, const TaughtRows& taught, const std::string& source, Pool& pool,
                            const Clock& clock) {
  auto learned = learn(request, taught.for_learner(), {}, pool, clock);
  if (!learned) return std::unexpected(learned.error());
  if (!learned->point.finite() || (learned->diverged && request.info->word != "delta")) // whose best point is kept
    return fail(ErrorCode::bad_data, source, "the weights grow beyond all bounds",
                "choose a smaller rate, or standardise the columns");
  taught.to_data(learned->point);
  UnitFit out{.learned = *std::move(learned)};
  const auto score = score_of(taught.rows(), out.learned.point, pool);
  if (!score) return std::unexpected(score.error());
  out.score = *score;
  auto certificate = judged(request.info->word, out.learned, out.score, taught, request.options->intercept,
                            request.options->tolerance, pool, clock);
  if (!certificate) return std::unexpected(certificate.error());
  out.certificate = *std::move(certificate);
  return out;
}

// Which class is separated from the rest, and which cannot be.
std::string class_text(const std::string& label, const UnitFit& unit) {
  const Certificate& c = unit.certificate;
  if (const auto* stationary = std::get_if<Stationary>(&c.claim))
    return fmt::format("\"{}\" (gradient {:.2g})", label, stationary->gradient_norm);
  const auto* plane = std::get_if<SeparatingHyperplane>(&c.claim);
  if (plane && plane->margin > 0 && c.verdict == Verdict::proved)
    return fmt::format("\"{}\" separated (margin {:.6g})", label, plane->margin);
  if (!plane && c.verdict == Verdict::proved)
    return fmt::format("\"{}\" not separable ({} rows cancel)", label,
                       std::get<NotSeparable>(c.claim).multipliers.size());
  return fmt::format("\"{}\" not separated ({} of {} rows right)", label, unit.score.right_rows, unit.score.rows);
}

// The claim of the class that is worst off, and what is known of every one.
Certificate joined(const std::vector<UnitFit>& units, const Classes& classes) {
  const auto worse = [](const UnitFit& a, const UnitFit& b) {
    const auto rank = [](const Claim& claim) {
      if (const auto* plane = std::get_if<SeparatingHyperplane>(&claim)) return -plane->margin;
      if (const auto* stationary = std::get_if<Stationary>(&claim)) return stationary->gradient_norm;
      return std::numeric_limits<double>::infinity();
    };
    return rank(a.certificate.claim) < rank(b.certificate.claim);
  };
  Certificate out = std::ranges::max_element(units, worse)->certificate;
  out.objective = 0, out.passes = 0;
  out.conditions.clear();
  std::vector<std::string> said;
  double mistakes = 0;
  for (std::size_t k = 0; k < units.size(); ++k) {
    const Certificate& certificate = units[k].certificate;
    out.objective += certificate.objective;
    out.null_objective = std::max(out.null_objective, certificate.null_objective);
    out.passes += certificate.passes;
    if (certificate.verdict > out.verdict) out.verdict = certificate.verdict, out.stop = certificate.stop;
    mistakes += units[k].learned.counts.mistakes;
    if (k < 20) said.push_back(class_text(classes.labels[k], units[k]));
  }
  if (units.size() > said.size()) said.push_back(fmt::format("and {} more", units.size() - said.size()));
  out.conditions.push_back(fmt::format("{} classes, each against the rest: {}", units.size(), fmt::join(said, ", ")));
  if (mistakes > 0) out.conditions.push_back(fmt::format("{} mistakes in all", mistakes));
  return out;
}

ClassFit counts_of(const std::vector<UnitFit>& units) {
  if (units.size() == 1) return units[0].learned.counts;
  ClassFit out;
  out.mistakes = out.presented = out.mistake_bound = 0;
  for (const UnitFit& unit : units) {
    out.mistakes += unit.learned.counts.mistakes;
    out.presented += unit.learned.counts.presented;
    out.mistake_bound += unit.learned.counts.mistake_bound; // known if it is known for every class
  }
  return out;
}

LinearSummary summary_of(const Request& request, const Schema& schema, const std::vector<UnitFit>& units,
                         const ColumnSums* sums, const ColumnUnits& columns) {
  LinearSummary out;
  const Score& score = units[0].score;
  out.solver = units[0].learned.solver;
  out.reason = units[0].learned.reason + (units.size() > 1 ? "; one for every class, against the rest" : "");
  out.rows = score.rows;
  out.weight_sum = score.weight;
  out.degrees_of_freedom = out.condition = kNone;
  out.intercept = request.options->intercept;
  out.standardised = request.options->standardise;
  out.weights_are = request.options->weights_are;
  out.confidence = request.options->confidence;
  if (sums) add_columns(*sums, out);
  if (!sums) out.means = columns.mean, out.deviations = columns.deviation;
  const std::vector<std::string> names = feature::feature_names(schema);
  for (std::size_t j = 0; j < names.size(); ++j)
    out.rank += std::ranges::any_of(units, [&](const UnitFit& unit) { return unit.learned.point.w[j] != 0; }) ? 1 : 0;
  for (std::size_t k = 0; k < units.size(); ++k) {
    const Point& point = units[k].learned.point;
    out.targets.push_back(
        plain_fit(units.size() > 1 ? schema.classes.labels[k] : schema.targets.at(0), names, point.w, point.b, out));
  }
  out.classes = counts_of(units);
  out.classes.accuracy = score.right / score.weight;
  return out;
}

// Every unit of a model, what else is asked of its rows, and the columns' spread if rows are sparse.
struct Units {
  std::vector<UnitFit> all{};
  ColumnUnits columns{};
};

// `unit_of(rows, place)`: the unit of the class at that place.
template <class UnitOf>
Result<Units> units_of(bool standardised, const Schema& schema, const Rows& rows, Pool& pool, const Clock& clock,
                       const UnitOf& unit_of) {
  Units out;
  Winners winners;
  const Index classes = schema.classes.count();
  const auto done = for_each_class(schema, rows, [&](const Schema& two, const Rows& two_rows) -> Result<void> {
    const auto taught = TaughtRows::make(two, two_rows, standardised, pool, clock.watch());
    if (!taught) return std::unexpected(taught.error());
    const auto place = std::ssize(out.all);
    auto unit = unit_of(**taught, place);
    if (!unit) return std::unexpected(unit.error());
    if (place == 0 && rows.sparse) out.columns = column_units((*taught)->rows(), pool);
    out.all.push_back(*std::move(unit));
    if (classes == 2) return {};
    winners.add(out.all.back().learned.point, (*taught)->rows());
    if (place + 1 < classes) return {};
    const auto right = winners.right((*taught)->rows(), pool);
    if (!right) return std::unexpected(right.error());
    out.all[0].score.right = *right;
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

} // namespace

Result<Model> fit_threshold_unit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  if (auto good = check_unit(request, schema, rows); !good) return std::unexpected(good.error());
  Pool pool(request.options->threads);
  const auto pass = rows.sparse ? first_pass(rows, schema, {}, pool, clock.watch())
                                : first_pass_with_sums(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  const auto units =
      units_of(request.options->standardise, schema, rows, pool, clock,
               [&](const TaughtRows& taught, Index) { return fitted_unit(request, taught, rows.name, pool, clock); });
  if (!units) return std::unexpected(units.error());
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.objective = unit_objective(model.word, request.options->intercept, request.options->standardise);
  model.certificate = units->all.size() == 1 ? units->all[0].certificate : joined(units->all, schema.classes);
  model.linear() = summary_of(request, schema, units->all, pass->sums.get(), units->columns);
  model.schema = std::move(schema);
  return model;
}

namespace {

// The counts of the model's run, which is made once more. They are its own if it ends at the same weights: rows drawn
// by another seed, or another instruction set, may lead elsewhere.
std::optional<ClassFit> counts_again(const Request& request, const TaughtRows& taught, const Point& at, Pool& pool,
                                     const Clock& clock) {
  auto again = learn(request, taught.for_learner(), {}, pool, clock);
  if (!again || again->interrupted) return {};
  taught.to_data(again->point);
  if (again->point.w != at.w || again->point.b != at.b) return {};
  return again->counts;
}

Result<UnitFit> stored_unit(const Model& model, const TaughtRows& taught, Index place, Pool& pool, const Clock& clock) {
  const TargetFit& target = model.linear().targets.at(static_cast<std::size_t>(place));
  UnitFit unit;
  unit.learned.stop = model.certificate.stop;
  for (const Coefficient& coefficient : target.coefficients) unit.learned.point.w.push_back(coefficient.value);
  unit.learned.point.b = target.intercept.value;
  unit.learned.clean = unit.learned.stop.reason() == Stop::clean_pass;
  const auto score = score_of(taught.rows(), unit.learned.point, pool);
  if (!score) return std::unexpected(score.error());
  unit.score = *score;
  auto certificate = judged(model.word, unit.learned, unit.score, taught, model.linear().intercept,
                            model.certificate.tolerance, pool, clock);
  if (!certificate) return std::unexpected(certificate.error());
  unit.certificate = *std::move(certificate);
  return unit;
}

// Mistakes are counted if the model has them and was not stopped by the clock; `repeated`: for every class.
Result<UnitFit> stored_unit_with_counts(const Model& model, const Request& request, const TaughtRows& taught,
                                        Index place, Pool& pool, const Clock& clock, bool& repeated) {
  auto unit = stored_unit(model, taught, place, pool, clock);
  if (!unit || !repeated) return unit;
  const auto counts = counts_again(request, taught, unit->learned.point, pool, clock);
  repeated = counts.has_value();
  if (counts) unit->learned.counts = *counts;
  return unit;
}

} // namespace

Result<Certificate> verify_threshold_unit(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto sums = rows.sparse ? Result<FirstPass>() : first_pass_with_sums(rows, model.schema, pool, clock.watch());
  if (!sums) return std::unexpected(sums.error());
  const auto info = find_model(model.word);
  if (!info) return std::unexpected(info.error());
  const FitOptions options = options_of(model);
  const Request request{*info, copied(model.params), &options};
  const bool counted = !std::isnan(model.linear().classes.mistakes);
  bool repeated = counted && !model.certificate.stop.by_the_caller();
  const auto units = units_of(model.linear().standardised, model.schema, rows, pool, clock,
                              [&](const TaughtRows& taught, Index place) {
                                return stored_unit_with_counts(model, request, taught, place, pool, clock, repeated);
                              });
  if (!units) return std::unexpected(units.error());
  Certificate certificate =
      units->all.size() == 1 ? units->all[0].certificate : joined(units->all, model.schema.classes);
  LinearSummary again = summary_of(request, model.schema, units->all, sums->sums.get(), units->columns);
  if (!repeated) {
    const double accuracy = again.classes.accuracy;
    again.classes = model.linear().classes;
    again.classes.accuracy = accuracy;
    if (counted)
      certificate.conditions.emplace_back("the run was not repeated: its counts of mistakes and rows are as stored");
  }
  compare_figures(model, again, certificate);
  return certificate;
}

} // namespace recta
