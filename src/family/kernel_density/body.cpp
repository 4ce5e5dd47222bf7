#include "family/kernel_density/body.hpp"

#include "base/double_double.hpp"
#include "stats/dense_copy.hpp"

#include <algorithm>
#include <cmath>

namespace recta::density {

using neighbours::Euclidean;
using neighbours::measured;

DensityBody::DensityBody(std::shared_ptr<const neighbours::NeighbourBody> memory, std::string kernel, double bandwidth)
    : RememberingBody(std::move(memory)), name_(std::move(kernel)), kernel_(name_, memory_->features()),
      bandwidth_(bandwidth), total_(neighbours::total_weight(memory_->rows())) {}

double DensityBody::log_units() const {
  double out = kernel_.log_integral() + static_cast<double>(features()) * std::log(bandwidth_) + std::log(total_);
  for (const double scale : memory_->rows().scale) out -= std::log(scale);
  return out;
}

double DensityBody::log_density(const double* query, std::vector<double>& scratch) const {
  const neighbours::Points& points = memory_->points();
  scratch.clear();
  double most = -kInfinity;
  for (Index i = 0; i < points.rows; ++i) {
    const double d = measured(Euclidean{}, query, points.row(i), points.cols);
    scratch.push_back(kernel_.log_value(d / bandwidth_) + std::log(points.places_of(i)));
    most = std::max(most, scratch.back());
  }
  if (most == -kInfinity) return most;
  double sum = 0;
  for (const double term : scratch) sum += std::exp(term - most);
  return most + std::log(sum) - log_units();
}

double DensityBody::log_density_again(const double* query) const {
  const neighbours::Points& points = memory_->points();
  const auto term = [&](Index i) {
    DoubleDouble squares;
    for (Index j = 0; j < points.cols; ++j) {
      const double apart = query[j] - points.row(i)[j];
      squares += two_prod(apart, apart);
    }
    return kernel_.log_value(std::sqrt(squares.hi) / bandwidth_) + std::log(points.places_of(i));
  };
  double most = -kInfinity;
  for (Index i = 0; i < points.rows; ++i) most = std::max(most, term(i));
  if (most == -kInfinity) return most;
  DoubleDouble sum;
  for (Index i = points.rows - 1; i >= 0; --i) sum += std::exp(term(i) - most);
  return most + std::log(sum.hi) - log_units();
}

Result<void> DensityBody::score(const Batch& rows, ScoresOf, double* out) const {
  DenseCopy copy;
  copy.take(rows);
  const Index p = features();
  std::vector<double> scratch;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (!rows.weight.empty() && !(rows.weight[at(i)] > 0)) {
      out[i] = kNaN;
      continue;
    }
    const std::span<double> row = std::span(copy.x).subspan(at(i * p), at(p));
    if (auto good = memory_->map(row, rows.first_row + i); !good) return good;
    out[i] = log_density(row.data(), scratch);
  }
  return {};
}

Report DensityBody::report(const Schema&) const {
  Report out;
  out.figures.push_back({"bandwidth", "bandwidth", bandwidth_});
  out.figures.push_back({"remembered_rows", "rows remembered", static_cast<double>(memory_->rows().rows)});
  return out;
}

void DensityBody::write(TensorWriter& out) const {
  memory_->write(out);
  out.add("kernel_density.kernel", std::vector<std::string>{name_});
  out.add("kernel_density.bandwidth", std::vector<double>{bandwidth_}, {1});
}

} // namespace recta::density
