#include "solver/separation/exact_search.hpp"

#include "base/listening.hpp"
#include "objective/separation/exact.hpp"
#include "solver/gradient_descent/seen_row.hpp"

#include <algorithm>

namespace recta::separation {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

constexpr Index kMostNumbers = 100'000;

struct TooMuchWork {};

class Budget {
public:
  explicit Budget(double most_work) : left_(most_work) {}
  void spend(double work) {
    keep_going();
    left_ -= work;
    if (left_ < 0) throw TooMuchWork();
  }

private:
  double left_;
};

Integer dot(const std::vector<Integer>& x, const std::vector<Integer>& y) {
  Integer sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (x[j] != 0 && y[j] != 0) sum += x[j] * y[j];
  return sum;
}

double words(const std::vector<Integer>& x) {
  double most = 1;
  for (const Integer& number : x)
    if (number != 0) most = std::max(most, static_cast<double>(msb(abs(number))) / 64 + 1);
  return most;
}

// The least |sum a_i z_i + sum c_f z_f| with a >= 0, sums of 1 in each group, and any c.
class ExactNearest {
public:
  struct Input {
    const WholeRows& z;
    const std::vector<std::size_t>& points; // of z
    const std::vector<std::size_t>& group;  // of every row of z
    std::size_t groups;
    const std::vector<std::size_t>& free; // of z, independent
  };
  ExactNearest(const Input& in, Budget& budget) : in_(in), budget_(budget) {}

  void run() {
    for (std::size_t h = 0; h < in_.groups; ++h) {
      const auto first = std::ranges::find_if(in_.points, [&](std::size_t i) { return in_.group[i] == h; });
      corral_.push_back(*first);
      a_.emplace_back(1);
    }
    for (;;) {
      to_minimiser();
      sum_up();
      const auto next = zero() ? std::nullopt : lowest();
      if (!next) return;
      corral_.push_back(*next);
      a_.emplace_back(0);
    }
  }

  bool zero() const {
    return std::ranges::all_of(v_, [](const Integer& x) { return x == 0; });
  }
  const std::vector<std::size_t>& corral() const { return corral_; }
  double multiplier(std::size_t q) const { return a_[q].convert_to<double>(); }
  double component(std::size_t j) const { return quotient(v_[j], denominator_, in_.z.exponent); }

private:
  // [G E'; E 0] (a, c, mu) = (0, 1) over the corral and the free rows.
  WholeSolution minimiser() const {
    std::vector<std::size_t> all = corral_;
    all.insert(all.end(), in_.free.begin(), in_.free.end());
    const std::size_t k = corral_.size(), n = all.size(), size = n + in_.groups;
    budget_.spend(work_of(size, size, 2 * in_.z.bits + 8));
    std::vector<std::vector<Integer>> system(size, std::vector<Integer>(size + 1));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t q = 0; q <= i; ++q) system[i][q] = system[q][i] = dot(in_.z.row[all[i]], in_.z.row[all[q]]);
    for (std::size_t i = 0; i < k; ++i) system[i][n + in_.group[all[i]]] = system[n + in_.group[all[i]]][i] = 1;
    for (std::size_t h = 0; h < in_.groups; ++h) system[n + h].back() = 1;
    return *solve_whole(std::move(system)); // the least norm exists
  }

  void to_minimiser() {
    for (;;) {
      solution_ = minimiser();
      std::vector<Fraction> goal;
      for (std::size_t q = 0; q < corral_.size(); ++q) goal.emplace_back(solution_.numerator[q], solution_.denominator);
      Fraction step = 1;
      for (std::size_t q = 0; q < goal.size(); ++q)
        if (goal[q] <= 0 && a_[q] > goal[q]) step = std::min<Fraction>(step, a_[q] / (a_[q] - goal[q]));
      for (std::size_t q = 0; q < goal.size(); ++q) a_[q] += step * (goal[q] - a_[q]);
      bool left = false;
      for (std::size_t q = goal.size(); q-- > 0;) {
        if (a_[q] > 0) continue;
        left = true;
        a_.erase(a_.begin() + static_cast<std::ptrdiff_t>(q));
        corral_.erase(corral_.begin() + static_cast<std::ptrdiff_t>(q));
      }
      if (!left) return;
    }
  }

  void sum_up() {
    denominator_ = solution_.denominator;
    v_.assign(in_.z.row[corral_[0]].size(), 0);
    const auto add = [&](std::size_t point, const Integer& by) {
      for (std::size_t j = 0; j < v_.size(); ++j) v_[j] += by * in_.z.row[point][j];
    };
    for (std::size_t q = 0; q < corral_.size(); ++q) add(corral_[q], solution_.numerator[q]);
    for (std::size_t f = 0; f < in_.free.size(); ++f) add(in_.free[f], solution_.numerator[corral_.size() + f]);
  }

  // The point furthest below its group.
  std::optional<std::size_t> lowest() const {
    budget_.spend(static_cast<double>(in_.points.size() * v_.size()) *
                  (words(v_) * (static_cast<double>(in_.z.bits) / 64 + 1) + 20));
    std::vector<Integer> value(in_.groups);
    for (const std::size_t i : corral_) value[in_.group[i]] = dot(in_.z.row[i], v_);
    std::optional<std::size_t> lowest_point;
    Integer least = 0;
    for (const std::size_t i : in_.points) {
      const Integer below = dot(in_.z.row[i], v_) - value[in_.group[i]];
      if (below < least) least = below, lowest_point = i;
    }
    return lowest_point;
  }

  const Input& in_;
  Budget& budget_;
  std::vector<std::size_t> corral_;
  std::vector<Fraction> a_; // of the corral
  WholeSolution solution_;
  std::vector<Integer> v_; // times the denominator
  Integer denominator_ = 1;
};

class ExactSearch {
public:
  ExactSearch(const Labelled& problem, double most_work) : problem_(problem), budget_(most_work) {
    for (std::size_t i = 0; i < problem.sign.size(); ++i)
      if (problem.sign[i] != 0) rows_.push_back(static_cast<Index>(i));
  }

  SeparationClaim run() {
    std::vector<std::size_t> all, group;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      all.push_back(i);
      group.push_back(problem_.intercept && sign(i) < 0 ? 1 : 0);
    }
    const std::size_t groups = problem_.intercept ? 2 : 1;
    const WholeRows z(points(problem_.constant));
    const std::vector<std::size_t> none;
    const ExactNearest::Input input{z, all, group, groups, none};
    ExactNearest nearest(input, budget_);
    nearest.run();
    SeparationClaim out;
    std::vector<std::pair<Index, double>> multipliers;
    for (std::size_t q = 0; q < nearest.corral().size(); ++q)
      multipliers.emplace_back(rows_[nearest.corral()[q]], nearest.multiplier(q) / static_cast<double>(groups));
    std::ranges::sort(multipliers);
    for (const auto& [row, a] : multipliers) out.rows.push_back(row), out.multipliers.push_back(a);
    out.zero = nearest.zero();
    if (out.zero)
      pass_through_forced(nearest.corral(), out);
    else
      out.hyperplanes.push_back(hyperplane(nearest, problem_.constant));
    return out;
  }

private:
  double sign(std::size_t i) const { return problem_.sign[static_cast<std::size_t>(rows_[i])]; }

  std::vector<std::vector<double>> points(bool constant) const {
    const auto p = static_cast<std::size_t>(std::visit([](const auto& rows) { return rows.cols; }, problem_.rows));
    std::vector<std::vector<double>> out;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      auto& z = out.emplace_back(p + (constant ? 1 : 0));
      if (constant) z[p] = sign(i);
      std::visit(
          [&](const auto& rows) {
            row_of(rows, rows_[i]).each([&](Index j, double x) { z[static_cast<std::size_t>(j)] = sign(i) * x; });
          },
          problem_.rows);
    }
    return out;
  }

  Hyperplane hyperplane(const ExactNearest& nearest, bool constant) const {
    const auto p = static_cast<std::size_t>(std::visit([](const auto& rows) { return rows.cols; }, problem_.rows));
    Hyperplane out;
    for (std::size_t j = 0; j < p; ++j) out.w.push_back(nearest.component(j));
    if (constant) out.b = nearest.component(p);
    return out;
  }

  void pass_through_forced(std::vector<std::size_t> forced, SeparationClaim& out) {
    const bool constant = problem_.intercept || problem_.constant;
    const WholeRows z(points(constant));
    const std::vector<std::size_t> one_group(rows_.size());
    std::vector<std::size_t> free, present(one_group.size()), on;
    for (std::size_t i = 0; i < present.size(); ++i) present[i] = i;
    WholeSpan span;
    for (;;) {
      auto& layer = out.layers.emplace_back();
      for (const std::size_t i : forced) {
        layer.push_back(rows_[i]);
        budget_.spend(span.work(z.row[i]));
        if (span.add(z.row[i])) free.push_back(i);
      }
      std::erase_if(present, [&](std::size_t i) {
        budget_.spend(span.work(z.row[i]));
        const bool gone = span.holds(z.row[i]);
        if (gone) on.push_back(i);
        return gone;
      });
      if (present.empty()) return;
      const ExactNearest::Input input{z, present, one_group, 1, free};
      ExactNearest nearest(input, budget_);
      nearest.run();
      forced = nearest.corral();
      if (nearest.zero()) continue;
      out.hyperplanes.push_back(hyperplane(nearest, constant));
      for (const std::size_t i : on) out.on.push_back(rows_[i]);
      for (const std::size_t i : free) out.forced_by.push_back(rows_[i]);
      for (const std::size_t i : forced) out.beyond.push_back(rows_[i]);
      std::ranges::sort(out.on);
      return;
    }
  }

  const Labelled& problem_;
  std::vector<Index> rows_;
  Budget budget_;
};

} // namespace

std::optional<SeparationClaim> separate_exactly(const Labelled& problem, double most_work) {
  const Index cols = std::visit([](const auto& rows) { return rows.cols; }, problem.rows);
  if (std::ssize(problem.sign) * (cols + 1) > kMostNumbers) return std::nullopt;
  try {
    return ExactSearch(problem, most_work).run();
  } catch (const TooMuchWork&) {
    return std::nullopt;
  }
}

} // namespace recta::separation
