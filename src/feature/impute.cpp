// Missing numbers of arrays, filled in as Missing::neighbours does.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/pool.hpp"
#include "feature/donors.hpp"
#include "stats/rows.hpp"

#include <recta/neighbours.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr Index kRowsOfATask = 64;

Result<std::vector<double>> by_row(const MatrixView& x) {
  std::vector<double> out;
  out.reserve(at(x.rows * x.cols));
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j) {
      out.push_back(element(x, i, j));
      if (std::isinf(out.back()))
        return fail(ErrorCode::bad_data, fmt::format("row {}, column {}", i + 1, j + 1),
                    fmt::format("{} has no distance to other numbers", out.back()), "leave the row out");
    }
  return out;
}

std::vector<double> means(const std::vector<double>& x, Index cols) {
  std::vector<double> sum(at(cols)), count(at(cols));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isnan(x[i])) sum[i % at(cols)] += x[i], ++count[i % at(cols)];
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = count[j] > 0 ? sum[j] / count[j] : 0;
  return sum;
}

} // namespace

Result<Values> impute(const MatrixView& donors, const MatrixView& rows, const ImputeOptions& options, int threads) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<Values> {
    if (donors.cols != rows.cols || options.neighbours < 1)
      return fail(ErrorCode::usage, "impute",
                  fmt::format("{} columns beside {}, {} neighbours", rows.cols, donors.cols, options.neighbours),
                  "rows have the columns of the donors, and at least one neighbour fills in");
    const auto from = by_row(donors), to = by_row(rows);
    if (!from) return std::unexpected(from.error());
    if (!to) return std::unexpected(to.error());
    Values out(to->begin(), to->end());
    const Index p = rows.cols;
    const std::vector<double> fill = means(*from, p);
    const feature::DonorRows nearest(*from, p, {}, options.neighbours, options.by_distance);
    Pool pool(threads);
    pool.run((rows.rows + kRowsOfATask - 1) / kRowsOfATask, [&](Index task, int) {
      for (Index i = task * kRowsOfATask; i < std::min(rows.rows, (task + 1) * kRowsOfATask); ++i) {
        double* row = out.data() + i * p;
        if (std::any_of(row, row + p, [](double x) { return std::isnan(x); })) nearest.complete(row, fill);
      }
    });
    return out;
  });
}

} // namespace recta
