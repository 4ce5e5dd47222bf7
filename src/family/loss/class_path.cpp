#include "family/loss/class_path.hpp"

#include "base/numbers.hpp"
#include "data/split/class_folds.hpp"
#include "design/changed_rows.hpp"
#include "family/loss/class_path_fit.hpp"
#include "family/loss/request.hpp"
#include "feature/classes.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"
#include "select/criteria.hpp"
#include "solver/gradient_descent/held_rows.hpp"
#include "solver/least_squares.hpp"
#include "stats/softmax/softmax.hpp"
#include "summary/descent.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace recta {
namespace {

// The rows with other weights.
class Reweighted final : public PassedOnRows {
public:
  Reweighted(HeldRows& rows, std::vector<double> weight) : PassedOnRows(rows), weight_(std::move(weight)) {}

private:
  void adjust(Batch& batch) const override {
    batch.weight =
        std::span(weight_).subspan(static_cast<std::size_t>(batch.first_row), static_cast<std::size_t>(batch.rows()));
  }

  std::vector<double> weight_;
};

class ClassPath {
public:
  ClassPath(const ClassPathKind& kind, const Request& request, const Schema& schema, const Rows& rows,
            const PathOptions& how, const Clock& clock)
      : kind_(kind), request_(request), schema_(schema), rows_(rows), how_(how), pool_(request.options->threads),
        task_{schema, clock, pool_, {}}, classes_(schema.classes.count()) {}

  Result<Path> run() {
    if (auto good = check(); !good) return std::unexpected(good.error());
    const std::string& word = request_.info->word;
    auto objective =
        loss_objective(word, request_.params, 1, request_.options->intercept, request_.options->standardise);
    if (!objective) return std::unexpected(objective.error());
    task_.objective = *std::move(objective);
    const double share = number(request_.params, "l1-share");
    path_.l1_share = std::isnan(share) ? 0 : share;
    auto held = HeldRows::hold(rows_.source, Dense::by_row, &pool_);
    if (!held) return std::unexpected(held.error());
    held_ = *std::move(held);
    for (const double y : held_->target(0)) class_of_.push_back(softmax_class(y, classes_));
    weight_ = held_->weight().empty() ? std::vector<double>(class_of_.size(), 1.0) : held_->weight();
    describe();
    if (auto done = all_rows(); !done) return std::unexpected(done.error());
    if (auto done = folds(); !done) return std::unexpected(done.error());
    return std::move(path_);
  }

private:
  Result<void> check() const {
    const auto refuse = [&](const std::string& what, const char* cure) {
      return fail(ErrorCode::usage, rows_.name, what, cure);
    };
    if (auto good = select::check_no_closed_form(request_.info->word, how_); !good) return good;
    if (!rows_.source.rows()) return refuse("a path of classes reads its rows many times", "leave out --stream");
    if (descends(request_.params))
      return refuse("the points of a path are solved, not reached by a descent", "leave out the solver");
    if (!how_.fold_of.empty() && static_cast<Index>(how_.fold_of.size()) != *rows_.source.rows())
      return refuse(fmt::format("{} rows and the folds of {}", *rows_.source.rows(), how_.fold_of.size()),
                    "give every row its fold");
    return kind_.check(request_, schema_, rows_, how_);
  }

  void describe() {
    path_.word = request_.info->word;
    path_.measure = "log-loss";
    path_.target = schema_.targets.empty() ? "y" : schema_.targets[0];
    path_.features = feature::feature_names(schema_);
    if (kind_.score_per_class) path_.classes = schema_.classes.labels;
    path_.objective = loss_objective_text(at_strength(1), !schema_.offset.empty());
    if (path_.l1_share > 0) path_.objective += fmt::format(",  lambda1 = {} lambda", path_.l1_share);
    if (path_.l1_share > 0 && path_.l1_share < 1)
      path_.objective += fmt::format(",  lambda2 = {} lambda", 1 - path_.l1_share);
  }

  LossObjective at_strength(double lambda) const {
    LossObjective out = task_.objective;
    out.lambda1 = path_.l1_share * lambda;
    out.lambda2 = (1 - path_.l1_share) * lambda;
    return out;
  }

  std::vector<double> weight_of_classes(const std::vector<double>& weight) const {
    std::vector<double> out(static_cast<std::size_t>(classes_));
    for (std::size_t i = 0; i < weight.size(); ++i) out[static_cast<std::size_t>(class_of_[i])] += weight[i];
    return out;
  }
  const std::string& label_of(Index k) const {
    const double number = classes_ == 2 ? (k == 1 ? 1 : -1) : static_cast<double>(k);
    return schema_.classes.labels[static_cast<std::size_t>(feature::class_place(schema_.classes, number))];
  }
  Result<std::unique_ptr<ClassPathFit>> fit_to(RowSource& source, const std::vector<double>& class_weight) const {
    const Rows rows{source, rows_.name, rows_.sparse};
    return kind_.fit(task_, rows, class_weight);
  }

  // From the least strength without any coefficient; for squares alone, from the most that the loss can curve along all
  // columns together.
  Result<void> find_strengths(ClassPathFit& fit) {
    lambdas_ = how_.lambdas;
    std::ranges::sort(lambdas_, std::greater());
    const bool squares = path_.l1_share == 0;
    const auto slopes = squares ? Result<std::vector<double>>{} : fit.null_slopes();
    if (!slopes) return std::unexpected(slopes.error());
    double largest = 0, spread = 0;
    for (Index j = 0; j < held_->cols(); ++j) {
      const double unit = fit.facts().unit(task_.objective, j), sd = fit.facts().sums.deviation(j);
      if (!(unit > 0)) continue;
      if (!squares) largest = std::max(largest, (*slopes)[j] / unit);
      spread += sd * sd / (unit * unit);
    }
    path_.lambda_max = squares ? std::numeric_limits<double>::infinity() : largest / path_.l1_share;
    const double ratio = how_.ratio > 0 ? how_.ratio : squares ? 1e-6 : *held_->rows() > held_->cols() ? 1e-4 : 1e-3;
    if (lambdas_.empty())
      lambdas_ = select::lambda_grid(squares ? fit.most_curvature() * spread : path_.lambda_max, ratio, how_.count);
    return {};
  }

  Result<void> all_rows() {
    const auto fit = fit_to(*held_, weight_of_classes(weight_));
    if (!fit) return std::unexpected(fit.error());
    if (auto done = find_strengths(**fit); !done) return done;
    const auto together = how_.prove ? Result<bool>(false) : points_together(**fit);
    if (!together) return std::unexpected(together.error());
    for (const double lambda : *together ? std::vector<double>{} : lambdas_) {
      const auto done = one_point(lambda, **fit);
      if (done) continue;
      if (done.error().code != ErrorCode::interrupted || path_.points.empty()) return done;
      path_.stopped = PathStop{task_.clock.stop_reason(), PathStop::Stage::points, lambda, std::ssize(lambdas_)};
      break;
    }
    path_.passes += (*fit)->passes();
    return {};
  }

  // False: they are to be solved one by one.
  Result<bool> points_together(ClassPathFit& fit) {
    std::vector<LossObjective> objectives;
    for (const double lambda : lambdas_) objectives.push_back(at_strength(lambda));
    const auto answers = fit.solve_together(objectives, request_.options->tolerance);
    if (!answers) return std::unexpected(answers.error());
    for (std::size_t k = 0; k < answers->size(); ++k) path_.points.push_back(point_of(lambdas_[k], (*answers)[k]));
    return !answers->empty();
  }

  Result<void> one_point(double lambda, ClassPathFit& fit) {
    const LossObjective objective = at_strength(lambda);
    if (auto done = fit.solve(objective, request_.options->tolerance); !done) return done;
    PathPoint point = point_of(lambda, {fit.weights(), fit.constants()});
    if (how_.prove) {
      const auto proved = fit.prove(objective, request_.options->tolerance);
      if (!proved) return std::unexpected(proved.error());
      path_.rows = proved->rows;
      add_proof(point, fit, *proved);
    }
    path_.points.push_back(std::move(point));
    return {};
  }

  PathPoint point_of(double lambda, const ClassAnswer& answer) const {
    PathPoint point;
    point.lambda = lambda;
    point.coefficients = answer.w;
    if (kind_.score_per_class)
      point.intercepts = answer.b, point.intercept = kNaN;
    else
      point.intercept = answer.b[0];
    count_columns(point);
    for (double PathPoint::* none :
         {&PathPoint::mse, &PathPoint::r2, &PathPoint::gcv, &PathPoint::cp, &PathPoint::loo_mse, &PathPoint::cv_error,
          &PathPoint::cv_standard_error, &PathPoint::objective, &PathPoint::gap, &PathPoint::log_loss, &PathPoint::d2,
          &PathPoint::aic, &PathPoint::bic})
      point.*none = kNaN;
    return point;
  }

  void add_proof(PathPoint& point, const ClassPathFit& fit, const ProvedPoint& proved) const {
    point.objective = proved.certificate.objective;
    const auto* gap = std::get_if<DualityGap>(&proved.certificate.claim);
    point.gap = gap ? gap->gap : 0;
    point.checked = true;
    point.proved = proved.certificate.verdict == Verdict::proved;
    point.conditions = proved.certificate.conditions;
    point.log_loss = proved.mean_loss;
    const double null = fit.facts().null_objective;
    point.d2 = null > 0 ? std::max(0.0, 1 - proved.mean_loss / null) : kNaN; // below zero by rounding alone
    const double n = fit.facts().weight();
    const double d = point.degrees_of_freedom + (task_.objective.intercept ? static_cast<double>(classes_ - 1) : 0);
    point.aic = 2 * n * point.log_loss + 2 * d;
    point.bic = 2 * n * point.log_loss + d * std::log(n);
  }

  // Shifting the weights of a column alike in all classes changes no probability: those of one class are not free.
  void count_columns(PathPoint& point) const {
    const Index p = held_->cols();
    double free = 0;
    for (Index j = 0; j < p; ++j) {
      Index used = 0;
      for (Index s = j; s < std::ssize(point.coefficients); s += p) used += point.coefficients[s] != 0;
      point.nonzero += used > 0;
      free += static_cast<double>(std::min(used, classes_ - 1));
    }
    point.degrees_of_freedom = path_.l1_share > 0 ? free : kNaN;
  }

  // The rows of each class are dealt out to the folds separately; those of weight zero are in no fold.
  std::vector<std::int32_t> fold_of() const {
    if (!how_.fold_of.empty()) return how_.fold_of;
    std::vector<bool> used;
    for (const double weight : weight_) used.push_back(weight > 0);
    Folds how{.count = how_.folds, .seed = how_.seed};
    if (how_.contiguous) how.kind = Folds::Kind::contiguous;
    return class_folds({class_of_.begin(), class_of_.end()}, used, how);
  }

  Result<void> folds() {
    if (how_.folds == 0 || path_.stopped) return {};
    const std::vector<std::int32_t> of = fold_of();
    std::vector<double> fold_weight;
    for (Index k = 0; k < how_.folds; ++k) {
      std::vector<double> training = weight_, left_out(weight_.size());
      double out = 0;
      for (std::size_t i = 0; i < of.size(); ++i)
        if (of[i] == k) left_out[i] = weight_[i], training[i] = 0, out += weight_[i];
      if (!(out > 0))
        return fail(ErrorCode::bad_data, rows_.name, fmt::format("no row is in fold {}", k), "ask for fewer folds");
      fold_weight.push_back(out);
      if (auto done = one_fold(k, std::move(training), std::move(left_out)); !done)
        return done.error().code == ErrorCode::interrupted ? without_folds() : done;
    }
    for (PathPoint& point : path_.points) select::add_cross_validation(point, fold_weight);
    return {};
  }

  // There are points already: results of only some of the folds are not kept.
  Result<void> without_folds() {
    path_.stopped = PathStop{task_.clock.stop_reason(), PathStop::Stage::folds, kNaN, std::ssize(lambdas_)};
    for (PathPoint& point : path_.points) select::forget_folds(point);
    return {};
  }

  Result<void> one_fold(Index number, std::vector<double> training, std::vector<double> left_out) {
    const std::vector<double> class_weight = weight_of_classes(training);
    if (const auto none = std::ranges::find(class_weight, 0.0); none != class_weight.end()) {
      const std::string& label = label_of(none - class_weight.begin());
      return fail(ErrorCode::bad_data, rows_.name,
                  fmt::format("without fold {} there is no row of the class \"{}\"", number, label),
                  "ask for more folds, leave their rows to be dealt out, or leave out classes of one row");
    }
    Reweighted rows(*held_, std::move(training)), others(*held_, std::move(left_out));
    const auto fit = fit_to(rows, class_weight);
    if (!fit) return std::unexpected(fit.error());
    for (PathPoint& point : path_.points) {
      if (auto done = (*fit)->solve(at_strength(point.lambda), request_.options->tolerance); !done) return done;
      const auto loss = (*fit)->mean_loss(others);
      if (!loss) return std::unexpected(loss.error());
      point.fold_error.push_back(*loss);
    }
    path_.passes += (*fit)->passes();
    return {};
  }

  const ClassPathKind& kind_;
  const Request& request_;
  const Schema& schema_;
  const Rows& rows_;
  const PathOptions& how_;
  Pool pool_;
  PathTask task_;
  Index classes_;
  std::unique_ptr<HeldRows> held_;
  std::vector<Index> class_of_; // of every row, counted as softmax does
  std::vector<double> weight_, lambdas_;
  Path path_;
};

} // namespace

Result<Path> class_path(const ClassPathKind& kind, const Request& request, const Schema& schema, const Rows& rows,
                        const PathOptions& how, const Clock& clock) {
  return ClassPath(kind, request, schema, rows, how, clock).run();
}

} // namespace recta
