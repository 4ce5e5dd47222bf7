#include "family/softmax/separation.hpp"

#include "certificate/softmax/no_maximum.hpp"
#include "classes/decide_separation.hpp"
#include "design/view_source.hpp"
#include "feature/classes.hpp"
#include "solver/gradient_descent/seen_row.hpp"
#include "stats/shifted_rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kColumns = 1000, kNumbers = Index{1} << 25; // the question is asked up to so many, rows of them held

// One row for every row and every class except its own.
struct Differences {
  std::vector<std::int64_t> start{0}, index{};
  std::vector<double> value{};
  std::vector<std::pair<Index, Index>> of{}; // the row, and the other class
  std::vector<Index> place{};                // the class of every row; -1: it is not there
  std::vector<double> shift{};               // the shifts taken off the columns; empty: none
};

// The shifts that can be taken off the columns without any rounding, if that brings them nearer to zero
// (stats/shifted_rows): for numbers far from zero the search would see little but their means. Empty: nothing.
std::vector<double> exact_shifts(const HeldRows& held) {
  const auto* dense = std::get_if<DenseRows>(&held.seen());
  if (!dense || *held.rows() == 0) return {};
  const auto n = static_cast<double>(*held.rows());
  std::vector<double> mean(static_cast<std::size_t>(held.cols())), square(mean.size());
  const auto visit = [&](const auto& take) {
    for (Index i = 0; i < *held.rows(); ++i) row_of(*dense, i).each(take);
  };
  visit([&](Index j, double x) { mean[static_cast<std::size_t>(j)] += x / n; });
  visit([&](Index j, double x) {
    const double away = x - mean[static_cast<std::size_t>(j)];
    square[static_cast<std::size_t>(j)] += away * away / n;
  });
  for (double& x : square) x = std::sqrt(x);
  std::vector<double> shift = shifts_of(mean, square);
  if (shift.empty()) return shift;
  visit([&](Index j, double x) {
    double& m = shift[static_cast<std::size_t>(j)];
    if (two_sum(x, -m).lo != 0) m = 0;
  });
  return shift;
}

Differences differences(const HeldRows& held, const Schema& schema, bool intercept) {
  const Index last = schema.classes.count() - 1, p = held.cols(), size = p + (intercept ? 1 : 0);
  Differences out;
  if (intercept) out.shift = exact_shifts(held);
  const std::vector<double> y = held.target(0);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool there = held.weight().empty() || held.weight()[i] != 0;
    const Index place = there ? feature::class_place(schema.classes, y[i]) : -1;
    out.place.push_back(place);
    for (Index other = 0; there && other <= last; ++other) {
      if (other == place) continue;
      for (const Index block : {std::min(place, other), std::max(place, other)}) {
        if (block == last) continue;
        const double sign = block == place ? 1 : -1;
        const auto add = [&](Index j, double x) {
          const double m = out.shift.empty() || j == p ? 0 : out.shift[static_cast<std::size_t>(j)];
          out.index.push_back(block * size + j), out.value.push_back(sign * (x - m));
        };
        std::visit([&](const auto& rows) { row_of(rows, static_cast<Index>(i)).each(add); }, held.seen());
        if (intercept) add(p, 1);
      }
      out.start.push_back(std::ssize(out.index));
      out.of.emplace_back(static_cast<Index>(i), other);
    }
  }
  return out;
}

bool affordable(const Rows& rows, const Schema& schema, bool intercept) {
  const Index others = schema.classes.count() - 1, size = rows.source.cols() + (intercept ? 1 : 0);
  return rows.source.rows() && others * size <= kColumns && *rows.source.rows() * others * 2 * size <= kNumbers;
}

struct Search {
  Separability answer{};
  Differences rows{};
};

Result<Search> searched(const Schema& schema, const Rows& rows, bool intercept, Pool& pool, const Watch& watch) {
  const auto held = HeldRows::hold(rows.source);
  if (!held) return std::unexpected(held.error());
  Search out{.rows = differences(**held, schema, intercept)};
  const auto count = std::ssize(out.rows.of);
  const Index cols = (schema.classes.count() - 1) * (rows.source.cols() + (intercept ? 1 : 0));
  CsrSource source(SparseView{count, cols, out.rows.start.data(), out.rows.index.data(), out.rows.value.data()}, {});
  const auto difference_rows = HeldRows::hold(source);
  if (!difference_rows) return std::unexpected(difference_rows.error());
  const std::vector<double> sign(static_cast<std::size_t>(count), 1.0);
  auto answer =
      separation::decide({(*difference_rows)->seen(), sign, false}, {**difference_rows, sign, false}, pool, watch);
  if (!answer) return std::unexpected(answer.error());
  out.answer = *std::move(answer);
  return out;
}

// All classes' weights, then their intercepts, as softmax has them.
std::vector<double> direction_of(const Search& search, Index classes, Index p, bool intercept) {
  const Index size = p + (intercept ? 1 : 0);
  std::vector<double> out(static_cast<std::size_t>(classes * (p + 1)));
  for (Index k = 0; k + 1 < classes; ++k)
    for (Index j = 0; j < size; ++j)
      out[static_cast<std::size_t>(j < p ? k * p + j : classes * p + k)] =
          search.answer.weights[static_cast<std::size_t>(k * size + j)];
  for (Index k = 0; k + 1 < classes; ++k) {
    double& b = out[static_cast<std::size_t>(classes * p + k)];
    b = constant_about(search.rows.shift, std::span(out).subspan(static_cast<std::size_t>(k * p)), b, -1).hi;
  }
  return out;
}

} // namespace

Result<void> look_for_class_separation(const std::vector<double>& known, bool intercept, const TaskRows& task_rows,
                                       Certificate& certificate) {
  const auto& [schema, rows, pool, clock] = task_rows;
  std::string why = "there may be no finite maximum, which was not asked of so many columns, classes and rows";
  if (affordable(rows, schema, intercept)) {
    const auto search = searched(schema, rows, intercept, pool, clock.watch());
    if (!search) return std::unexpected(search.error());
    const Separability& answer = search->answer;
    certificate.passes += answer.looks;
    const bool apart = answer.verdict == Separation::separable || answer.verdict == Separation::except;
    if (apart && answer.proved && !answer.weights.empty()) {
      auto direction = direction_of(*search, schema.classes.count(), rows.source.cols(), intercept);
      if (known.empty() || separation::same_direction(known, direction))
        return claim_no_maximum(answer, {search->rows.of, search->rows.place}, std::move(direction), schema,
                                certificate),
               Result<void>{};
      return {};
    }
    why = answer.overlap ? "the classes overlap, as multipliers prove: there is a finite maximum, far out"
                         : "there may be no finite maximum, which no planes were found to prove";
  }
  if (!known.empty()) return {};
  certificate.conditions.push_back("coefficients went far out and the likelihood gained nothing: " + why);
  certificate.conditions.emplace_back("lambda above 0 has an answer");
  return {};
}

bool runs_away(bool far, const Certificate& certificate) {
  constexpr double kGone = 1e-6;
  return far || certificate.objective <= kGone * certificate.null_objective ||
         certificate.verdict == Verdict::refuted || certificate.verdict == Verdict::stopped_early;
}

} // namespace recta
