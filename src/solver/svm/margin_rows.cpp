#include "solver/svm/margin_rows.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "solver/svm/conjugate_steps.hpp"

#include <cmath>

namespace recta::svm {

void MarginRows::append(const MarginRows& other) {
  const Index before = start.back();
  side.insert(side.end(), other.side.begin(), other.side.end());
  weight.insert(weight.end(), other.weight.begin(), other.weight.end());
  for (std::size_t i = 1; i < other.start.size(); ++i) start.push_back(before + other.start[i]);
  column.insert(column.end(), other.column.begin(), other.column.end());
  value.insert(value.end(), other.value.begin(), other.value.end());
}

double MarginRows::score(std::size_t i, const std::vector<double>& x, bool constant) const {
  double sum = constant ? x.back() : 0;
  for (Index s = start[i]; s < start[i + 1]; ++s) sum += value[at(s)] * x[at(column[at(s)])];
  return sum;
}

void MarginRows::put(StateWriter& out) const {
  out.put(rows());
  out.put(std::ssize(value));
  out.put(side);
  out.put(weight);
  for (std::size_t i = 1; i < start.size(); ++i) out.put(start[i]);
  for (const std::int32_t j : column) out.put(Index{j});
  out.put(value);
}

MarginRows MarginRows::read(StateReader& in, Index cols) {
  MarginRows out;
  const Index rows = in.index(), numbers = in.index();
  in.require(rows >= 0 && numbers >= 0);
  out.side = in.numbers(rows), out.weight = in.numbers(rows);
  for (Index i = 0; i < rows && in.good(); ++i) {
    out.start.push_back(in.index());
    in.require(out.start.back() >= out.start.end()[-2] && out.start.back() <= numbers);
  }
  in.require(out.start.back() == numbers);
  for (Index k = 0; k < numbers && in.good(); ++k) {
    const Index j = in.index();
    in.require(j >= 0 && j < cols);
    out.column.push_back(static_cast<std::int32_t>(j));
  }
  out.value = in.numbers(numbers);
  return in.good() ? out : MarginRows();
}

Cholesky<double> factor_of(const MarginRows& rows, const std::vector<double>& curvature,
                           const std::vector<double>& square, bool constant) {
  const std::size_t size = square.size();
  std::vector<double> h(size * size); // by column, its upper triangle
  for (std::size_t j = 0; j < size; ++j) h[j + j * size] = square[j];
  for (std::size_t i = 0; i < curvature.size(); ++i) {
    if (curvature[i] == 0) continue;
    double* last = h.data() + (size - 1) * size;
    for (Index s = rows.start[i]; s < rows.start[i + 1]; ++s) {
      const double by = curvature[i] * rows.value[at(s)];
      double* column = h.data() + at(rows.column[at(s)]) * size;
      for (Index r = rows.start[i]; r <= s; ++r) column[at(rows.column[at(r)])] += by * rows.value[at(r)];
      if (constant) last[at(rows.column[at(s)])] += by;
    }
    if (constant) last[size - 1] += curvature[i];
  }
  const blas::SerialBlas serial;
  return {std::move(h), static_cast<Index>(size), 0x1p-50};
}

namespace {

using Numbers = std::vector<double>;

class MarginRowsNewton {
public:
  MarginRowsNewton(const MarginRowsProblem& problem, Numbers start, double width)
      : problem_(problem), rows_(problem.rows), x_(std::move(start)), lack_(at(rows_.rows())), share_(lack_.size()),
        curvature_(lack_.size()) {
    look();
    for (std::size_t i = 0; i < lack_.size(); ++i) share_[i] = std::clamp(lack_[i] / width, 0.0, 1.0);
  }

  Numbers run(double width, double tolerance) {
    const double least = width / kDepth;
    double before = kInfinity;
    for (Index k = 0; k < kMultiplierSteps && products_ < kAllProducts; ++k) {
      const Index steps = steps_at(width, tolerance, kLeft * std::max(tolerance, before));
      for (std::size_t i = 0; i < lack_.size(); ++i) share_[i] = share_at(i, width);
      look(); // without the roundings of the steps, which small widths would show
      const double left = gap();
      if (left <= tolerance) break;
      if (steps <= kFewSteps && left > before / kFast) width = std::max(least, width / kNarrower);
      if (steps >= kManySteps) width *= 2;
      before = left;
    }
    finish(tolerance);
    return std::move(x_);
  }

private:
  static constexpr double kNarrower = 3;                 // the factor between widths
  static constexpr double kDepth = 50;                   // between the first width and the least
  static constexpr Index kFewSteps = 3, kManySteps = 12; // of Newton's method at one width: a narrower one, a wider one
  static constexpr double kSettled = 0.02; // of the change of the multipliers: a step that promises less ends a width
  static constexpr double kLeft = 0.1;     // of the gap: what the slope may cost after the steps at a width
  static constexpr double kFast = 3;       // the gap falls by this: the width stays
  static constexpr Index kMultiplierSteps = 60, kSteps = 40;
  static constexpr Index kPatience = 60;                          // products for a step before its Hessian is factored
  static constexpr Index kProducts = 1000, kAllProducts = 20'000; // for one Newton step, and for all of them
  static constexpr Index kRounded = 1;    // steps at the last width, before one that gains little is the last
  static constexpr double kExact = 1e-14; // of the energy of a step at the last width, as far as rounding lets it
  static constexpr double kFlat = 1e-9;   // of the steepest curvature: what a free b without rows in the zone has

  // The end of conjugate gradients: a share of the energy at the start or an energy, and what is left of the slope.
  struct Enough {
    double share = 0, energy = 0, left = kInfinity;
  };

  void look() {
    const Numbers z = products(x_);
    for (std::size_t i = 0; i < lack_.size(); ++i) lack_[i] = 1 - rows_.side[i] * z[i];
  }
  double dot(std::size_t i, const Numbers& x) const { return rows_.score(i, x, problem_.constant); }
  Numbers products(const Numbers& x) const {
    Numbers out(at(rows_.rows()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = dot(i, x);
    return out;
  }
  void add(std::size_t i, double r, Numbers& sum) const { // r u_i
    for (Index s = rows_.start[i]; s < rows_.start[i + 1]; ++s) sum[at(rows_.column[at(s)])] += r * rows_.value[at(s)];
    if (problem_.constant) sum.back() += r;
  }
  double cost(std::size_t i) const { return problem_.objective.cost * rows_.weight[i]; }

  // The coefficient of a row after a step of the multipliers, in units of its cost.
  double share_at(std::size_t i, double width) const { return std::clamp(share_[i] + lack_[i] / width, 0.0, 1.0); }

  // Between the point and the coefficients, apart from what a free b makes of their sum.
  double gap() const {
    double sum = residual(slope([&](std::size_t i) { return share_[i]; }));
    for (std::size_t i = 0; i < lack_.size(); ++i)
      sum += cost(i) * (lack_[i] > 0 ? (1 - share_[i]) * lack_[i] : -share_[i] * lack_[i]);
    return sum;
  }
  double residual(const Numbers& downhill) const {
    double sum = 0;
    for (std::size_t j = 0; j < downhill.size(); ++j)
      if (problem_.objective.square[j] > 0) sum += downhill[j] * downhill[j] / (2 * problem_.objective.square[j]);
    return sum;
  }
  // How far a step of the multipliers goes, as the augmented objective measures it.
  double change_at(double width) const {
    double sum = 0;
    for (std::size_t i = 0; i < lack_.size(); ++i) sum += cost(i) * std::pow(share_at(i, width) - share_[i], 2);
    return width * sum / 2;
  }

  // Until a step promises little and the slope that is left costs the dual little: where the Hessian is steep, the
  // energy of a slope says nothing of that.
  Index steps_at(double width, double tolerance, double most_left) {
    for (Index k = 1; k <= kSteps; ++k) {
      keep_going();
      for (std::size_t i = 0; i < lack_.size(); ++i) {
        const double inside = share_[i] + lack_[i] / width;
        curvature_[i] = inside > 0 && inside < 1 ? cost(i) / width : 0;
      }
      Numbers downhill = slope([&](std::size_t i) { return share_at(i, width); });
      const double enough = std::max(1e-3 * std::min(1.0, width) * tolerance, kSettled * change_at(width));
      const Numbers step = newton_step(downhill, {0.04, enough / 10, most_left});
      const double promised = move(step, downhill, width);
      if (!(promised > 0)) return k;
      if (promised <= enough && residual(slope([&](std::size_t i) { return share_at(i, width); })) <= most_left)
        return k;
    }
    return kSteps;
  }

  // The same coefficients by the rule of the last width alone: the rows with coefficients inside their boxes are its
  // zone, and the first step is taken as if they stayed there.
  void finish(double tolerance) {
    const double width = problem_.width;
    for (std::size_t i = 0; i < lack_.size(); ++i) curvature_[i] = share_[i] > 0 && share_[i] < 1 ? cost(i) / width : 0;
    const Numbers first =
        newton_step(slope([&](std::size_t i) { return curvature_[i] > 0 ? lack_[i] / width : share_[i]; }), {kExact});
    for (std::size_t j = 0; j < first.size(); ++j) x_[j] += first[j];
    std::ranges::fill(share_, 0.0);
    double before = kInfinity;
    for (Index k = 0; k < kSteps && products_ < kAllProducts; ++k) {
      look();
      for (std::size_t i = 0; i < lack_.size(); ++i)
        curvature_[i] = lack_[i] > 0 && lack_[i] < width ? cost(i) / width : 0;
      const Numbers downhill = slope([&](std::size_t i) { return share_at(i, width); });
      const double rest = residual(downhill);
      if (rest <= tolerance || (k > kRounded && rest > before / 2)) return; // or rounding lets it come no nearer
      before = rest;
      if (!(move(newton_step(downhill, {kExact}), downhill, width) > 0)) return;
    }
  }

  // Downhill: q - S x + sum_i C v_i t_i d_i u_i.
  template <class Share>
  Numbers slope(const Share& share) const {
    Numbers out = problem_.q;
    for (std::size_t j = 0; j < out.size(); ++j) out[j] -= problem_.objective.square[j] * x_[j];
    for (std::size_t i = 0; i < lack_.size(); ++i) {
      const double d = share(i);
      if (d != 0) add(i, cost(i) * rows_.side[i] * d, out);
    }
    if (!problem_.constant) out.back() = 0;
    return out;
  }

  // If the diagonal, or the factor of an earlier Hessian, is too poor a preconditioner, this one is factored.
  Numbers newton_step(const Numbers& downhill, const Enough& enough) {
    const bool can_factor = std::ssize(downhill) <= kMostFactored;
    ConjugateSteps inner = conjugate(downhill, enough, can_factor ? kPatience : kProducts);
    if (!can_factor || inner.products() < kPatience) return std::move(inner.step());
    factor_ =
        std::make_shared<const Cholesky<double>>(factor_of(rows_, curvature_, diagonal_square(), problem_.constant));
    return std::move(conjugate(downhill, enough, kProducts).step());
  }

  // S, and what keeps a free b in its place.
  Numbers diagonal_square() const {
    Numbers out = problem_.objective.square;
    if (out.back() > 0) return out;
    double constant = 0; // the curvature along b
    for (const double one : curvature_) constant += one;
    out.back() = kFlat * std::max(1.0, constant);
    return out;
  }

  ConjugateSteps conjugate(const Numbers& downhill, const Enough& enough, Index most) {
    const Numbers& square = problem_.objective.square;
    std::vector<std::size_t> zone;
    Numbers diagonal = square;
    for (std::size_t i = 0; i < curvature_.size(); ++i) {
      if (curvature_[i] == 0) continue;
      zone.push_back(i);
      for (Index s = rows_.start[i]; s < rows_.start[i + 1]; ++s)
        diagonal[at(rows_.column[at(s)])] += curvature_[i] * rows_.value[at(s)] * rows_.value[at(s)];
      if (problem_.constant) diagonal.back() += curvature_[i];
    }
    const double flat = square.back() == 0 ? kFlat * std::max(1.0, *std::ranges::max_element(diagonal)) : 0;
    diagonal.back() += flat;
    ConjugateSteps inner(downhill, std::move(diagonal), 0, 0, most, factor_);
    const double energy = std::max(enough.share * inner.energy(), enough.energy);
    while (!inner.done() && (inner.energy() > energy || residual(inner.rest()) > enough.left)) {
      const Numbers& way = inner.way();
      Numbers image(way.size());
      for (std::size_t j = 0; j < image.size(); ++j) image[j] = square[j] * way[j];
      image.back() += flat * way.back();
      for (const std::size_t i : zone) add(i, curvature_[i] * dot(i, way), image);
      inner.take(image);
    }
    products_ += inner.products();
    return inner;
  }

  // Goes to the lowest point along the step. Returns what the step promised.
  double move(const Numbers& step, const Numbers& downhill, double width) {
    double promised = 0, linear = 0, bend = 0;
    for (std::size_t j = 0; j < step.size(); ++j) {
      const double s = problem_.objective.square[j];
      promised += downhill[j] * step[j];
      linear += (s * x_[j] - problem_.q[j]) * step[j], bend += s * step[j] * step[j];
    }
    if (!(promised > 0)) return 0;
    Numbers change = products(step); // of the lacks
    for (std::size_t i = 0; i < change.size(); ++i) change[i] *= -rows_.side[i];
    const double length = lowest(change, linear, bend, width);
    for (std::size_t j = 0; j < step.size(); ++j) x_[j] += length * step[j];
    for (std::size_t i = 0; i < change.size(); ++i) lack_[i] += length * change[i];
    return promised;
  }

  // The place along a line at which the slope is zero, by the secant of a bracket and its middle in turn.
  double lowest(const Numbers& change, double linear, double bend, double width) const {
    const auto slope_at = [&](double s) {
      double sum = linear + s * bend;
      for (std::size_t i = 0; i < change.size(); ++i)
        sum += cost(i) * std::clamp(share_[i] + (lack_[i] + s * change[i]) / width, 0.0, 1.0) * change[i];
      return sum;
    };
    double low = 0, high = 1, at_low = slope_at(0), at_high = slope_at(1);
    const double small = 1e-9 * std::abs(at_low);
    if (std::abs(at_high) <= 1e-3 * std::abs(at_low)) return 1;
    for (int k = 0; k < 40 && at_high < 0; ++k) low = high, at_low = at_high, high *= 2, at_high = slope_at(high);
    for (int k = 0; k < 60 && high - low > 1e-14 * high; ++k) {
      const double secant = low - at_low * (high - low) / (at_high - at_low);
      const double middle = k % 2 == 0 && secant > low && secant < high ? secant : low + (high - low) / 2;
      const double found = slope_at(middle);
      if (std::abs(found) <= small) return middle;
      (found < 0 ? low : high) = middle, (found < 0 ? at_low : at_high) = found;
    }
    return low;
  }

  const MarginRowsProblem& problem_;
  const MarginRows& rows_;
  Index products_ = 0;
  std::shared_ptr<const Cholesky<double>> factor_; // of the Hessian of an earlier step
  Numbers x_, lack_, share_, curvature_;           // share: the coefficients before a step, in units of the costs
};

} // namespace

std::vector<double> solve_margin_rows(const MarginRowsProblem& problem, std::vector<double> start,
                                      MarginRowsWidths widths, double tolerance) {
  if (problem.rows.rows() == 0) return start;
  return MarginRowsNewton(problem, std::move(start), widths.rule).run(widths.first, tolerance);
}

} // namespace recta::svm
