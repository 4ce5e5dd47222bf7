#include "certificate/separability/exact_proof.hpp"

#include "base/numbers.hpp"
#include "objective/separation/exact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::separation {
namespace {

constexpr double kMostRows = 2e7;             // words of products with single rows
constexpr int kLowest = -960, kHighest = 960; // exponents of the largest weight

std::vector<std::vector<double>> rows_of(const std::vector<Index>& rows, const Points& points) {
  std::vector<std::vector<double>> out;
  for (const Index row : rows) out.push_back(points.at(row));
  return out;
}

// Group sums as equations: which rows are in each.
std::vector<std::vector<bool>> group_members(const std::vector<Index>& rows, const LabelledRows& labelled) {
  if (!labelled.intercept) return {std::vector<bool>(rows.size(), true)};
  std::vector<std::vector<bool>> in(2, std::vector<bool>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    in[labelled.sign[static_cast<std::size_t>(rows[i])] > 0 ? 0 : 1][i] = true;
  return in;
}

std::vector<Multiplier> multipliers_of(const std::vector<Index>& rows, const WholeSolution& a, std::size_t groups) {
  std::vector<Multiplier> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (a.numerator[i] == 0) continue;
    const Integer under = a.denominator * groups;
    out.push_back({rows[i] + 1, quotient(a.numerator[i], under), fraction({a.numerator[i], 0}, under)});
  }
  return out;
}

// w = whole * 2^exponent / denominator, times rows of doubles, without a fraction on the way.
class ExactNormal {
public:
  ExactNormal(std::vector<Integer> whole, int exponent, Integer denominator)
      : whole_(std::move(whole)), exponent_(exponent), denominator_(std::move(denominator)) {
    for (const Integer& w : whole_) {
      rounded_.push_back(quotient(w, denominator_, exponent_));
      if (w != 0) words_ = std::max(words_, static_cast<double>(msb(abs(w))) / 64 + 1);
    }
  }
  // Exact if some multiple of it has numbers that are doubles: whole and without a common divisor if those are below
  // 2^53, else times a power of two. `weights` of the components are told from the constant.
  std::vector<double> in_doubles(std::size_t weights) const;
  const Integer& denominator() const { return denominator_; }
  double words() const { return words_; }
  Scaled component(std::size_t j) const { return {whole_[j], exponent_}; } // times the denominator
  Scaled square() const {                                                  // times the denominator's
    Integer sum = 0;
    for (const Integer& w : whole_) sum += w * w;
    return {sum, 2 * exponent_};
  }

  // sign * <w, x> times the denominator, the last component added if the constant is one.
  Scaled product(double sign, const RowNumbers& x, bool constant) const {
    const WholeRows row({std::vector<double>(x.value.begin(), x.value.end())});
    Integer sum = 0;
    for (std::size_t s = 0; s < x.value.size(); ++s)
      if (row.row[0][s] != 0) sum += whole_[static_cast<std::size_t>(x.column(s))] * row.row[0][s];
    Scaled value{sum, row.exponent + exponent_};
    if (constant) value = value + component(whole_.size() - 1);
    if (sign < 0) value.whole = -value.whole;
    return value;
  }
  // A lower bound of that product over the denominator, in doubles.
  double surely(double sign, const RowNumbers& x, bool constant) const {
    const Bounded dot = bounded_dot(rounded_, x);
    const double last = constant ? rounded_.back() : 0;
    // Components are rounded to 2^-52 of themselves; the bound has two terms to spare for that, and is doubled.
    return sign * (dot.value + last) - 2 * (dot.error + 4 * kUnit * (std::abs(dot.value) + std::abs(last)));
  }

private:
  std::vector<Integer> whole_;
  int exponent_;
  Integer denominator_;
  std::vector<double> rounded_;
  double words_ = 1;
};

// [G E'; E 0] (a, mu) = (0, 1): the least |sum a_i z_i| with sums of 1 in each group; rows in none are free.
std::optional<WholeSolution> least_norm(const WholeRows& z, const std::vector<std::vector<bool>>& members,
                                        double most_work) {
  const std::size_t k = z.row.size(), g = members.size(), d = z.row.empty() ? 0 : z.row[0].size();
  const std::size_t bits = 2 * z.bits + 8;
  if (work_of(k + g, k + g, bits) > most_work || static_cast<double>(k * k * d) > 1e7) return std::nullopt;
  std::vector<std::vector<Integer>> system(k + g, std::vector<Integer>(k + g + 1));
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t q = 0; q <= i; ++q) {
      Integer dot = 0;
      for (std::size_t j = 0; j < d; ++j) dot += z.row[i][j] * z.row[q][j];
      system[i][q] = system[q][i] = dot;
    }
  for (std::size_t h = 0; h < g; ++h) {
    for (std::size_t i = 0; i < k; ++i)
      if (members[h][i]) system[i][k + h] = system[k + h][i] = 1;
    system[k + h].back() = 1;
  }
  return solve_whole(std::move(system));
}

std::vector<double> ExactNormal::in_doubles(std::size_t weights) const {
  Integer common = 0;
  for (const Integer& w : whole_) common = gcd(common, w);
  if (common == 0) return rounded_;
  std::vector<Integer> least;
  std::size_t longest = 0, most_bits = 0;
  int top = 0;
  for (const Integer& w : whole_) {
    const Integer& x = least.emplace_back(w / common);
    if (x == 0) continue;
    const std::size_t length = msb(abs(x)) + 1;
    longest = std::max(longest, length);
    most_bits = std::max(most_bits, length - lsb(abs(x)));
    if (least.size() <= weights) top = std::max(top, static_cast<int>(length) - 1);
  }
  std::vector<double> out;
  if (most_bits > 53) {
    const int first = exponent_of(common, denominator_, exponent_) + top,
              by = std::clamp(first, kLowest, kHighest) - first;
    for (const Integer& w : whole_) out.push_back(quotient(w, denominator_, exponent_ + by));
    return out;
  }
  for (const Integer& x : least) out.push_back(quotient(x, 1, longest <= 53 ? 0 : -top));
  return out;
}

bool none_negative(const WholeSolution& a, std::size_t k) {
  return std::all_of(a.numerator.begin(), a.numerator.begin() + static_cast<std::ptrdiff_t>(k),
                     [](const Integer& x) { return x >= 0; });
}

// w = v / |v|^2, where <v, z> has these values at its least in each group.
Separability widest_of(const ExactNormal& v, std::size_t d, const Scaled& square,
                       const std::vector<std::optional<Scaled>>& value, const LabelledRows& rows) {
  const auto p = static_cast<std::size_t>(rows.source.cols());
  Separability out;
  out.verdict = Separation::separable;
  out.exact = out.proved = true;
  // The denominator of v is once above and twice below. Times a power of two if that is no double, or
  // one of few bits.
  int top = std::numeric_limits<int>::min();
  for (std::size_t j = 0; j < d; ++j)
    if (const Scaled x = v.component(j); x.whole != 0)
      top = std::max(top, exponent_of(x.whole * v.denominator(), square.whole, x.exponent - square.exponent));
  const int by = std::clamp(top, kLowest, kHighest) - top;
  const auto over_square = [&](const Scaled& x) {
    return quotient(x.whole * v.denominator(), square.whole, x.exponent - square.exponent + by);
  };
  for (std::size_t j = 0; j < p; ++j) out.weights.push_back(over_square(v.component(j)));
  if (rows.intercept) out.b = over_square(*value[1] - *value[0]) / 2;
  if (rows.constant) out.b = over_square(v.component(p));
  const Integer under = v.denominator() * v.denominator();
  out.margin_lower = root_below(square, under);
  out.margin_upper = root_above(square, under);
  out.margin_squared = fraction(square, under);
  return out;
}

} // namespace

Result<std::optional<Separability>> prove_widest(const SeparationClaim& claim, const Points& points,
                                                 const LabelledRows& rows, double most_work, const Watch& watch) {
  const auto members = group_members(claim.rows, rows);
  const WholeRows z(rows_of(claim.rows, points));
  const std::size_t k = z.row.size(), g = members.size(), d = z.row.empty() ? 0 : z.row[0].size();
  const auto a = least_norm(z, members, most_work);
  if (!a || !none_negative(*a, k)) return std::nullopt;
  std::vector<Integer> whole(d);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < d; ++j) whole[j] += a->numerator[i] * z.row[i][j];
  const ExactNormal v(std::move(whole), z.exponent, a->denominator * g);
  const Scaled square = v.square();
  if (square.whole == 0) return std::nullopt;
  // The value of <v, z> in each group; the rows claimed have it by construction.
  std::vector<std::optional<Scaled>> value(g);
  double work = 0;
  bool holds = true;
  std::vector<double> near(g);
  const auto p = static_cast<std::size_t>(rows.source.cols());
  for (std::size_t i = 0; i < k; ++i) {
    const auto h = members[0][i] ? std::size_t{0} : std::size_t{1};
    if (value[h]) continue;
    const auto& point = points.at(claim.rows[i]); // its sign is in it, that of the constant too
    Scaled dot = v.product(1, {{point.data(), p}, {}}, false);
    if (rows.constant) dot = dot + v.component(p) * scaled(point[p]);
    value[h] = dot;
    near[h] = quotient(dot.whole, v.denominator(), dot.exponent);
    near[h] += 4 * kUnit * std::abs(near[h]);
  }
  const auto read = for_each_row(rows, watch, [&](Index row, const RowNumbers& x) {
    const double sign = rows.sign[static_cast<std::size_t>(row)];
    const std::size_t h = rows.intercept && sign < 0 ? 1 : 0;
    if (v.surely(sign, x, rows.constant) > near[h]) return true;
    work += v.words() * static_cast<double>(x.value.size() + 16);
    holds = work <= kMostRows && !(v.product(sign, x, rows.constant) < *value[h]);
    return holds;
  });
  if (!read) return std::unexpected(read.error());
  if (!holds) return std::nullopt;
  Separability out = widest_of(v, d, square, value, rows);
  out.multipliers = multipliers_of(claim.rows, *a, g);
  return out;
}

std::optional<std::vector<Multiplier>> prove_zero(const SeparationClaim& claim, const Points& points,
                                                  const LabelledRows& rows, double most_work) {
  const auto members = group_members(claim.rows, rows);
  const WholeRows z(rows_of(claim.rows, points));
  const std::size_t k = z.row.size(), g = members.size(), d = z.row.empty() ? 0 : z.row[0].size();
  if (k == 0 || work_of(d + g, k, z.bits) > most_work) return std::nullopt;
  std::vector<std::vector<Integer>> system;
  for (const auto& in : members) {
    auto& equation = system.emplace_back(k + 1);
    for (std::size_t i = 0; i < k; ++i) equation[i] = in[i] ? 1 : 0;
    equation[k] = 1;
  }
  for (std::size_t j = 0; j < d; ++j) {
    auto& equation = system.emplace_back(k + 1);
    for (std::size_t i = 0; i < k; ++i) equation[i] = z.row[i][j];
  }
  const auto a = solve_whole(std::move(system));
  if (!a || std::ranges::any_of(a->numerator, [](const Integer& x) { return x < 0; })) return std::nullopt;
  return multipliers_of(claim.rows, *a, g);
}

namespace {

// The rows named, with the intercept as a coordinate even if it is free.
std::vector<std::vector<double>> with_constant(const std::vector<Index>& named, const Points& points,
                                               const LabelledRows& rows) {
  auto out = rows_of(named, points);
  if (rows.intercept)
    for (std::size_t i = 0; i < out.size(); ++i) out[i].push_back(rows.sign[static_cast<std::size_t>(named[i])]);
  return out;
}

// sum a_i z_i + sum c_f z_f of least norm, the f free: at right angles to them.
std::optional<ExactNormal> normal_beyond(const SeparationClaim& claim, const Points& points, const LabelledRows& rows,
                                         double most_work) {
  std::vector<Index> named = claim.beyond;
  named.insert(named.end(), claim.forced_by.begin(), claim.forced_by.end());
  const WholeRows z(with_constant(named, points, rows));
  std::vector<bool> members(named.size());
  std::fill_n(members.begin(), claim.beyond.size(), true);
  const auto a = least_norm(z, {members}, most_work);
  if (!a) return std::nullopt;
  std::vector<Integer> whole(z.row[0].size());
  for (std::size_t i = 0; i < named.size(); ++i)
    for (std::size_t j = 0; j < whole.size(); ++j) whole[j] += a->numerator[i] * z.row[i][j];
  return ExactNormal(std::move(whole), z.exponent, a->denominator);
}

// q = q0 - Z'c with Z Z' c = Z q0, Z the rows that span those on the hyperplane.
std::optional<ExactNormal> normal_claimed(const SeparationClaim& claim, const Points& points, const LabelledRows& rows,
                                          double most_work) {
  auto with_q0 = with_constant(claim.forced_by, points, rows);
  auto q0 = claim.hyperplanes.at(0).w;
  if (rows.intercept || rows.constant) q0.push_back(claim.hyperplanes[0].b);
  const std::size_t k = with_q0.size(), d = q0.size();
  with_q0.push_back(std::move(q0));
  const WholeRows z(with_q0);
  if (work_of(k, k, 2 * z.bits + 8) > most_work || static_cast<double>(k * k * d) > 1e7) return std::nullopt;
  std::vector<std::vector<Integer>> system(k, std::vector<Integer>(k + 1));
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t q = 0; q <= k; ++q)
      for (std::size_t j = 0; j < d; ++j) system[i][q] += z.row[i][j] * z.row[q][j];
  const auto c = solve_whole(std::move(system));
  if (!c) return std::nullopt;
  std::vector<Integer> whole(d);
  for (std::size_t j = 0; j < d; ++j) {
    whole[j] = z.row[k][j] * c->denominator;
    for (std::size_t i = 0; i < k; ++i) whole[j] -= c->numerator[i] * z.row[i][j];
  }
  return ExactNormal(std::move(whole), z.exponent, c->denominator);
}

Result<bool> has_sides(const ExactNormal& q, const std::vector<Index>& on, const LabelledRows& rows,
                       const Watch& watch) {
  const bool constant = rows.intercept || rows.constant;
  double work = 0;
  bool holds = true;
  const auto read = for_each_row(rows, watch, [&](Index row, const RowNumbers& x) {
    const double sign = rows.sign[static_cast<std::size_t>(row)];
    const bool through = std::ranges::binary_search(on, row);
    if (!through && q.surely(sign, x, constant) > 0) return true;
    work += q.words() * static_cast<double>(x.value.size() + 16);
    const Scaled value = q.product(sign, x, constant);
    holds = work <= kMostRows && (through ? value.whole == 0 : value.whole > 0);
    return holds;
  });
  if (!read) return std::unexpected(read.error());
  return holds;
}

} // namespace

Result<bool> holds_as_doubles(const Hyperplane& hyperplane, const std::vector<Index>& on, const LabelledRows& rows,
                              const Watch& watch) {
  auto q = hyperplane.w;
  if (rows.intercept || rows.constant) q.push_back(hyperplane.b);
  if (!std::ranges::all_of(q, [](double x) { return std::isfinite(x); })) return false;
  WholeRows whole({q});
  return has_sides(ExactNormal(std::move(whole.row[0]), whole.exponent, 1), on, rows, watch);
}

Result<std::optional<Through>> prove_except(const SeparationClaim& claim, const Points& points,
                                            const LabelledRows& rows, double most_work, const Watch& watch) {
  for (const bool beyond : {true, false}) {
    if (beyond ? claim.beyond.empty() : claim.hyperplanes.empty()) continue;
    const auto q = (beyond ? normal_beyond : normal_claimed)(claim, points, rows, most_work);
    if (!q) continue;
    const auto holds = has_sides(*q, claim.on, rows, watch);
    if (!holds) return std::unexpected(holds.error());
    if (!*holds) continue;
    Through out;
    out.hyperplane.w = q->in_doubles(static_cast<std::size_t>(rows.source.cols()));
    if (rows.intercept || rows.constant) {
      out.hyperplane.b = out.hyperplane.w.back();
      out.hyperplane.w.pop_back();
    }
    const auto as_printed = holds_as_doubles(out.hyperplane, claim.on, rows, watch);
    if (!as_printed) return std::unexpected(as_printed.error());
    out.rounded = !*as_printed;
    return out;
  }
  return std::nullopt;
}

Result<bool> prove_overlap(const std::vector<std::vector<Index>>& layers, const Points& points,
                           const LabelledRows& rows, double most_work, const Watch& watch) {
  std::vector<Index> named;
  for (const auto& layer : layers) named.insert(named.end(), layer.begin(), layer.end());
  const WholeRows z(with_constant(named, points, rows));
  const std::size_t d = z.row.empty() ? 0 : z.row[0].size();
  WholeSpan span;
  std::vector<std::size_t> free;
  double work = 0;
  std::size_t begin = 0;
  for (const auto& layer : layers) {
    // Free rows and the layer's: sum c_f z_f + sum a_i z_i = 0, sum a_i = 1.
    const std::size_t k = free.size() + layer.size();
    work += work_of(d + 1, k, z.bits);
    if (work > most_work) return false;
    std::vector<std::vector<Integer>> system(d + 1, std::vector<Integer>(k + 1));
    for (std::size_t i = 0; i < k; ++i) {
      const auto& point = z.row[i < free.size() ? free[i] : begin + i - free.size()];
      for (std::size_t j = 0; j < d; ++j) system[j][i] = point[j];
      system[d][i] = i < free.size() ? 0 : 1;
    }
    system[d][k] = 1;
    const auto a = solve_whole(std::move(system));
    if (!a) return false;
    for (std::size_t i = free.size(); i < k; ++i)
      if (a->numerator[i] <= 0) return false;
    for (std::size_t i = begin; i < begin + layer.size(); ++i) {
      work += span.work(z.row[i]);
      if (work > most_work) return false;
      if (span.add(z.row[i])) free.push_back(i);
    }
    begin += layer.size();
  }
  if (span.rank() == static_cast<std::size_t>(rows.source.cols()) + (rows.intercept || rows.constant ? 1 : 0))
    return true;
  bool all = true;
  const auto read = for_each_row(rows, watch, [&](Index, const RowNumbers& x) {
    std::vector<double> point(d);
    for (std::size_t s = 0; s < x.value.size(); ++s) point[static_cast<std::size_t>(x.column(s))] = x.value[s];
    if (rows.intercept || rows.constant) point.back() = 1;
    const WholeRows whole({point});
    work += span.work(whole.row[0]);
    all = work <= most_work && span.holds(whole.row[0]);
    return all;
  });
  if (!read) return std::unexpected(read.error());
  return all;
}

} // namespace recta::separation
