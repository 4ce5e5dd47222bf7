#include "solver/separation/column_units.hpp"

#include "base/listening.hpp"
#include "solver/gradient_descent/seen_row.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace recta::separation {
namespace {

constexpr int kMiddle = 400; // between 2^-400 and 2^400 products of two numbers are doubles, and sums of many

} // namespace

ColumnUnits::ColumnUnits(const SeenRows& rows, std::span<const double> sign) : rows_(rows) {
  const auto p = static_cast<std::size_t>(std::visit([](const auto& layout) { return layout.cols; }, rows));
  std::vector<double> largest(p);
  const auto each_row = [&](const auto& visit) {
    for (std::size_t i = 0; i < sign.size(); ++i) {
      keep_going();
      std::visit([&](const auto& layout) { visit(i, row_of(layout, static_cast<Index>(i))); }, rows);
    }
  };
  each_row([&](std::size_t i, const auto& row) {
    if (sign[i] != 0)
      row.each([&](Index j, double x) {
        double& most = largest[static_cast<std::size_t>(j)];
        most = std::max(most, std::abs(x));
      });
  });
  for (const double most : largest) {
    const int exponent = most > 0 ? std::ilogb(most) : 0;
    shift_.push_back(std::abs(exponent) > kMiddle ? -exponent : 0);
    changed_ = changed_ || shift_.back() != 0;
  }
  if (!changed_) return;
  start_.push_back(0);
  each_row([&](std::size_t, const auto& row) {
    row.each([&](Index j, double x) {
      index_.push_back(j);
      value_.push_back(std::ldexp(x, shift_[static_cast<std::size_t>(j)]));
    });
    start_.push_back(std::ssize(index_));
  });
  const auto one_block = static_cast<int>(std::bit_width(sign.size()));
  if (std::holds_alternative<DenseRows>(rows))
    scaled_ = DenseRows{{{value_.data(), static_cast<Index>(p)}}, one_block, static_cast<Index>(p)};
  else
    scaled_ =
        SparseRows<std::int64_t>{{{start_.data(), index_.data(), value_.data()}}, one_block, static_cast<Index>(p)};
}

} // namespace recta::separation
