#include "feature/map/kernel_call.hpp"

#include "base/random.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta::feature {

kernel::Settings kernel_of(const Call& call) {
  return {call.option("kernel", "rbf"), call.number_option("gamma", kNaN), call.number_option("coef", 0),
          static_cast<Index>(call.number_option("degree", 3))};
}

std::string kernel_text(const Call& call, double gamma) {
  kernel::Settings settings = kernel_of(call);
  settings.gamma = gamma;
  return kernel::make_kernel(settings)->text();
}

std::string short_text(Call call) {
  call.columns.clear();
  return call.text();
}

Result<void> Sample::gather(const LearningRows& from) {
  const auto done = for_each_batch(from.rows, [&](const Batch& batch) -> Result<void> {
    if (auto good = check_weights(batch, from.places); !good) return good;
    if (auto good = check_numbers(batch, from.places); !good) return good;
    for (const Index i : present_rows(batch)) add(std::get<MatrixView>(batch.x), i, batch.first_row + i);
    last_row_ = std::max(last_row_, batch.first_row + batch.rows());
    return {};
  });
  if (!done) return done;
  if (rows_ > 0) return {};
  return fail(ErrorCode::bad_data, from.source, "there is no row to learn features from", "give at least one");
}

double Sample::gamma() const {
  const auto n = static_cast<double>(rows_ * columns_);
  const DoubleDouble mean = sum_ / n;
  const double variance = std::max(0.0, (squares_ / n - mean * mean).hi);
  return variance > 0 ? 1 / (static_cast<double>(columns_) * variance) : 1;
}

std::vector<double> Sample::numbers() {
  std::vector<std::size_t> order;
  for (; !drawn_.empty(); drawn_.pop()) order.push_back(drawn_.top().place);
  std::ranges::sort(order, {}, [&](std::size_t place) { return row_[place]; });
  std::vector<double> out;
  for (const std::size_t place : order)
    out.insert(out.end(), x_.begin() + static_cast<Index>(place) * columns_,
               x_.begin() + (static_cast<Index>(place) + 1) * columns_);
  return out;
}

void Sample::add(const MatrixView& x, Index i, Index row) {
  ++rows_;
  for (Index j = 0; j < columns_; ++j) {
    const double value = element(x, i, j);
    sum_ += value;
    squares_ += two_prod(value, value);
  }
  const std::uint64_t draw = Random(seed_, static_cast<std::uint64_t>(row) + 1).bits();
  std::size_t place = row_.size();
  if (std::ssize(drawn_) == size_) {
    if (draw >= drawn_.top().draw) return;
    place = drawn_.top().place;
    drawn_.pop();
  } else {
    row_.push_back(0);
    x_.resize(x_.size() + at(columns_));
  }
  row_[place] = row;
  for (Index j = 0; j < columns_; ++j) x_[place * at(columns_) + at(j)] = element(x, i, j);
  drawn_.push({draw, place});
}

} // namespace recta::feature
