#include "solver/svm/grouped_rows.hpp"

#include "solver/svm/smo_steps.hpp"

namespace recta::svm {
namespace {

constexpr Index kScoreChunk = 4096;

} // namespace

double missing(const GroupedProblem& problem, Index g, const std::vector<double>& beta) {
  double sum = 0;
  for (Index v = 0; v < problem.terms(); ++v)
    if (problem.group[at(v)] == g) sum += beta[at(v)];
  return problem.groups[at(g)].sigma * problem.groups[at(g)].mass - sum;
}

GroupedRows::GroupedRows(const GroupedProblem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
                         std::uint64_t cache, Pool& pool)
    : problem_(problem), pool_(pool), rows_(kernel, points, cache, std::min(kSmoRows, points.count()), pool) {
  out_.beta.resize(at(problem.terms()));
  out_.f.resize(at(points.count()));
}

Index GroupedRows::free_count() const {
  Index out = 0;
  for (Index v = 0; v < problem_.terms(); ++v) out += is_free(v) ? 1 : 0;
  return out;
}

double GroupedRows::slope_unit() const {
  double low = kInfinity, high = -kInfinity;
  for (Index v = 0; v < problem_.terms(); ++v) low = std::min(low, slope(v)), high = std::max(high, slope(v));
  return high > low ? high - low : 1;
}

std::vector<Ends> GroupedRows::ends() const {
  std::vector<Ends> out(problem_.groups.size());
  for (Index v = 0; v < problem_.terms(); ++v) {
    Ends& own = out[at(problem_.group[at(v)])];
    const double s = slope(v);
    if (may_grow(v)) own.least_up = std::min(own.least_up, s);
    if (may_shrink(v)) own.largest_down = std::max(own.largest_down, s);
  }
  return out;
}

double GroupedRows::violation(const std::vector<Ends>& all) {
  double out = 0;
  for (const Ends& one : all) out = std::max(out, one.apart());
  return out;
}

void GroupedRows::measure() {
  out_.levels = best_level_of_groups(problem_, out_.f);
  out_.gap = grouped_gap(problem_, out_.beta, out_.f, out_.levels);
}

void GroupedRows::begin(const std::vector<double>& start) {
  if (start.empty()) return fill_in_order();
  set_coefficients(start);
}

void GroupedRows::set_coefficients(const std::vector<double>& beta) {
  out_.beta = beta;
  meet_masses(problem_, out_.beta);
  std::ranges::fill(out_.f, 0.0);
  std::vector<Index> all(out_.beta.size());
  std::iota(all.begin(), all.end(), Index{0});
  add_terms(all, out_.beta);
}

void GroupedRows::fill_in_order() {
  std::vector<double> left;
  for (const auto& group : problem_.groups) left.push_back(group.mass);
  std::vector<Index> used;
  std::vector<double> change;
  for (Index v = 0; v < problem_.terms(); ++v) {
    double& rest = left[at(problem_.group[at(v)])];
    const double a = std::min(rest, problem_.cost[at(v)]);
    if (!(a > 0)) continue;
    rest -= a;
    out_.beta[at(v)] = problem_.sigma(v) * a;
    used.push_back(v), change.push_back(out_.beta[at(v)]);
  }
  add_terms(used, change);
}

void GroupedRows::add_terms(std::span<const Index> terms, std::span<const double> change) {
  in_portions(terms, together(), [&](Index from, std::span<const Index> some) {
    add_to_scores(kernel_rows(some), change.subspan(at(from), some.size()));
  });
}

std::vector<Index> GroupedRows::rows_of(std::span<const Index> terms) const {
  std::vector<Index> out;
  for (const Index v : terms) out.push_back(problem_.row[at(v)]);
  return out;
}

std::vector<const double*> GroupedRows::kernel_rows(std::span<const Index> terms) {
  std::vector<Index> wanted = rows_of(terms);
  std::ranges::sort(wanted);
  const auto repeated = std::ranges::unique(wanted);
  wanted.erase(repeated.begin(), repeated.end());
  const auto& rows = rows_.rows(wanted);
  std::vector<const double*> out;
  for (const Index v : terms)
    out.push_back(
        rows[static_cast<std::size_t>(std::ranges::lower_bound(wanted, problem_.row[at(v)]) - wanted.begin())]);
  return out;
}

void GroupedRows::add_to_scores(const std::vector<const double*>& rows, std::span<const double> change) {
  const Index n = std::ssize(out_.f);
  pool_.run((n + kScoreChunk - 1) / kScoreChunk, [&](Index task, int) {
    const Index first = task * kScoreChunk, last = std::min(n, first + kScoreChunk);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (change[k] == 0) continue;
      for (Index i = first; i < last; ++i) out_.f[at(i)] += change[k] * rows[k][i];
    }
  });
}

std::vector<double> GroupedRows::gram_of(std::span<const Index> terms) {
  const std::vector<Index> columns = rows_of(terms);
  std::vector<double> out(terms.size() * terms.size());
  in_portions(terms, together(), [&](Index from, std::span<const Index> some) {
    take_columns<double>(kernel_rows(some), columns, out.data() + at(from) * terms.size());
  });
  return out;
}

bool has_room_inside(const GroupedProblem& problem) {
  std::vector<double> costs(problem.groups.size());
  for (Index v = 0; v < problem.terms(); ++v) costs[at(problem.group[at(v)])] += problem.cost[at(v)];
  for (std::size_t g = 0; g < costs.size(); ++g)
    if (!(problem.groups[g].mass < (1 - 1e-9) * costs[g])) return false;
  return true;
}

void meet_masses(const GroupedProblem& problem, std::vector<double>& beta) {
  for (Index g = 0; g < std::ssize(problem.groups); ++g) {
    const double owed = missing(problem, g, beta);
    const auto room = [&](Index v) {
      const double low = beta[at(v)] - problem.low(v), high = problem.high(v) - beta[at(v)];
      return problem.group[at(v)] == g && low > 0 && high > 0 ? (owed > 0 ? high : low) : 0;
    };
    double all = 0;
    for (Index v = 0; v < problem.terms(); ++v) all += room(v);
    for (Index v = 0; v < problem.terms() && all > std::abs(owed); ++v) beta[at(v)] += owed * (room(v) / all);
  }
}

} // namespace recta::svm
