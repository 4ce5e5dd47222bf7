#include "dispatch/class_path.hpp"

#include "certificate/loss/certify.hpp"
#include "certificate/pass.hpp"
#include "dispatch/descent.hpp"
#include "dispatch/loss_order.hpp"
#include "dispatch/params.hpp"
#include "feature/schema.hpp"
#include "select/criteria.hpp"
#include "solver/gradient_descent/descent_loss.hpp"
#include "solver/least_squares.hpp"
#include "solver/newton/proximal.hpp"
#include "stats/fold_grams/folds.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace recta {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kFoldTolerance = 1e-8; // of the fits to parts of the rows, which are compared and not kept

// Rows with other weights.
class Reweighted final : public RowSource {
public:
  Reweighted(HeldRows& rows, std::vector<double> weight) : rows_(rows), weight_(std::move(weight)) {}
  Index cols() const override { return rows_.cols(); }
  Index targets() const override { return rows_.targets(); }
  std::optional<Index> rows() const override { return rows_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override { return rows_.scratch(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override { return rows_.claim(scratch); }
  Result<Batch> load(BlockScratch& scratch) const override {
    auto batch = rows_.load(scratch);
    if (batch)
      batch->weight = std::span(weight_).subspan(static_cast<std::size_t>(batch->first_row),
                                                 static_cast<std::size_t>(batch->rows()));
    return batch;
  }
  Result<void> rewind() override { return rows_.rewind(); }

private:
  HeldRows& rows_;
  std::vector<double> weight_;
};

struct At {
  std::vector<double> w;
  double b = 0;
};

class LogisticPath {
public:
  LogisticPath(const Order& order, const Schema& schema, const Rows& rows, const PathOptions& how, const Clock& clock)
      : order_(order), schema_(schema), rows_(rows), how_(how), clock_(clock), pool_(order.options->threads) {}

  Result<Path> run() {
    if (auto good = check(); !good) return std::unexpected(good.error());
    auto objective = loss_order("logistic", order_.params, 1, order_.options->intercept, order_.options->standardise);
    if (!objective) return std::unexpected(objective.error());
    objective_ = *std::move(objective);
    const double share = number(order_.params, "l1-share");
    path_.l1_share = std::isnan(share) ? 0 : share;
    auto held = HeldRows::hold(rows_.source);
    if (!held) return std::unexpected(held.error());
    held_ = *std::move(held);
    y_ = held_->target(0);
    weight_ = held_->weight().empty() ? std::vector<double>(y_.size(), 1.0) : held_->weight();
    if (auto done = all_rows(); !done) return std::unexpected(done.error());
    if (auto done = folds(); !done) return std::unexpected(done.error());
    return std::move(path_);
  }

private:
  Result<void> check() const {
    const auto refuse = [&](const std::string& what, const char* cure) {
      return fail(ErrorCode::usage, rows_.name, what, cure);
    };
    if (schema_.classes.count() != 2)
      return refuse(fmt::format("there are {} classes, and logistic separates two", schema_.classes.count()),
                    "LogisticRegressionCV of the Python package chooses a penalty for more");
    if (descends(order_.params))
      return refuse("the points of a path are solved and not descended to", "leave out the solver");
    if (!rows_.source.rows())
      return refuse("a path of logistic regression reads its rows many times", "leave out --stream");
    if (rows_.source.cols() > kGramCols)
      return refuse(fmt::format("{} columns are too many for the p x p sums of a path", rows_.source.cols()),
                    "choose fewer columns");
    if (!how_.fold_of.empty() && static_cast<Index>(how_.fold_of.size()) != *rows_.source.rows())
      return refuse(fmt::format("{} rows and the folds of {}", *rows_.source.rows(), how_.fold_of.size()),
                    "give every row its fold");
    return {};
  }

  LossObjective at_strength(double lambda) const {
    LossObjective out = objective_;
    out.lambda1 = path_.l1_share * lambda;
    out.lambda2 = (1 - path_.l1_share) * lambda;
    return out;
  }

  Result<LossFacts> facts_of(RowSource& rows) {
    auto facts = loss_facts(rows, pool_, clock_.watch(), places_of(schema_, rows_.name));
    if (!facts) return facts;
    if (auto done = add_null(objective_, rows, pool_, clock_.watch(), *facts); !done)
      return std::unexpected(done.error());
    path_.passes += 1 + facts->passes;
    return facts;
  }

  // From where the last point was.
  Result<void> solve(double lambda, double tolerance, const LossFacts& facts, RowSource& rows, At& at) {
    NewtonProblem problem{at_strength(lambda), &facts, tolerance};
    problem.start = at.w;
    problem.start.push_back(at.b);
    Result<NewtonSolution> found;
    if (problem.objective.lambda1 > 0) {
      auto proximal = solve_by_proximal_newton(problem, rows, pool_, clock_.watch());
      if (!proximal) return std::unexpected(proximal.error());
      found = std::move(proximal->newton);
    } else {
      found = solve_by_newton(problem, rows, pool_, clock_.watch());
    }
    if (!found) return std::unexpected(found.error());
    if (found->interrupted) return fail(ErrorCode::interrupted, rows_.name, "stopped: " + clock_.stop_reason());
    path_.passes += found->passes;
    at = {found->w, found->b};
    return {};
  }

  Result<double> mean_loss(RowSource& rows, const At& at, std::vector<double>* gradient = nullptr) {
    auto point = std::make_shared<LossPoint>();
    *point = {descent_loss("logistic").value().of_rows, at.w, at.b, 0};
    const auto sums =
        fresh_pass(rows, LossGradient(point), pool_, clock_.watch(), {"following the path", path_.passes});
    if (!sums) return std::unexpected(sums.error());
    ++path_.passes;
    if (gradient)
      for (const double g : sums->gradient) gradient->push_back(g / sums->weight);
    return sums->loss / sums->weight;
  }

  // From the least strength without any coefficient; of squares alone from a quarter of the columns' variances, summed.
  Result<void> find_strengths(const LossFacts& facts) {
    lambdas_ = how_.lambdas;
    std::ranges::sort(lambdas_, std::greater());
    std::vector<double> gradient;
    const At null{std::vector<double>(static_cast<std::size_t>(held_->cols())), facts.null_intercept};
    if (const auto done = mean_loss(*held_, null, &gradient); !done) return std::unexpected(done.error());
    double largest = 0, spread = 0;
    for (Index j = 0; j < held_->cols(); ++j) {
      const double unit = facts.unit(objective_, j), sd = facts.sums.deviation(j);
      if (unit > 0) largest = std::max(largest, std::abs(gradient[j]) / unit), spread += sd * sd / (unit * unit);
    }
    const bool squares = path_.l1_share == 0;
    path_.lambda_max = squares ? std::numeric_limits<double>::infinity() : largest / path_.l1_share;
    const double ratio = how_.ratio > 0 ? how_.ratio : squares ? 1e-6 : *held_->rows() > held_->cols() ? 1e-4 : 1e-3;
    if (lambdas_.empty()) lambdas_ = select::lambda_grid(squares ? spread / 4 : path_.lambda_max, ratio, how_.count);
    return {};
  }

  Result<void> all_rows() {
    const auto facts = facts_of(*held_);
    if (!facts) return std::unexpected(facts.error());
    if (auto done = find_strengths(*facts); !done) return done;
    path_.word = "logistic";
    path_.measure = "log-loss";
    path_.target = schema_.targets.empty() ? "y" : schema_.targets[0];
    path_.features = feature::feature_names(schema_);
    path_.objective = loss_objective_text(at_strength(1), !schema_.offset.empty());
    if (path_.l1_share > 0) path_.objective += fmt::format(",  lambda1 = {} lambda", path_.l1_share);
    if (path_.l1_share > 0 && path_.l1_share < 1)
      path_.objective += fmt::format(",  lambda2 = {} lambda", 1 - path_.l1_share);
    At at{std::vector<double>(static_cast<std::size_t>(held_->cols())), facts->null_intercept};
    for (const double lambda : lambdas_) {
      if (auto done = solve(lambda, order_.options->tolerance, *facts, *held_, at); !done) return done;
      const LossClaimed claimed{
          .objective = at_strength(lambda), .facts = &*facts, .w = at.w, .b = at.b, .gave_up = true};
      const auto checked = certify(claimed, nullptr, held_.get(), pool_, clock_.watch());
      if (!checked) return std::unexpected(checked.error());
      ++path_.passes;
      path_.rows = checked->rows;
      add_point(lambda, at, *checked, *facts);
    }
    return {};
  }

  void add_point(double lambda, const At& at, const LossChecked& checked, const LossFacts& facts) {
    PathPoint point;
    point.lambda = lambda;
    point.coefficients = at.w;
    point.intercept = at.b;
    point.nonzero = std::ranges::count_if(at.w, [](double w) { return w != 0; });
    point.degrees_of_freedom = path_.l1_share > 0 ? static_cast<double>(point.nonzero) : kNone;
    point.objective = checked.certificate.objective;
    if (const auto* gap = std::get_if<DualityGap>(&checked.certificate.claim)) point.gap = gap->gap;
    point.mse = point.r2 = point.gcv = point.cp = point.loo_mse = point.cv_error = point.cv_standard_error = kNone;
    point.log_loss = checked.mean_loss;
    point.d2 = facts.null_objective > 0 ? 1 - checked.mean_loss / facts.null_objective : kNone;
    const double d = point.degrees_of_freedom + (objective_.intercept ? 1 : 0), n = facts.weight();
    point.aic = 2 * n * point.log_loss + 2 * d;
    point.bic = 2 * n * point.log_loss + d * std::log(n);
    path_.points.push_back(std::move(point));
  }

  // The rows of a class are dealt out among themselves, those of weight zero to nobody.
  std::vector<std::int32_t> fold_of() const {
    if (!how_.fold_of.empty()) return how_.fold_of;
    std::vector<std::int32_t> out(y_.size(), -1);
    for (const bool positive : {false, true}) {
      std::vector<std::size_t> own;
      for (std::size_t i = 0; i < y_.size(); ++i)
        if (weight_[i] > 0 && (y_[i] > 0) == positive) own.push_back(i);
      Folds folds{.count = how_.folds, .seed = how_.seed + (positive ? 1 : 0)};
      if (how_.contiguous) folds.kind = Folds::Kind::contiguous, folds.rows = std::ssize(own);
      const auto dealt = folds.assign(0, std::ssize(own));
      for (std::size_t i = 0; i < own.size(); ++i) out[own[i]] = dealt[i];
    }
    return out;
  }

  Result<void> folds() {
    if (how_.folds == 0) return {};
    const std::vector<std::int32_t> of = fold_of();
    std::vector<double> fold_weight;
    for (Index k = 0; k < how_.folds; ++k) {
      std::vector<double> training = weight_, left_out(weight_.size());
      double both[2] = {}, out = 0;
      for (std::size_t i = 0; i < of.size(); ++i) {
        if (of[i] == k) left_out[i] = weight_[i], training[i] = 0, out += weight_[i];
        both[y_[i] > 0 ? 1 : 0] += training[i];
      }
      if (!(out > 0))
        return fail(ErrorCode::bad_data, rows_.name, fmt::format("no row is in fold {}", k), "ask for fewer folds");
      if (!(both[0] > 0 && both[1] > 0))
        return fail(ErrorCode::bad_data, rows_.name, fmt::format("without fold {} there is one class alone", k),
                    "ask for more folds, or leave their rows to be dealt out");
      fold_weight.push_back(out);
      if (auto done = one_fold(std::move(training), std::move(left_out)); !done) return done;
    }
    for (PathPoint& point : path_.points) select::add_cross_validation(point, fold_weight);
    return {};
  }

  Result<void> one_fold(std::vector<double> training, std::vector<double> left_out) {
    Reweighted rows(*held_, std::move(training)), others(*held_, std::move(left_out));
    const auto facts = facts_of(rows);
    if (!facts) return std::unexpected(facts.error());
    At at{std::vector<double>(static_cast<std::size_t>(held_->cols())), facts->null_intercept};
    const double tolerance = std::max(order_.options->tolerance, kFoldTolerance);
    for (PathPoint& point : path_.points) {
      if (auto done = solve(point.lambda, tolerance, *facts, rows, at); !done) return done;
      const auto loss = mean_loss(others, at);
      if (!loss) return std::unexpected(loss.error());
      point.fold_error.push_back(*loss);
    }
    return {};
  }

  const Order& order_;
  const Schema& schema_;
  const Rows& rows_;
  const PathOptions& how_;
  const Clock& clock_;
  Pool pool_;
  LossObjective objective_;
  std::unique_ptr<HeldRows> held_;
  std::vector<double> y_, weight_, lambdas_;
  Path path_;
};

} // namespace

Result<Path> logistic_path(const Order& order, const Schema& schema, const Rows& rows, const PathOptions& how,
                           const Clock& clock) {
  return LogisticPath(order, schema, rows, how, clock).run();
}

} // namespace recta
