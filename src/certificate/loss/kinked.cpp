#include "certificate/loss/kinked.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/loss/kink_dual.hpp"
#include "certificate/loss/verdict.hpp"
#include "certificate/pass.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kMostNear = 20000;

class KinkJudge {
public:
  KinkJudge(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch)
      : claimed_(claimed), facts_(*claimed.facts), rows_(rows), pool_(pool), watch_(watch),
        pieces_(loss::pieces(claimed.objective.loss, claimed.objective.parameter)) {
    for (const loss::Piece& piece : pieces_)
      low_ += piece.low, high_ += piece.high, shift_ = std::max(shift_, piece.shift);
    for (Index j = 0; j < rows.cols(); ++j) {
      const double unit = facts_.unit(claimed.objective, j);
      Term term{.a = claimed.objective.lambda1 * unit,
                .t = claimed.objective.lambda2 * unit * unit,
                .low = -kInfinity,
                .high = kInfinity};
      term.rounding = 64 * kUnit * term.a;
      if (claimed.objective.standardise) term.rounding += 64 * kUnit * term.t * std::abs(claimed.w[j]);
      term.left_out = facts_.sums.constant(j, claimed.objective.intercept);
      terms_.push_back(term);
    }
  }

  Result<LossChecked> run() {
    const Index y = facts_.sums.cols;
    const double size =
        std::sqrt(std::max(0.0, (facts_.sums.squares[y] / facts_.sums.weight).hi)) + std::abs(claimed_.b);
    double near = 1e-7 * size;
    for (int tries = 0;; ++tries, near *= 1e-4) {
      if (auto done = look(near, tries == 0); !done) return std::unexpected(done.error());
      if (sums_.count <= kMostNear || tries == 2) break;
    }
    add_objective();
    outcome_.gap = outcome_.objective; // d = 0
    outcome_.slack = 64 * kUnit * outcome_.objective + blur();
    if (auto done = search(near, size); !done) return std::unexpected(done.error());
    LossChecked checked;
    checked.certificate = verdict_of(claimed_, facts_, outcome_, passes_);
    checked.mean_loss = mean_loss_;
    checked.squares = sums_.residual_squares.hi;
    checked.rows = sums_.rows;
    for (Index j = 0; j < rows_.cols(); ++j)
      checked.rank += claimed_.objective.lambda1 > 0 ? claimed_.w[j] != 0 : !terms_[j].left_out;
    return checked;
  }

private:
  bool penalised() const { return claimed_.objective.lambda1 + claimed_.objective.lambda2 > 0; }
  bool holds() const { return outcome_.gap + outcome_.slack <= claimed_.tolerance * facts_.null_objective; }

  // Penalised columns forgive what they lack; where they are large beside their penalty they do not, and are met
  // exactly as well. Where rows at kinks are many, or their squares count, they are given d by a plane.
  Result<void> search(double near, double size) {
    for (const bool all : {false, true}) {
      if (holds() || (all && !penalised())) continue;
      if (auto done = stand(all); !done) return done;
      for (const double share : {1e-9, 1e-5, 1e-2, 1.0})
        if (sums_.count <= kMostNear && !holds()) consider(sums_, dual_->chosen(sums_, share * near), share * near);
    }
    if (sums_.count > kMostNear || claimed_.objective.fitted_scale || sums_.near.size() > 1000)
      for (const double share : {1e-14, 1e-11, 1e-8})
        if (!holds())
          if (auto done = spread(share * size); !done) return done;
    return {};
  }

  std::shared_ptr<KinkPoint> fresh_point(double near) const {
    auto point = std::make_shared<KinkPoint>();
    point->pieces = pieces_;
    point->w = claimed_.w;
    point->b = claimed_.b;
    point->near = near;
    point->most = static_cast<std::size_t>(kMostNear);
    return point;
  }
  Result<KinkSums> pass(std::shared_ptr<const KinkPoint> point) {
    auto sums = fresh_pass(rows_, KinkSums(std::move(point)), pool_, watch_, {"certifying", claimed_.passes + passes_});
    if (sums) ++passes_;
    return sums;
  }
  Result<void> look(double near, bool gather) {
    const auto point = fresh_point(near);
    point->gather = gather;
    auto sums = pass(point);
    if (!sums) return std::unexpected(sums.error());
    sums_ = *std::move(sums);
    if (gather) gram_ = std::move(sums_.gram);
    return {};
  }

  void add_objective() {
    DoubleDouble penalty = 0.0;
    for (std::size_t j = 0; j < terms_.size(); ++j) penalty += terms_[j].value(claimed_.w[j]);
    mean_loss_ = (sums_.value / sums_.weight).hi;
    outcome_.objective = mean_loss_ + penalty.hi;
    outcome_.floor = 16 * kUnit * (sums_.sum_abs / facts_.weight() + high_ - low_) * scale();
  }
  double blur() const { return (1 + 1e-9) * (high_ - low_) * sums_.blur / facts_.weight(); } // of the mean loss
  double scale() const {
    double total = std::abs(claimed_.b) + std::sqrt((facts_.sums.squares[facts_.sums.cols] / facts_.sums.weight).hi);
    for (Index j = 0; j < rows_.cols(); ++j)
      total += std::abs(claimed_.w[j]) * std::sqrt((facts_.sums.squares[j] / facts_.sums.weight).hi);
    return total;
  }

  // What is met exactly: columns without a penalty, or all that do not depend on others.
  Result<void> stand(bool all) {
    LossObjective plain = claimed_.objective;
    plain.lambda2 = all ? 0 : claimed_.objective.lambda1 + claimed_.objective.lambda2;
    plain.lambda1 = 0;
    geometry_.emplace(plain, facts_, gram_, claimed_.w, pool_);
    dual_.emplace(claimed_, terms_, *geometry_);
    if (!penalised()) outcome_.dependent = geometry_->dependent();
    LongestRow empty;
    empty.unit = std::make_shared<const std::vector<double>>(
        geometry_->unit().empty() ? std::vector<double>(claimed_.w.size()) : geometry_->unit());
    empty.centre = std::make_shared<const std::vector<double>>(geometry_->centre());
    empty.intercept = geometry_->unit_intercept();
    auto found = fresh_pass(rows_, empty, pool_, watch_, {"certifying", claimed_.passes + passes_});
    if (!found) return std::unexpected(found.error());
    ++passes_;
    longest_ = (1 + 1e-9) * std::sqrt(found->square);
    return {};
  }

  double target(const KinkLeft& rest, std::size_t j, double near) const {
    return dual_->target(j, (rest.columns[j] / facts_.weight()).hi, near);
  }
  bool exact(std::size_t j) const { return !geometry_->unit().empty() && geometry_->unit()[j] > 0; }

  // |D e| over what must be met exactly.
  double length(const KinkLeft& rest, double near) const {
    double square = std::pow(
        geometry_->unit_intercept() * (std::abs(rest.intercept.hi) + 2 * KinkSums::kRounding * rest.sum_abs), 2);
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      if (!exact(j)) continue;
      const DoubleDouble due = two_prod(facts_.weight(), target(rest, j, near));
      const double lacks = std::abs((rest.columns[j] - due).hi) + 4 * kUnit * kUnit * std::abs(due.hi);
      square += std::pow(geometry_->unit()[j] * (lacks + rest.error[j]), 2);
    }
    return (1 + 1e-9) * std::sqrt(square);
  }

  // By how much d is made smaller. `move`: what a row can be moved by, so that everything is met exactly.
  double shrinking(const KinkLeft& rest, const std::vector<double>& margin, double move) const {
    const double w = facts_.weight();
    double eta = move / std::min(-low_, high_) * (1 + 1e-9) + 4 * kUnit;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      if (!(terms_[j].a > 0) || terms_[j].t > 0) continue;
      const double g = exact(j) ? terms_[j].a : std::abs(rest.columns[j].hi) / w;
      if (g > 0) eta = std::max(eta, (g + margin[j] - terms_[j].a) / g * (1 + 1e-9) + 4 * kUnit);
    }
    if (claimed_.objective.fitted_scale) { // the root of the mean of squares, moved, is at most 1
      const double root = std::sqrt(rest.squares.hi / w) * (1 + 8 * kUnit);
      if (root + move > 1) eta = std::max(eta, (root + move - 1) / root * (1 + 1e-9) + 4 * kUnit);
    }
    return eta;
  }

  void consider(const KinkSums& sums, const std::vector<double>& d, double near) {
    if (d.size() != sums.near.size()) return;
    const KinkLeft rest = dual_->left(sums, d);
    const double w = facts_.weight(), least = geometry_->least_eigenvalue(), lacks = length(rest, near);
    const double move = least > 0 ? longest_ * lacks / least : 0;
    std::vector<double> margin;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const double moved = least > 0 ? std::sqrt(geometry_->square(static_cast<Index>(j)) / least) * lacks : 0;
      margin.push_back((exact(j) ? 0 : (rest.error[j] + moved) / w) + terms_[j].rounding);
    }
    const double eta = shrinking(rest, margin, move);
    if (!(eta < 1)) return;
    CompensatedSum gap, slack;
    gap.add(sums.near_gap / w);
    slack.add(1e-12 * sums.near_gap / w + 4 * kUnit * (high_ - low_) * sums.point->near + (1 + eta) * blur());
    for (std::size_t k = 0; k < d.size(); ++k) {
      const NearRow& row = sums.near[k];
      gap.add(row.weight / w * std::max(0.0, std::max(row.high * row.off, row.low * row.off) - d[k] * row.off));
    }
    gap.add(eta * mean_loss_);
    slack.add(move * (sums.distance / w + shift_));
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      if (terms_[j].left_out || (terms_[j].a == 0 && terms_[j].t == 0)) continue;
      const DoubleDouble g = (exact(j) ? DoubleDouble(target(rest, j, near)) : rest.columns[j] / w) * (1 - eta);
      const double here = conjugate_gap(terms_[j], claimed_.w[j], g).hi;
      const double worst = std::max(conjugate_gap(terms_[j], claimed_.w[j], g + margin[j]).hi,
                                    conjugate_gap(terms_[j], claimed_.w[j], g - margin[j]).hi);
      gap.add(here);
      slack.add(std::max(0.0, worst - here));
    }
    slack.add(64 * kUnit * gap.value());
    const double total = gap.value(), loose = slack.value();
    if (!std::isfinite(total + loose)) return;
    if (least > 0 && total + loose < outcome_.gap + outcome_.slack) {
      outcome_.gap = total, outcome_.slack = loose;
      outcome_.trivial = false;
    }
    if (!(least > 0)) outcome_.near = std::min(outcome_.near, total);
  }

  // d of all rows near a kink is <q, x - m> + q_b, cut off at the slopes: of all d that meet the constraints the one
  // with the least squares is of this form. Newton's steps in q, halved where they lead away.
  Result<void> spread(double near) {
    const Index p = rows_.cols();
    KinkPoint at = *fresh_point(near);
    at.spread = at.gather = true;
    at.q.assign(static_cast<std::size_t>(p), 0.0);
    at.centre = geometry_->centre();
    LossObjective plain = claimed_.objective;
    plain.lambda1 = plain.lambda2 = 0;
    DualStep last;
    double before = kInfinity, t = 1;
    for (int tries = 0; tries < 40 && !holds(); ++tries) {
      auto sums = pass(std::make_shared<const KinkPoint>(at));
      if (!sums) return std::unexpected(sums.error());
      consider(*sums, {}, near);
      const KinkLeft rest = dual_->left(*sums, {});
      const double now = length(rest, near);
      if (now < before) {
        before = now, t = 1;
        const Geometry own(plain, facts_, sums->gram, claimed_.w, pool_);
        if (!own.any()) return {};
        last = step_of(own, rest, near);
      } else {
        if (t < 1e-2) return {};
        add(at, last, t); // back by half of it
        t /= 2;
        add(at, last, -t);
        continue;
      }
      add(at, last, -1);
    }
    return {};
  }

  static void add(KinkPoint& at, const DualStep& step, double t) {
    for (std::size_t j = 0; j < at.q.size(); ++j) at.q[j] += t * step.q[j];
    at.q_b += t * step.q_b;
  }

  // About the centre of all rows; `own` has that of those with room.
  DualStep step_of(const Geometry& own, const KinkLeft& rest, double near) const {
    Shortfall e;
    e.intercept = rest.intercept.hi;
    const auto apart = [&](std::size_t j) {
      return own.centre().empty() ? 0 : own.centre()[j] - geometry_->centre()[j];
    };
    for (std::size_t j = 0; j < terms_.size(); ++j)
      e.columns.push_back(
          (rest.columns[j] - two_prod(facts_.weight(), target(rest, j, near)) - rest.intercept * apart(j)).hi);
    DualStep step = own.step(e);
    for (std::size_t j = 0; j < step.q.size(); ++j) step.q_b -= step.q[j] * apart(j);
    return step;
  }

  const LossClaimed& claimed_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  std::vector<loss::Piece> pieces_;
  double low_ = 0, high_ = 0, shift_ = 0, longest_ = 0, mean_loss_ = 0;
  std::vector<Term> terms_;
  KinkSums sums_;
  Gram gram_;
  std::optional<Geometry> geometry_;
  std::optional<KinkDual> dual_;
  LossOutcome outcome_;
  Index passes_ = 0;
};

} // namespace

Result<LossChecked> certify_kinked(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch) {
  return KinkJudge(claimed, rows, pool, watch).run();
}

} // namespace recta
