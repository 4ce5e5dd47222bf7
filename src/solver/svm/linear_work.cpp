#include "solver/svm/linear_work.hpp"

#include <algorithm>

namespace recta::svm {
namespace {

constexpr double kPerNumber = 80;     // products of a factor take as long as a number of a pass
constexpr double kInteriorSteps = 20; // of an interior point method

double products_of_factor(Index size) {
  const auto n = static_cast<double>(size);
  return n * n * n / 3;
}

double numbers_of_passes(const LinearRows& rows, Index passes) {
  return static_cast<double>(passes) * static_cast<double>(rows.numbers());
}

} // namespace

bool is_worth_a_factor(const LinearRows& rows, Index free, Index passes) {
  return products_of_factor(free) <= kPerNumber * numbers_of_passes(rows, passes);
}

bool is_worth_an_interior_point(const LinearRows& rows, Index passes) {
  return kInteriorSteps * products_of_factor(rows.cols()) <= kPerNumber * numbers_of_passes(rows, passes);
}

// A step has a factor, and the products of the numbers of each row with one another, for which every task looks at all
// numbers (weighted_system.hpp).
Index passes_before_interior_point(const LinearRows& rows) {
  constexpr double kLooks = 10, kProduct = 1.0 / 6; // in numbers of a pass
  const auto numbers = static_cast<double>(std::max<Index>(1, rows.numbers()));
  const double by_row = numbers / static_cast<double>(std::max<Index>(1, rows.rows()));
  const double step = products_of_factor(rows.cols()) / kPerNumber + numbers * (kLooks + kProduct * by_row);
  return static_cast<Index>(kInteriorSteps * step / numbers / 2);
}

} // namespace recta::svm
