#include "certificate/svm/hard_margin.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "certificate/kernel/definite.hpp"
#include "certificate/kernel/stated_kernel.hpp"
#include "certificate/separability/bounds.hpp"
#include "certificate/stated/figures.hpp"
#include "certificate/svm/kernel_scores.hpp"
#include "certificate/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::svm {
namespace {

constexpr double kFew = 8 * kUnit; // of a handful of roundings

// A number and how it may be off.
struct Known {
  double value = 0, low = 0, high = 0;
};

struct HardMargin {
  Known nearest, length, widest; // min_i y_i f(x_i), |w|, and what no margin is wider than
  bool near = false;             // no row is short of y f = 1 by more than the rounding of its own terms
  bool exact = false;            // the widest margin is known in whole numbers
  bool same_rows = true;         // support vectors are the rows they are said to be
  bool multipliers = true;       // none pulls away from its class, they balance, and sum_i beta_i phi(x_i) is w
  std::vector<Index> clear = {}; // kernels: rows whose class their score tells by more than any rounding
};

// The quotient from below, of numbers above zero.
double below(double a, double b) {
  const double q = a / b;
  return std::fma(-q, b, a) >= 0 ? q : std::nextafter(q, 0.0);
}

Known around(double value, double off) {
  return {value, value - off, value + off};
}

// The root of a square that is known to `off`; times a power of two.
Known root(DoubleDouble square, double off, int exponent = 0) {
  const double value = std::sqrt(square.hi), rest = std::fma(-value, value, square.hi) + square.lo;
  Known out = around(value, 0);
  const double far = value > 0 ? (off + std::abs(rest)) / value + kUnit * value : std::sqrt(std::max(off, 0.0));
  if (rest != 0 || off != 0) out = around(value, far);
  return {std::ldexp(out.value, exponent), std::ldexp(out.low, exponent), std::ldexp(out.high, exponent)};
}

// |w|, scaled so that no square leaves the doubles.
Known length_of(const std::vector<double>& w) {
  double largest = 0;
  for (const double x : w) largest = std::max(largest, std::abs(x));
  if (!(largest > 0) || !std::isfinite(largest)) return around(largest, 0);
  const int exponent = std::ilogb(largest);
  DoubleDouble square = 0;
  double low = 0;
  for (const double x : w) {
    const DoubleDouble one = two_prod(std::ldexp(x, -exponent), std::ldexp(x, -exponent));
    square += one, low += std::abs(one.lo);
  }
  const double off = low == 0 && square.lo == 0 ? 0 : 4 * kUnit * kUnit * static_cast<double>(w.size()) * square.hi;
  return root(square, off, exponent);
}

// The nearest row, for linear machines and kernels alike.
class Nearest {
public:
  // y f = `value`, off by at most `off`, of terms whose sizes add up to `size`.
  void meet(double value, double off, double size) {
    const bool known = std::isfinite(value) && std::isfinite(off);
    out_.value = std::min(out_.value, known ? value : -kInfinity);
    out_.low = std::min(out_.low, known ? off == 0 ? value : std::nextafter(value - off, -kInfinity) : -kInfinity);
    out_.high = std::min(out_.high, value + off);
    near_ = near_ && 1 - value <= off + 16 * kUnit * (1 + size);
  }
  void put(HardMargin& out) const { out.nearest = out_, out.near = near_; }

private:
  Known out_{kInfinity, kInfinity, kInfinity};
  bool near_ = true;
};

// Multipliers of w: sums of their classes are the same, and sum beta x is w, as far as rounding of either goes.
bool are_multipliers(const HardClaim& claim, const separation::Points& points, std::span<const double> sign) {
  CompensatedSum all;
  double mass = 0;
  std::vector<CompensatedSum> sum(claim.w.size());
  std::vector<double> size(claim.w.size());
  for (std::size_t k = 0; k < claim.rows.size(); ++k) {
    const double side = sign[at(claim.rows[k])];
    if (!(claim.beta[k] * side > 0)) return false;
    all.add(claim.beta[k]), mass += std::abs(claim.beta[k]);
    const std::vector<double>& z = points.at(claim.rows[k]); // the row times its side
    for (std::size_t j = 0; j < sum.size(); ++j) {
      sum[j].add_product(claim.beta[k] * side, z[j]);
      size[j] += std::abs(claim.beta[k] * z[j]);
    }
  }
  for (std::size_t j = 0; j < sum.size(); ++j)
    if (!(std::abs(sum[j].value() - claim.w[j]) <= kStatedSums * std::abs(claim.w[j]) + 64 * kUnit * size[j]))
      return false;
  return !claim.intercept || std::abs(all.value()) <= kStatedSums * mass;
}

Result<HardMargin> measure_linear(const HardClaim& claim, const separation::LabelledRows& rows, const Watch& watch) {
  HardMargin out;
  Nearest nearest;
  const auto read = separation::for_each_row(rows, watch, [&](Index row, const separation::RowNumbers& x) {
    const double y = rows.sign[at(row)];
    const separation::Bounded f = separation::careful_dot(claim.w, x, claim.b);
    double size = std::abs(claim.b);
    for (std::size_t s = 0; s < x.value.size(); ++s) size += std::abs(claim.w[at(x.column(s))] * x.value[s]);
    nearest.meet(y * f.value, f.error, size);
    return true;
  });
  if (!read) return std::unexpected(read.error());
  nearest.put(out);
  out.length = length_of(claim.w);
  out.same_rows = !claim.rows.empty() && claim.rows.back() < std::ssize(rows.sign);
  if (!out.same_rows) return out;
  const auto points = separation::points_of(rows, claim.rows, watch);
  if (!points) return std::unexpected(points.error());
  out.multipliers = are_multipliers(claim, *points, rows.sign);
  if (!out.multipliers) return out;
  separation::SeparationClaim shown;
  shown.rows = claim.rows, shown.hyperplanes = {{claim.w, claim.b}};
  for (const double beta : claim.beta) shown.multipliers.push_back(std::abs(beta));
  const auto widest = separation::certify(shown, rows, watch);
  if (!widest) return std::unexpected(widest.error());
  out.exact = widest->exact;
  out.widest = {widest->margin_upper, widest->exact ? widest->margin_lower : 0, widest->margin_upper};
  return out;
}

// The rows of a kernel machine, and |w|^2 = sum beta f of those with a multiplier.
class KernelMeasure {
public:
  KernelMeasure(const HardClaim& claim, std::span<const double> sign, Pool& pool)
      : claim_(claim), sign_(sign), scores_(*claim.kernel, *claim.points, claim.beta, pool) {
    for (const double beta : claim.beta) (beta > 0 ? positive_ : negative_).add(std::abs(beta));
    for (Index k = 0; k < claim.points->count(); ++k)
      longest_ = std::max(longest_, std::abs(claim.points->own_value(*claim.kernel, k)));
    longest_ = std::sqrt(longest_) * (1 + kFew);
  }

  void see(const Batch& batch) {
    keep_going();
    std::vector<KernelRow> scored;
    for (Index i = 0; i < batch.rows(); ++i) {
      const Index number = batch.first_row + i;
      if (sign_[at(number)] == 0) continue;
      const bool supports = next_ < claim_.rows.size() && claim_.rows[next_] == number;
      scored.push_back(
          {.i = i, .place = supports ? static_cast<Index>(next_) : -1, .beta = supports ? claim_.beta[next_] : 0});
      next_ += supports ? 1 : 0;
    }
    // A row at twice the margin is none of the nearest.
    scores_.score(batch, scored, [&](Index i, double z, double off) {
      return sign_[at(batch.first_row + i)] * (z + claim_.b) - off - kFew * std::abs(z) > 2;
    });
    for (const KernelRow& row : scored) add(batch.first_row + row.i, row);
  }

  HardMargin take() {
    out_.same_rows = out_.same_rows && next_ == claim_.rows.size() && next_ > 0;
    nearest_.put(out_);
    const double square = square_.value();
    out_.length = root(square, square_off_ + kUnit * square);
    const double a = positive_.value(), b = negative_.value();
    out_.multipliers = out_.multipliers && (a > 0 || b > 0) && (!claim_.intercept || std::min(a, b) > 0);
    if (!out_.multipliers) return out_;
    const double least = claim_.intercept ? std::min(a, b) : a + b, over = claim_.intercept ? std::abs(a - b) : 0;
    const double sums = claim_.intercept ? 2 * least : least;
    const double high = (out_.length.high + (over + kFew * least) * longest_) / sums * (1 + kFew);
    out_.widest = {out_.length.value / sums, 0, high};
    return std::move(out_);
  }

private:
  void add(Index number, const KernelRow& row) {
    if (row.free) {
      out_.clear.push_back(number);
      return;
    }
    const double y = sign_[at(number)];
    const DoubleDouble f = two_sum(row.z, claim_.b);
    const double off = row.off + std::abs(f.lo);
    nearest_.meet(y * f.hi, off, std::abs(row.z) + std::abs(claim_.b));
    if (y * f.hi > 16 * off) out_.clear.push_back(number); // a prediction adds up in another order
    if (row.place < 0) return;
    out_.same_rows = out_.same_rows && row.same;
    out_.multipliers = out_.multipliers && row.beta * y > 0;
    square_.add_product(row.beta, row.z);
    square_off_ += std::abs(row.beta) * (row.off + 2 * kUnit * std::abs(row.z));
  }

  const HardClaim& claim_;
  std::span<const double> sign_;
  KernelScores scores_;
  std::size_t next_ = 0;
  CompensatedSum positive_, negative_, square_;
  double square_off_ = 0, longest_ = 0;
  Nearest nearest_;
  HardMargin out_;
};

Result<HardMargin> measure(const HardClaim& claim, RowSource& source, std::span<const double> sign, Pool& pool,
                           const Watch& watch) {
  if (!claim.w.empty()) return measure_linear(claim, {source, sign, claim.intercept}, watch);
  KernelMeasure measured(claim, sign, pool);
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    measured.see(batch);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return measured.take();
}

Certificate certificate_of(const HardMargin& margin, double tolerance) {
  Certificate out;
  const Known &nearest = margin.nearest, &length = margin.length, &widest = margin.widest;
  const bool separates = nearest.low > 0 && length.high > 0 && std::isfinite(length.high);
  const double surely = separates ? below(nearest.low, length.high) : nearest.low / length.high;
  const double as_computed = nearest.value / length.value;
  // 1 - (margin / widest)^2, the distance in units of the objective.
  const auto short_of = [](double achieved, double best) { return (best - achieved) / best * (1 + achieved / best); };
  const double share = std::max(0.0, short_of(as_computed, std::max(as_computed, widest.value)));
  const double at_most = short_of(surely, std::max(surely, widest.high)) * (1 + kFew);
  out.objective = out.null_objective = 1 / as_computed / as_computed / 2;
  out.tolerance = tolerance;
  out.slack = std::max(0.0, at_most - share) * out.objective;
  out.claim = SeparatingHyperplane{surely, share * out.objective};
  const bool scaled = std::abs(nearest.value - 1) <= tolerance && std::isnormal(out.objective);
  const bool near = margin.near && length.value * widest.high <= 1 + tolerance + kFew, unsure = share <= tolerance;
  const bool supported = margin.same_rows && margin.multipliers;
  // A plane that is not scaled to y f = 1 is none of the claim, unless its own roundings are all that it lacks.
  out.verdict = verdict_of({.distance = share,
                            .slack = std::max(0.0, at_most - share),
                            .limit = tolerance,
                            .forgiven = near ? kInfinity : 0,
                            .is_bound = scaled,
                            .contradicted = !separates || !supported || !(scaled || near)});
  if (!margin.same_rows) out.conditions.emplace_back("its support vectors are not the rows it says");
  if (!margin.multipliers) out.conditions.emplace_back("the multipliers are not those of its weights");
  if (!supported) return out;
  out.conditions.push_back(fmt::format("no margin is wider than {:.15g}{}", widest.high,
                                       margin.exact ? ", exactly as multipliers in whole numbers show" : ""));
  if (out.verdict == Verdict::within_tolerance)
    out.conditions.emplace_back(unsure
                                    ? "the rounding of the check can cost as much as the tolerance"
                                    : "weights that are doubles come no nearer to it, so far from zero are the rows");
  return out;
}

} // namespace

Result<HardJudged> certify(const HardClaim& claim, RowSource& source, std::span<const double> sign, Pool& pool,
                           const Watch& watch) {
  const Listening listening(watch, "certifying");
  auto margin = measure(claim, source, sign, pool, watch);
  if (!margin) return std::unexpected(margin.error());
  HardJudged out{certificate_of(*margin, claim.tolerance), margin->length.value * margin->length.value, margin->exact};
  out.clear = std::move(margin->clear);
  if (!claim.kernel) return out;
  const auto definite = is_definite(*claim.kernel, source, pool);
  if (!definite) return std::unexpected(definite.error());
  out.definite = *definite;
  return out;
}

void compare(const HardStated& stated, std::span<const double> beta, HardJudged& judged) {
  const StatedPart& part = stated.part;
  const double margin = std::get<SeparatingHyperplane>(judged.certificate.claim).margin;
  Differences differences;
  compare_kernels(stated.kernel, stated.kernel_asked, differences);
  differences.compare("the place of a class", static_cast<double>(part.positive), static_cast<double>(stated.positive),
                      0);
  differences.compare("the place of a class", static_cast<double>(part.negative), static_cast<double>(stated.negative),
                      0);
  differences.compare("C", part.cost, 0, 0);
  differences.compare("|w|^2", part.squared, judged.squared, kStatedSums * judged.squared);
  differences.compare("the lower end of the intercept", part.b_low, part.b, 0);
  differences.compare("the upper end of the intercept", part.b_high, part.b, 0);
  differences.compare("the margin", stated.margin, margin, kStatedSums * std::abs(margin));
  if (!judged.definite) differences.add("the kernel is not known to be positive semidefinite");
  compare_part(part, beta, differences);
  compare_vectors(stated.vectors, {&stated.support, 1}, differences);
  refute(differences.all(), judged.certificate);
}

} // namespace recta::svm
