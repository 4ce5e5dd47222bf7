#include "solver/choose.hpp"

#include "solver/least_squares.hpp"

#include <array>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr Index kDualRows = 5000; // n^2 numbers and n^3 / 3 operations

struct Row {
  const char* solver;
  bool (*when)(const Shape&);
  const char* reason; // {n} and {p} are filled in
};

bool wide(const Shape& s) {
  return s.rows && *s.rows < s.cols;
}

// The first row whose condition holds is used.
constexpr std::array<Row, 7> kTable{{
    {"gram", [](const Shape& s) { return s.single_pass; },
     "the rows can be read only once, and p x p sums keep all that matters"},
    {"lsmr", [](const Shape& s) { return s.sparse && s.cols > 2000; },
     "sparse rows with p = {p}: p x p products would be dense"},
    {"qr", [](const Shape& s) { return wide(s) && s.penalised && s.free_columns && s.cols <= kGramCols; },
     "n = {n} is below p = {p}, and some columns are not penalised"},
    {"dual", [](const Shape& s) { return wide(s) && *s.rows <= kDualRows && !(s.penalised && s.free_columns); },
     "n = {n} is below p = {p}: n x n is the smaller problem"},
    {"gram", [](const Shape& s) { return s.cols <= kGramCols && s.rows.has_value(); },
     "n = {n} is at least p = {p}: one pass of products, then p x p"},
    {"gram", [](const Shape& s) { return s.cols <= kGramCols; },
     "rows are streamed and p = {p} is small enough for p x p sums"},
    {"lsmr", [](const Shape&) { return true; }, "p = {p} is too large for p x p sums"},
}};

} // namespace

Choice choose_solver(const Shape& shape) {
  for (const Row& row : kTable)
    if (row.when(shape))
      return {row.solver,
              fmt::format(fmt::runtime(row.reason), fmt::arg("n", shape.rows.value_or(0)), fmt::arg("p", shape.cols))};
  return {};
}

const std::vector<std::string>& solver_words() {
  static const std::vector<std::string> words{"auto", "gram",        "qr",   "svd", "dual", "lsmr", "gradient-descent",
                                              "sgd",  "accelerated", "svrg", "saga"};
  return words;
}

// Double-double costs about 25 times as much: free for small data, and there it makes all digits right.
Precision gram_precision(std::optional<Index> rows, Index cols, Index targets) {
  const double d = static_cast<double>(cols + targets);
  if (!rows) return Precision::standard;
  return static_cast<double>(*rows) * d * d <= 2e6 ? Precision::extended : Precision::standard;
}

} // namespace recta
