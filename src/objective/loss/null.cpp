// The best constant. If the loss has curvature, it is found by Newton steps on b, and on the scale if that is fitted,
// halved until the objective falls; the majorant's curvature stands in while many rows have none. For piecewise linear
// losses, it is found by slopes at 17 points of an interval that is known to hold the answer; every pass makes the
// interval sixteen times shorter.
#include "objective/loss/facts.hpp"
#include "objective/loss/targets_alone.hpp"
#include "stats/curvature/curvature.hpp"
#include "stats/pass.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace recta {
namespace {

constexpr int kSteps = 60;

class Constant {
public:
  Constant(const LossObjective& objective, RowSource& rows, Pool& pool, const Watch& watch, LossFacts& facts)
      : objective_(objective), rows_(rows), pool_(pool), watch_(watch), facts_(facts) {}

  Result<void> by_newton() {
    start();
    if (auto done = look(1); !done) return done;
    double majorant = 1;
    for (int step = 0; step < kSteps; ++step) {
      const auto [db, ds] = direction();
      const double fall = -(db * at_.slope + ds * scale_slope()) / facts_.weight();
      if (!(fall > 1e-15 * std::abs(value_)) || (!objective_.intercept && !objective_.fitted_scale)) break;
      const double b = b_, s = scale_, before = value_;
      const Curvature old = at_;
      bool fell = false;
      for (double t = 1; t > 1e-6 && !fell; t /= 4) {
        b_ = b + t * db;
        scale_ = std::max(s + t * ds, s / 16);
        if (auto done = look(majorant * 0.1 > 1e-6 ? majorant * 0.1 : 0); !done) return done;
        fell = value_ < before;
      }
      majorant *= 0.1;
      if (fell) continue;
      b_ = b, scale_ = s, value_ = before, at_ = old;
      break;
    }
    return finished();
  }

private:
  void start() {
    const double mean = facts_.range.sum / facts_.weight();
    const bool log = objective_.at()->log_link();
    if (objective_.intercept) {
      b_ = log ? std::log(mean) : (facts_.sums.mean(facts_.sums.cols)).hi;
      if (log) b_ -= 0.5 * (facts_.range.least_offset + facts_.range.largest_offset);
    }
    const DoubleDouble square = facts_.sums.squares[facts_.sums.cols] / facts_.sums.weight;
    const double spread =
        objective_.intercept ? facts_.sums.deviation(facts_.sums.cols) : std::sqrt(std::max(0.0, square.hi));
    if (objective_.fitted_scale) scale_ = std::max(spread, 1e-300);
    least_scale_ = 1e-12 * scale_;
  }
  double scale_slope() const { return objective_.fitted_scale ? (facts_.weight() - at_.squares) / 2 : 0; }

  // The Newton step in b and the scale.
  std::pair<double, double> direction() const {
    const Gram& gram = at_.gram;
    if (!(gram.weight > 0)) return {0, 0};
    const double gb = objective_.intercept ? at_.slope : 0;
    if (!objective_.fitted_scale) return {objective_.intercept ? -gb / gram.weight : 0, 0};
    // The curvature is that of u = (1, t): with t about its mean the two separate.
    const double mean = objective_.intercept ? gram.mean[0] : 0;
    const double square = gram.scatter[0] + (objective_.intercept ? 0 : gram.weight * gram.mean[0] * gram.mean[0]);
    const double gs = scale_slope() - mean * gb;
    const double ds = square > 0 ? -gs / square : -scale_slope() > 0 ? scale_ : -scale_ / 2;
    return {objective_.intercept ? -gb / gram.weight - mean * ds : 0, ds};
  }

  Result<void> look(double majorant) {
    scale_ = std::max(scale_, least_scale_);
    auto point = std::make_shared<CurvaturePoint>();
    point->loss = objective_.at(scale_);
    point->b = b_;
    point->majorant = majorant;
    point->scale = objective_.fitted_scale;
    TargetsAlone alone(rows_);
    auto sums =
        fresh_pass(alone, Curvature(point), pool_, watch_, {.stage = "the best constant", .pass = facts_.passes});
    if (!sums) return std::unexpected(sums.error());
    ++facts_.passes;
    at_ = *std::move(sums);
    value_ = at_.loss / facts_.weight() + (objective_.fitted_scale ? scale_ / 2 : 0);
    return {};
  }

  Result<void> finished() {
    facts_.null_objective = value_;
    facts_.null_intercept = b_;
    facts_.null_scale = scale_;
    return {};
  }

  const LossObjective& objective_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  LossFacts& facts_;
  Curvature at_;
  double b_ = 0, scale_ = 1, least_scale_ = 0, value_ = 0;
};

constexpr std::size_t kPoints = 17;

// The loss and its slope at kPoints constants.
struct Slopes {
  std::shared_ptr<const loss::RowLoss> loss;
  std::array<double, kPoints> at{}, value{}, slope{};

  void accumulate(const Batch& batch) {
    PresentBlock block;
    block.take(batch, 0);
    std::vector<double> z(block.y.size()), d(z.size()), c(z.size());
    for (std::size_t k = 0; k < kPoints; ++k) {
      for (std::size_t i = 0; i < z.size(); ++i) z[i] = at[k] + block.offset[i];
      value[k] += loss->slopes({block.rows(), block.y.data(), z.data(), block.v.data()}, d.data(), c.data());
      for (std::size_t i = 0; i < z.size(); ++i) slope[k] += block.v[i] * d[i];
    }
  }
  bool finite() const { return true; }
  void merge(const Slopes& other) {
    for (std::size_t k = 0; k < kPoints; ++k) value[k] += other.value[k], slope[k] += other.slope[k];
  }
  std::string to_bytes() const {
    StateWriter out("slop");
    for (const auto* each : {&at, &value, &slope}) out.put(std::vector<double>(each->begin(), each->end()));
    return out.take();
  }
  static Result<Slopes> from_bytes(std::string_view bytes) {
    StateReader in("slop", bytes);
    Slopes out;
    for (auto* each : {&out.at, &out.value, &out.slope}) {
      const auto numbers = in.numbers(kPoints);
      if (in.good()) std::ranges::copy(numbers, each->begin());
    }
    if (!in.done()) return damaged_state("slopes of a loss");
    return out;
  }
};

Result<void> by_slopes(const LossObjective& objective, RowSource& rows, Pool& pool, const Watch& watch,
                       LossFacts& facts) {
  double low = objective.intercept ? facts.range.least_rest : 0,
         high = objective.intercept ? facts.range.largest_rest : 0;
  TargetsAlone alone(rows);
  for (int k = 0; k < 12; ++k) {
    Slopes empty;
    empty.loss = objective.at();
    for (std::size_t i = 0; i < kPoints; ++i) empty.at[i] = low + (high - low) * static_cast<double>(i) / (kPoints - 1);
    const auto slopes = fresh_pass(alone, empty, pool, watch, {.stage = "the best constant", .pass = facts.passes});
    if (!slopes) return std::unexpected(slopes.error());
    ++facts.passes;
    const auto best = static_cast<std::size_t>(std::ranges::min_element(slopes->value) - slopes->value.begin());
    facts.null_objective = slopes->value[best] / facts.weight();
    facts.null_intercept = empty.at[best];
    // A further step lowers the loss by at most the slope times its length.
    const double way = (high - low) / (kPoints - 1);
    if (std::abs(slopes->slope[best]) * way <= 1e-9 * slopes->value[best] || !(way > 0)) break;
    low = empty.at[best > 0 ? best - 1 : 0];
    high = empty.at[std::min(best + 1, kPoints - 1)];
  }
  return {};
}

// Without offsets the best constant probabilities are the shares of the classes.
bool closed_form(const LossObjective& objective, LossFacts& facts) {
  const TargetRange& range = facts.range;
  if (!objective.log_odds() || range.least_offset != 0 || range.largest_offset != 0) return false;
  const double w = facts.weight(), above = (w + range.sum) / 2, below = (w - range.sum) / 2;
  if (objective.intercept && !(above > 0 && below > 0)) return false;
  facts.null_intercept = objective.intercept ? std::log(above / below) : 0;
  facts.null_objective =
      objective.intercept ? (above * std::log(w / above) + below * std::log(w / below)) / w : std::numbers::ln2;
  return true;
}

} // namespace

bool LossObjective::log_odds() const {
  const loss::LossModel* model = loss::loss_model(loss);
  return model && model->log_odds;
}

Result<void> add_null(const LossObjective& objective, RowSource& rows, Pool& pool, const Watch& watch,
                      LossFacts& facts) {
  if (closed_form(objective, facts)) return {};
  const TargetRange& range = facts.range;
  if (objective.fitted_scale && range.least_rest == range.largest_rest &&
      (objective.intercept || range.least_rest == 0)) { // every row is fitted exactly, at scale zero
    facts.null_objective = facts.null_scale = 0;
    facts.null_intercept = range.least_rest;
    return {};
  }
  if (objective.at()->curved()) return Constant(objective, rows, pool, watch, facts).by_newton();
  return by_slopes(objective, rows, pool, watch, facts);
}

} // namespace recta
