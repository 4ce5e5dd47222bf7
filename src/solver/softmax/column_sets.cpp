#include "solver/softmax/column_sets.hpp"

#include "base/blas.hpp"
#include "design/view_source.hpp"
#include "solver/softmax/proximal.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace recta {
namespace {

constexpr Index kFirst = 200; // columns in the first set; later ones are twice those in use
constexpr Index kRounds = 60;

// Some columns of all rows, compressed, with the targets and weights.
struct ChosenRows {
  std::vector<std::int64_t> start{0}, index;
  std::vector<double> value, y, weight; // weight empty: all one

  static Result<ChosenRows> of(const std::vector<Index>& columns, RowSource& source) {
    ChosenRows out;
    std::vector<Index> place(static_cast<std::size_t>(source.cols()), -1);
    for (std::size_t s = 0; s < columns.size(); ++s) place[columns[s]] = static_cast<Index>(s);
    const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
      for (Index i = 0; i < batch.rows(); ++i) out.add_row(batch, i, columns, place);
      out.weight.insert(out.weight.end(), batch.weight.begin(), batch.weight.end());
      return {};
    });
    if (!read) return std::unexpected(read.error());
    return out;
  }

  SparseView view(Index cols) const {
    return {std::ssize(y), cols, start.data(), index.data(), value.data(), IndexWidth::bits64};
  }
  Outcome outcome() const {
    Outcome out;
    out.target = MatrixView::vector(y.data(), std::ssize(y));
    out.weight = weight;
    return out;
  }

private:
  void add_row(const Batch& batch, Index i, const std::vector<Index>& columns, const std::vector<Index>& place) {
    if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
      for (std::size_t s = 0; s < columns.size(); ++s) add(static_cast<Index>(s), element(*dense, i, columns[s]));
    } else {
      const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; s < row.count; ++s)
        if (const Index at = place[row.column(s)]; at >= 0) add(at, row.value[s]);
    }
    start.push_back(std::ssize(index));
    y.push_back(element(batch.target, i, 0));
  }
  void add(Index column, double x) {
    if (x == 0) return;
    index.push_back(column);
    value.push_back(x);
  }
};

class ColumnSets {
public:
  ColumnSets(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
      : problem_(problem), rows_(rows), pool_(pool), watch_(watch), looks_(problem, rows, pool, watch),
        here_(looks_.zero()) {
    here_.c = problem.start;
    if (!problem.weights.empty()) here_.w = problem.weights;
  }

  Result<SoftmaxSolution> run() {
    const blas::SerialBlas serial;
    if (auto look = looks_.at(here_); look)
      look_ = *std::move(look);
    else
      return std::unexpected(look.error());
    find_lambda1_max();
    auto done = rounds();
    if (!done && done.error().code != ErrorCode::interrupted) return std::unexpected(done.error());
    solution_.interrupted = solution_.interrupted || !done;
    solution_.passes += looks_.passes();
    solution_.b = looks_.intercepts(here_);
    solution_.w = here_.w;
    return std::move(solution_);
  }

private:
  void find_lambda1_max() {
    for (Index k = 0; k < looks_.classes(); ++k)
      for (const Index j : looks_.used())
        solution_.lambda1_max = std::max(solution_.lambda1_max, std::abs(look_.gradient.w[k * looks_.cols() + j]) /
                                                                    std::sqrt(problem_.unit[j]));
  }

  Result<void> rounds() {
    const double scale = std::max(problem_.null_objective, 1e-300);
    std::vector<Index> columns;
    std::ranges::copy_if(looks_.used(), std::back_inserter(columns), [&](Index j) { return uses(j); });
    for (Index round = 0; round < kRounds; ++round) {
      const double gap = sparse_softmax_gap(problem_, here_, look_);
      std::vector<Index> next = chosen(columns);
      const bool reached = gap <= problem_.tolerance * scale / 4;
      if (next.empty() || (reached && next == columns)) return {};
      // It does not ask for digits that a look at the other columns would take away again.
      const double tolerance = next == columns ? problem_.tolerance : std::max(problem_.tolerance, 0.01 * gap / scale);
      if (next == columns && last_tolerance_ == tolerance) return {};
      columns = std::move(next);
      last_tolerance_ = tolerance;
      if (auto done = solve(columns, tolerance); !done) return done;
      if (solution_.interrupted) return {};
      auto look = looks_.at(here_);
      if (!look) return std::unexpected(look.error());
      look_ = *std::move(look);
    }
    solution_.gave_up = true;
    solution_.stop = "60 sets of columns were not enough";
    return {};
  }

  bool uses(Index j) const { // some class does
    for (Index k = 0; k < looks_.classes(); ++k)
      if (here_.w[k * looks_.cols() + j] != 0) return true;
    return false;
  }

  // Columns in use, and those that violate their condition, worst first; previous ones stay while they are in use.
  std::vector<Index> chosen(const std::vector<Index>& before) const {
    const Index p = looks_.cols();
    std::vector<std::pair<double, Index>> order;
    Index used = 0;
    bool missing = false;
    for (const Index j : looks_.used()) {
      const double l1 = softmax_term(problem_, j).l1;
      double worst = 0;
      for (Index k = 0; k < looks_.classes(); ++k) worst = std::max(worst, std::abs(look_.gradient.w[k * p + j]) / l1);
      const bool in_use = uses(j), known = std::ranges::binary_search(before, j);
      used += in_use ? 1 : 0;
      if (in_use)
        order.emplace_back(-INFINITY, j);
      else if (worst > 1 && !known)
        order.emplace_back(-worst, j), missing = true;
    }
    if (!missing) return before;
    std::ranges::sort(order);
    const Index most = std::max(kFirst, 2 * used);
    if (std::ssize(order) > most) order.resize(static_cast<std::size_t>(most));
    std::vector<Index> columns;
    for (const auto& [urgency, j] : order) columns.push_back(j);
    std::ranges::sort(columns);
    return columns;
  }

  Result<void> solve(const std::vector<Index>& columns, double tolerance) {
    const Index p = looks_.cols(), size = std::ssize(columns), classes = looks_.classes();
    auto rows = ChosenRows::of(columns, rows_);
    if (!rows) return std::unexpected(rows.error());
    SoftmaxProblem some = problem_;
    some.tolerance = tolerance;
    some.start = here_.c;
    some.sparse = true;
    some.gram = nullptr;
    for (auto* each : {&some.unit, &some.mean, &some.sd, &some.weights}) each->clear();
    for (const Index j : columns) {
      some.unit.push_back(problem_.unit[j]);
      some.mean.push_back(problem_.mean[j]);
      some.sd.push_back(problem_.sd[j]);
    }
    for (Index k = 0; k < classes; ++k)
      for (const Index j : columns) some.weights.push_back(here_.w[k * p + j]);
    CsrSource source(rows->view(size), rows->outcome());
    auto part = solve_sparse_softmax(some, source, pool_, watch_);
    if (!part) return std::unexpected(part.error());
    here_ = looks_.zero();
    for (Index k = 0; k < classes; ++k) {
      here_.c[k] = part->b[k];
      for (Index s = 0; s < size; ++s) {
        here_.w[k * p + columns[s]] = part->w[k * size + s];
        if (problem_.intercept) here_.c[k] += problem_.mean[columns[s]] * part->w[k * size + s];
      }
    }
    solution_.steps += part->steps;
    solution_.passes += part->passes + 1;
    solution_.stop = part->stop;
    solution_.gave_up = part->gave_up;
    solution_.interrupted = part->interrupted;
    return {};
  }

  const SoftmaxProblem& problem_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  SoftmaxLooks looks_;
  ClassVector here_;
  SoftmaxLooks::Look look_;
  double last_tolerance_ = 0;
  SoftmaxSolution solution_;
};

} // namespace

Result<SoftmaxSolution> solve_wide_sparse_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                                  const Watch& watch) {
  return ColumnSets(problem, rows, pool, watch).run();
}

} // namespace recta
