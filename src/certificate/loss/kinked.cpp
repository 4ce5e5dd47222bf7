#include "certificate/loss/kinked.hpp"

#include "base/sums.hpp"
#include "certificate/elastic_net/facts.hpp"
#include "certificate/loss/bounded.hpp"
#include "certificate/loss/geometry.hpp"
#include "certificate/loss/kink_sums.hpp"
#include "certificate/loss/verdict.hpp"
#include "certificate/pass.hpp"

#include <cmath>

namespace recta {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kMostNear = 20000;
// What a column with lambda2 lacks costs its square only, while the intercept must be met: it weighs less.
constexpr double kForgiving = 1e-3;

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
    outcome_.slack = 64 * kUnit * outcome_.objective;
    LossObjective plain = claimed_.objective; // what must be met exactly has no penalty of either kind
    plain.lambda2 = claimed_.objective.lambda1 + claimed_.objective.lambda2;
    plain.lambda1 = 0;
    geometry_.emplace(plain, facts_, gram_, claimed_.w, pool_);
    outcome_.dependent = static_cast<Index>(plain.lambda2 > 0 ? 0 : geometry_->dependent().size());
    if (auto done = longest(); !done) return std::unexpected(done.error());
    for (const double share : {1e-9, 1e-5, 1e-2, 1.0}) consider(share * near);
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
  Result<void> look(double near, bool gather) {
    auto point = std::make_shared<KinkPoint>();
    point->pieces = pieces_;
    point->w = claimed_.w;
    point->b = claimed_.b;
    point->near = near;
    point->most = static_cast<std::size_t>(kMostNear);
    point->gather = gather;
    auto sums = fresh_pass(rows_, KinkSums(point), pool_, watch_, {"certifying", claimed_.passes + passes_});
    if (!sums) return std::unexpected(sums.error());
    ++passes_;
    sums_ = *std::move(sums);
    if (gather) gram_ = std::move(sums_.gram);
    return {};
  }

  void add_objective() {
    DoubleDouble penalty = 0.0;
    for (std::size_t j = 0; j < terms_.size(); ++j) penalty += terms_[j].value(claimed_.w[j]);
    penalty_ = penalty.hi;
    mean_loss_ = (sums_.value / sums_.weight).hi;
    outcome_.objective = mean_loss_ + penalty_;
    outcome_.floor = 16 * kUnit * (sums_.sum_abs / facts_.weight() + high_ - low_) * scale();
  }
  double scale() const {
    double total = std::abs(claimed_.b) + std::sqrt((facts_.sums.squares[facts_.sums.cols] / facts_.sums.weight).hi);
    for (Index j = 0; j < rows_.cols(); ++j)
      total += std::abs(claimed_.w[j]) * std::sqrt((facts_.sums.squares[j] / facts_.sums.weight).hi);
    return total;
  }

  Result<void> longest() {
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

  // What is left of sum v d = 0 and sum v d (x_j - m_j) = W P_j', the near rows having d.
  struct Left {
    DoubleDouble intercept;
    std::vector<DoubleDouble> columns; // sum v d (x_j - m_j)
    std::vector<double> error;
    double sum_abs = 0;
  };
  Left left(const std::vector<double>& d) const {
    Left out{sums_.sum, {}, {}, sums_.sum_abs};
    std::vector<DoubleDouble> raw;
    std::vector<double> size = sums_.gradient_abs;
    for (Index j = 0; j < rows_.cols(); ++j) raw.push_back({sums_.gradient[j], sums_.gradient_low[j]});
    for (std::size_t k = 0; k < d.size(); ++k) {
      const NearRow& row = sums_.near[k];
      const DoubleDouble product = two_prod(row.weight, d[k]);
      out.intercept += product;
      out.sum_abs += std::abs(product.hi);
      for (std::size_t j = 0; j < raw.size(); ++j) {
        raw[j] += product * row.x[j];
        size[j] += std::abs(product.hi * row.x[j]);
      }
    }
    const std::vector<double>& centre = geometry_->centre();
    for (std::size_t j = 0; j < raw.size(); ++j) {
      const double m = centre.empty() ? 0 : centre[j];
      out.columns.push_back(raw[j] - out.intercept * m);
      out.error.push_back(4 * KinkSums::kRounding * (size[j] + std::abs(m) * out.sum_abs) +
                          2 * kUnit * kUnit * std::abs(out.columns.back().hi));
    }
    return out;
  }

  // A coefficient so near zero that it is taken for zero: its own slope is then free.
  bool open(std::size_t j, double near) const {
    const double size = std::sqrt((facts_.sums.squares[j] / facts_.sums.weight).hi);
    return terms_[j].a > 0 && !terms_[j].left_out && std::abs(claimed_.w[j]) * size <= near;
  }
  double goal(std::size_t j, double near) const { // P_j', where there is one
    const double w = claimed_.w[j];
    return terms_[j].a * (open(j, near) ? 0 : w > 0 ? 1 : w < 0 ? -1 : 0) + terms_[j].t * w;
  }

  // d of the near rows, for kinks within `near`.
  std::vector<double> chosen(double near) const {
    const Index p = rows_.cols();
    std::vector<double> d;
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < sums_.near.size(); ++k) {
      const NearRow& row = sums_.near[k];
      const bool open = std::abs(row.off) <= near;
      if (open) free.push_back(k);
      d.push_back(open ? std::clamp(0.0, row.low, row.high) : row.off > 0 ? row.high : row.low);
    }
    if (free.size() > 4000) return d;
    std::vector<std::size_t> open_columns;
    for (std::size_t j = 0; j < terms_.size(); ++j)
      if (open(j, near)) open_columns.push_back(j);
    BoundedSystem system;
    system.rows = p + 1;
    const double w = facts_.weight();
    std::vector<double> scale(static_cast<std::size_t>(p));
    for (Index j = 0; j < p; ++j)
      if (!terms_[j].left_out && geometry_->square(j) > 0)
        scale[j] = (terms_[j].t > 0 ? kForgiving : 1) / std::sqrt(geometry_->square(j) * w);
    const double own = claimed_.objective.intercept ? 1 / w : 0;
    const std::vector<double>& centre = geometry_->centre();
    for (const std::size_t k : free) {
      const NearRow& row = sums_.near[k];
      for (Index j = 0; j < p; ++j)
        system.g.push_back(row.weight * (row.x[j] - (centre.empty() ? 0 : centre[j])) * scale[j]);
      system.g.push_back(row.weight * own);
      system.low.push_back(row.low), system.high.push_back(row.high);
    }
    for (const std::size_t j : open_columns) {
      for (Index i = 0; i < p; ++i) system.g.push_back(i == static_cast<Index>(j) ? -w * terms_[j].a * scale[j] : 0);
      system.g.push_back(0);
      system.low.push_back(-1), system.high.push_back(1);
    }
    std::vector<double> x(free.size() + open_columns.size());
    for (std::size_t s = 0; s < free.size(); ++s) x[s] = d[free[s]];
    for (int refine = 0; refine < 3; ++refine) { // the right side afresh, in double-double
      const Left now = left(d);
      system.e.clear();
      for (Index j = 0; j < p; ++j) {
        DoubleDouble rest = DoubleDouble(goal(j, near)) * w - now.columns[j];
        system.e.push_back(rest.hi * scale[j]);
      }
      system.e.push_back(-now.intercept.hi * own);
      BoundedSystem change = system; // in what is to be added
      for (std::size_t s = 0; s < open_columns.size(); ++s)
        change.e[open_columns[s]] += w * terms_[open_columns[s]].a * scale[open_columns[s]] * x[free.size() + s];
      for (std::size_t s = 0; s < x.size(); ++s) change.low[s] -= x[s], change.high[s] -= x[s];
      const std::vector<double> more = solve_bounded(change, std::vector<double>(x.size()));
      for (std::size_t s = 0; s < x.size(); ++s) x[s] = std::clamp(x[s] + more[s], system.low[s], system.high[s]);
      for (std::size_t s = 0; s < free.size(); ++s) d[free[s]] = x[s];
    }
    return d;
  }

  void consider(double near) {
    const std::vector<double> d = chosen(near);
    const Left rest = left(d);
    const double w = facts_.weight(), least = geometry_->least_eigenvalue();
    const std::vector<double>& unit = geometry_->unit();
    double square = std::pow(
        geometry_->unit_intercept() * (std::abs(rest.intercept.hi) + 2 * KinkSums::kRounding * rest.sum_abs), 2);
    for (std::size_t j = 0; j < unit.size(); ++j)
      square += std::pow(unit[j] * (std::abs(rest.columns[j].hi) + rest.error[j]), 2);
    const double length = (1 + 1e-9) * std::sqrt(square);
    const double move = least > 0 ? longest_ * length / least : 0;
    double eta = move / std::min(-low_, high_) * (1 + 1e-9) + 4 * kUnit;
    std::vector<double> margin;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const double moved = least > 0 ? std::sqrt(geometry_->square(static_cast<Index>(j)) / least) * length : 0;
      margin.push_back((rest.error[j] + moved) / w + terms_[j].rounding);
      const double g = std::abs(rest.columns[j].hi) / w;
      if (terms_[j].a > 0 && terms_[j].t == 0 && g > 0)
        eta = std::max(eta, (g + margin[j] - terms_[j].a) / g * (1 + 1e-9) + 4 * kUnit);
    }
    if (!(eta < 1)) return;
    CompensatedSum gap, slack;
    for (std::size_t k = 0; k < d.size(); ++k) {
      const NearRow& row = sums_.near[k];
      gap.add(row.weight / w * std::max(0.0, std::max(row.high * row.off, row.low * row.off) - d[k] * row.off));
    }
    gap.add(eta * mean_loss_);
    slack.add(move * (sums_.distance / w + shift_));
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      if (terms_[j].left_out || (terms_[j].a == 0 && terms_[j].t == 0)) continue;
      const DoubleDouble g = rest.columns[j] / w * (1 - eta);
      const double here = conjugate_gap(terms_[j], claimed_.w[j], g).hi;
      const double worst = std::max(conjugate_gap(terms_[j], claimed_.w[j], g + margin[j]).hi,
                                    conjugate_gap(terms_[j], claimed_.w[j], g - margin[j]).hi);
      gap.add(here);
      slack.add(std::max(0.0, worst - here));
    }
    slack.add(64 * kUnit * gap.value() + 16 * kUnit * kUnit * scale());
    const double total = gap.value(), loose = slack.value();
    if (!std::isfinite(total + loose)) return;
    if (least > 0 && total + loose < outcome_.gap + outcome_.slack) {
      outcome_.gap = total, outcome_.slack = loose;
      outcome_.trivial = false;
    }
    if (!(least > 0)) outcome_.near = std::min(outcome_.near, total);
  }

  const LossClaimed& claimed_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  std::vector<loss::Piece> pieces_;
  double low_ = 0, high_ = 0, shift_ = 0, longest_ = 0, mean_loss_ = 0, penalty_ = 0;
  std::vector<Term> terms_;
  KinkSums sums_;
  Gram gram_;
  std::optional<Geometry> geometry_;
  LossOutcome outcome_;
  Index passes_ = 0;
};

} // namespace

Result<LossChecked> certify_kinked(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch) {
  return KinkJudge(claimed, rows, pool, watch).run();
}

} // namespace recta
