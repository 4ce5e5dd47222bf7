#include "family/loss/wide.hpp"

#include "family/loss/request.hpp"
#include "held/column_data.hpp"
#include "params/params.hpp"
#include "solver/least_squares.hpp"
#include "solver/newton/by_passes.hpp"
#include "solver/newton/columns.hpp"
#include "solver/newton/conjugate.hpp"
#include "stats/rows.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

// p^2 sums are worth their cost while they take less than the passes over the rows, or over columns, that they save.
constexpr Index kSparseRows = 64, kSparseColumns = 500, kWideCols = 2000;
constexpr Index kPassesCols = 1000; // of rows that are not kept: p^2 numbers are then 8 MB per block, or per part
constexpr Index kFull = 6;          // rows that store more than one number in so many go the dense way

// Numbers that compressed arrays of the caller store; nothing: the rows are made elsewhere.
std::optional<Index> stored_numbers(const Rows& rows) {
  if (!rows.arrays || rows.arrays->sparse.start == nullptr) return {};
  const SparseView& x = rows.arrays->sparse;
  const Index lines = x.compressed == Compressed::by_row ? x.rows : x.cols;
  if (x.width == IndexWidth::bits32) return static_cast<const std::int32_t*>(x.start)[lines];
  return static_cast<const std::int64_t*>(x.start)[lines];
}

// The values that stand beside the columns, row by row.
struct Labels {
  std::vector<double> y, weight, offset; // weight empty: all one; offset empty: all zero

  static Result<Labels> of(RowSource& source) {
    Labels out;
    const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
      for (Index i = 0; i < batch.rows(); ++i) out.y.push_back(element(batch.target, i, 0));
      out.weight.insert(out.weight.end(), batch.weight.begin(), batch.weight.end());
      out.offset.insert(out.offset.end(), batch.offset.begin(), batch.offset.end());
      return {};
    });
    if (!read) return std::unexpected(read.error());
    return out;
  }
};

Result<ProximalSolution> solve_by_columns(const NewtonProblem& problem, const Rows& rows, Pool& pool,
                                          const Watch& watch) {
  const auto data = ColumnData::make(rows, pool, watch);
  if (!data) return std::unexpected(data.error());
  const auto labels = Labels::of(rows.source);
  if (!labels) return std::unexpected(labels.error());
  ProximalSolution solution =
      solve_by_column_newton(problem, {data->x(), labels->y, labels->weight, labels->offset}, pool, watch);
  solution.newton.passes += data->passes() + 1;
  return solution;
}

} // namespace

bool by_stored_products(const LossObjective& objective, const LossFacts& facts, const Rows& rows) {
  const Index n = rows.source.rows().value_or(0), p = rows.source.cols();
  if (n == 0 || !rows.sparse || !(objective.lambda1 > 0) || p <= kSparseRows || p > kSparseColumns) return false;
  if (const auto stored = stored_numbers(rows); stored && kFull * *stored > n * p) return false;
  return facts.shifts(objective).empty();
}

std::optional<Choice> wide_route(const LossObjective& objective, const LossFacts& facts, const Rows& rows) {
  const std::optional<Index> n = rows.source.rows();
  const Index p = rows.source.cols();
  if (!objective.log_odds() || !(objective.lambda1 + objective.lambda2 > 0)) return {};
  if (!n && (objective.lambda1 > 0 || rows.single_pass || p <= kPassesCols)) return {};
  if (!n) return Choice{"newton-cg", fmt::format("p = {} and rows that are read in passes", p)};
  const char* solver = objective.lambda1 > 0 ? "newton-columns" : "newton-cg";
  if (p > kGramCols) return Choice{solver, fmt::format("p = {} is too large for p x p sums", p)};
  if (by_stored_products(objective, facts, rows))
    return Choice{"newton-sparse", fmt::format("sparse rows with p = {}: products of what they store", p)};
  if (rows.sparse && p > (objective.lambda1 > 0 ? kSparseColumns : kSparseRows))
    return Choice{solver, fmt::format("sparse rows with p = {}: p x p products would be dense", p)};
  if (*n < p && p > kWideCols) return Choice{solver, fmt::format("n = {} is below p = {}", *n, p)};
  return {};
}

bool was_wide(const Model& model) {
  const std::string& solver = model.linear()->solver;
  return solver == "newton-cg" || solver == "newton-columns" || solver == "newton-sparse" ||
         static_cast<Index>(model.linear()->targets.at(0).coefficients.size()) > kGramCols;
}

Result<void> check_width(const std::string& word, const Params& params, const Rows& rows) {
  const Index p = rows.source.cols();
  const loss::LossModel* model = loss::loss_model(word);
  const bool logistic = model && model->log_odds;
  const bool penalised = loss_is_penalised(params), kept = rows.source.rows().has_value();
  const bool absolutes = number(params, "lambda1") > 0 || number(params, "l1-share") > 0;
  if (p <= kGramCols || (logistic && penalised && (kept || !absolutes))) return {};
  const std::string what = fmt::format("{} columns are too many for the p x p sums that {} works on", p, word);
  if (logistic && penalised)
    return fail(ErrorCode::usage, rows.name, what + " under absolute values where rows are not kept",
                "give a penalty of squares alone, or leave out --stream and --engine");
  return fail(ErrorCode::usage, rows.name, what + (logistic ? " without a penalty" : ""),
              fmt::format("{}choose {} columns or fewer", logistic ? "give lambda above 0, or " : "", kGramCols));
}

Result<ProximalSolution> solve_wide(const Choice& route, const NewtonProblem& problem, const Rows& rows, Pool& pool,
                                    const Watch& watch) {
  if (route.solver == "newton-sparse") return solve_by_stored_products(problem, rows.source, pool, watch);
  if (route.solver == "newton-columns") return solve_by_columns(problem, rows, pool, watch);
  auto solution = rows.source.rows() ? solve_by_conjugate_newton(problem, rows.source, pool, watch)
                                     : solve_by_product_passes(problem, rows.source, pool, watch);
  if (!solution) return std::unexpected(solution.error());
  return ProximalSolution{*std::move(solution), std::numeric_limits<double>::quiet_NaN()};
}

} // namespace recta
