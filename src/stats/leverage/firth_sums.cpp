#include "stats/leverage/firth_sums.hpp"

#include "base/blas.hpp"
#include "stats/present_block.hpp"
#include "stats/state_bytes.hpp"

#include <cmath>

namespace recta {

FisherInformation::FisherInformation(const Gram& gram, bool with_intercept, const std::vector<char>& constant,
                                     Pool& pool)
    : intercept(with_intercept), weight(gram.weight) {
  for (Index j = 0; j < gram.cols; ++j)
    if (!constant[j]) used.push_back(j);
  const auto size = static_cast<Index>(used.size());
  std::vector<double> a(used.size() * used.size());
  for (Index c = 0; c < size; ++c) {
    for (Index r = 0; r <= c; ++r) {
      const double about = gram.scatter[used[c] + used[r] * gram.size()];
      a[r + c * size] = intercept ? about : about + gram.weight * gram.mean[used[r]] * gram.mean[used[c]];
    }
    mean.push_back(intercept ? gram.mean[used[c]] : 0);
  }
  const blas::SerialBlas serial;
  factor = Cholesky<double>(std::move(a), size, 10 * std::max(static_cast<double>(size), 8.0) * 0x1p-53, &pool);
}

double FisherInformation::log_det() const {
  const auto size = static_cast<Index>(used.size());
  const std::vector<double> r = factor.rows_in_double();
  double sum = intercept ? std::log(weight) : 0;
  for (Index s = 0; s < size; ++s) sum += 2 * std::log(std::abs(r[s + s * size]));
  return sum;
}

FirthSums::FirthSums(std::shared_ptr<const FirthPoint> at)
    : point(std::move(at)), cols(static_cast<Index>(point->w.size())), gradient(point->w.size()) {}

void FirthSums::accumulate(const Batch& batch) {
  PresentBlock block;
  block.take(batch, 0);
  const FisherInformation& information = *point->information;
  const Index n = block.rows(), size = std::ssize(information.used);
  std::vector<double> z(static_cast<std::size_t>(n)), d(z.size());
  std::vector<double> columns(z.size() * static_cast<std::size_t>(size)), unit(point->w.size());
  block.row_dots(point->w.data(), z.data());
  for (Index s = 0; s < size; ++s) { // the columns in use, one after the other
    unit[information.used[s]] = 1;
    block.row_dots(unit.data(), columns.data() + s * n);
    unit[information.used[s]] = 0;
  }
  std::vector<double> row(static_cast<std::size_t>(size));
  for (Index i = 0; i < n; ++i) {
    const double p = 1 / (1 + std::exp(-(z[i] + point->b + block.offset[i])));
    for (Index s = 0; s < size; ++s) row[s] = columns[i + s * n] - information.mean[s];
    double length = information.intercept ? 1 / information.weight : 0;
    for (const double x : information.factor.forward(row)) length += x * x;
    const double h = block.v[i] * p * (1 - p) * length;
    leverage += h;
    d[i] = h * (0.5 - p);
    slope += d[i];
  }
  block.column_dots(d.data(), gradient.data());
}

void FirthSums::merge(const FirthSums& other) {
  leverage += other.leverage;
  slope += other.slope;
  for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += other.gradient[j];
}

} // namespace recta
