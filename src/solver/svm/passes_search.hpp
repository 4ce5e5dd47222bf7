// Shared by both searches by passes (by_passes.hpp, wide_by_passes.hpp): the facts of one machine, the best
// point and the best coefficients so far, and what follows a step of Newton's method on the smoothed loss that did not
// help. `Point` is what a pass is asked for, `Seen` a point with the sums that it gave.
#pragma once

#include "solver/svm/by_passes.hpp"
#include "solver/svm/margin_tally.hpp"

#include <algorithm>
#include <utility>

namespace recta::svm {

template <class Point, class Seen>
class PassesSearch {
public:
  bool done() const { return done_; }
  const Point& question() const { return asked_; }
  void give_up() { done_ = gave_up_ = true; }

  PassesMachine answer() const { return {primal_at_, dual_at_, dual_width_, objective_.cost, weight_, gave_up_}; }
  bool has_answer() const { return !dual_at_.empty(); }

protected:
  using Numbers = std::vector<double>;
  enum class Step : std::uint8_t { look, newton, band };

  static constexpr double kNarrower = 5;  // the factor between widths
  static constexpr double kSettled = 0.3; // of the cost of smoothing: a Newton step that promises less has settled
  static constexpr double kFilled = 0.7;  // of what can be held, so that there is room after a step
  static constexpr int kStalls = 3;
  static constexpr double kLeastWidth = 1e-10; // scores are rounded to 1e-15 or so
  static constexpr double kFinest = 1e-13;     // of the null cost: nothing smaller is searched for

  PassesSearch(const PassesProblem& problem, const Sides& sides)
      : problem_(problem), size_(std::ssize(problem.centre) + 1) {
    objective_.square.assign(at(size_), 1.0);
    const double scale = problem.intercept_scale;
    objective_.square.back() = scale > 0 ? 1 / (scale * scale) : 0;
    asked_.sides = sides;
    // At w = 0 every lack is 1, in the middle of this width. All rows are held if they are few.
    ask(Numbers(at(size_)), smooth_loss() ? 1 : 2, smooth_loss() ? 0 : kInfinity);
  }

  bool smooth_loss() const { return squared(problem_.loss); }
  bool free_intercept() const { return problem_.intercept && problem_.intercept_scale == 0; }
  double penalty(const Numbers& at) const { return objective_.penalty(at); }

  void ask(Numbers at, double width, double band, Step step = Step::look) {
    Point point;
    point.sides = asked_.sides, point.at = std::move(at), point.width = width, point.band = band;
    if (step != Step::look) point.from = here_.at;
    asked_ = std::move(point), step_ = step;
  }
  void finish() { done_ = true; }

  // Takes the facts about all rows from the first pass. `zone`: rows that lie within the last width, about. False: one
  // side has no weight, and the answer is known.
  bool begin(const MarginTally& sums, double zone) {
    const double minus = sums.weight[0], plus = sums.weight[1];
    weight_ = minus + plus, objective_.cost = problem_.cost(weight_);
    const double cost = objective_.cost;
    if (!free_intercept())
      null_ = cost * weight_ / (smooth_loss() ? 2 : 1);
    else
      null_ = 2 * cost * (smooth_loss() ? minus * (plus / weight_) : std::min(minus, plus));
    goal_ = std::max(problem_.tolerance, kFinest) * null_;
    band_width_ = std::max(kLeastWidth, 0.8 * goal_ / (cost * sums.heaviest * zone)); // a row costs at most width / 4
    primal_at_ = asked_.at, least_ = null_;                                           // w = 0 and its best intercept
    if (free_intercept()) primal_at_.back() = smooth_loss() ? (plus - minus) / weight_ : plus > minus ? 1 : -1;
    if (null_ > 0 && band_width_ > 0) return true;
    dual_at_ = primal_at_;
    finish();
    return false;
  }

  // Keeps what is better than before: the point, or its coefficients. Returns the gap between the best of both.
  double keep(const Seen& seen) {
    const double dual = seen.primal - seen.gap;
    const bool near = seen.gap <= goal_ / 2;
    if (near || seen.primal < least_) primal_at_ = seen.at, least_ = seen.primal;
    if (near || !(dual <= most_)) dual_at_ = seen.at, dual_width_ = seen.width, most_ = dual;
    return near ? seen.gap : least_ - most_;
  }

  void judge(Seen& seen) const {
    const double penalised = penalty(seen.at);
    seen.primal = penalised + objective_.cost * seen.sums.loss;
    seen.smooth = penalised + objective_.cost * seen.sums.smooth;
    seen.gap = objective_.gap(seen.at, seen.sums, free_intercept());
  }

  Numbers towards(const Numbers& to, double share) const { return on_way(here_.at, to, share); }

  // Whether the objective fell; otherwise asks for the best point on the way.
  bool newton_succeeds(const Seen& seen) {
    const double start = penalty(here_.at) + objective_.cost * seen.sums.smooth_on_way[0]; // at the width of now
    const double least = seen.width == here_.width ? 1e-4 * fall_ : 0;
    if (seen.smooth <= start - least || fall_ <= 1e-13 * here_.smooth) return true;
    const double share = objective_.best_share(here_.at, seen.at, seen.sums.smooth_on_way);
    if (share == 0 && seen.width == here_.width) return stalled(), false;
    ask(towards(seen.at, share), seen.width, asked_.band);
    return false;
  }

  // The point is as good as it gets, but at a width so small that its coefficients are coarse by rounding. What
  // smoothing takes from the dual goes with the square of the width: a wider one gives the coefficients to this point.
  void widen() {
    constexpr double kWider = 1e3;
    if (smooth_loss() || takes_ > 0) return give_up();
    takes_ = 8, stalls_ = 0;
    ask(here_.at, here_.width * kWider, 0);
  }

  // No step helps at this width. If there is none to be gained, a narrower one, from the same point; otherwise the zone
  // has too few rows, and a wider one.
  void stalled() {
    if (smooth_loss() || ++stalls_ > 2 * kStalls) return widen();
    const bool settled = fall_ <= 1e-10 * here_.smooth;
    ask(here_.at, settled ? here_.width / kNarrower : here_.width * kNarrower, 0);
  }

  // The width of steps by held rows, as smoothing cost at the last one.
  void adapt_band_width(double smoothing) {
    if (smoothing < goal_ / 6) band_width_ *= 2.5;
    if (smoothing > goal_ / 2) band_width_ = std::max(kLeastWidth, band_width_ / 2.5);
  }

  const PassesProblem& problem_;
  Index size_;
  MarginObjective objective_;
  double weight_ = 0, null_ = 0, goal_ = 0, band_width_ = 0, fall_ = 0;
  Point asked_;
  Step step_ = Step::look;
  Seen here_;
  Numbers primal_at_, dual_at_;
  double least_ = kInfinity, most_ = -kInfinity, dual_width_ = 1; // P of the one, D of the other
  bool done_ = false, gave_up_ = false, wants_band_ = false, band_failed_ = false;
  Index band_rounds_ = 0;
  int stalls_ = 0, takes_ = 0; // takes: passes that are left, 0: any number
};

} // namespace recta::svm
