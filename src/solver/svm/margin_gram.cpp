#include "solver/svm/margin_gram.hpp"

#include "base/sums.hpp"
#include "solver/svm/weighted_system.hpp"

namespace recta::svm {

Gram margin_gram(const LinearRows& rows, const GramPoint& point, Pool& pool) {
  const std::vector<double> products = weighted_products(rows, true, point.weight, pool);
  const std::vector<double> gradient = rows.combination(point.beta, pool);
  const Index p = rows.cols(), d = p + 1;
  CompensatedSum slope, response;
  Gram out(p, 1);
  for (std::size_t i = 0; i < point.beta.size(); ++i) {
    if (point.weight[i] == 0) continue;
    ++out.rows;
    slope.add(point.beta[i]);
    response.add(point.beta[i] * point.beta[i] / point.weight[i]);
  }
  out.weight = products.back();
  out.mean.clear();
  for (Index j = 0; j < p; ++j) out.mean.push_back(products[at(p + j * d)] / out.weight);
  out.mean_low.assign(at(d), 0.0);
  out.scatter.assign(at(d * d), 0.0), out.scatter_low.assign(at(d * d), 0.0);
  std::vector<double> along(at(p)); // X'T X w about the means
  double mean = point.b, own = 0;
  for (Index j = 0; j < p; ++j) {
    mean += out.mean[at(j)] * point.w[at(j)];
    for (Index i = j; i < p; ++i) {
      const double sum = products[at(i + j * d)] - out.weight * out.mean[at(i)] * out.mean[at(j)];
      const double x = i == j ? std::max(0.0, sum) : sum;
      out.scatter[at(i + j * d)] = x;
      along[at(i)] += x * point.w[at(j)];
      if (i != j) along[at(j)] += x * point.w[at(i)];
    }
  }
  for (Index j = 0; j < p; ++j) {
    const double falls = gradient[at(j)] - out.mean[at(j)] * slope.value();
    out.scatter[at(p + j * d)] = along[at(j)] + falls;
    own += point.w[at(j)] * (along[at(j)] + 2 * falls);
  }
  out.mean.push_back(mean + slope.value() / out.weight);
  out.scatter[at(p + p * d)] = std::max(0.0, own) + response.value(); // rounding must not make a square negative
  return out;
}

} // namespace recta::svm
