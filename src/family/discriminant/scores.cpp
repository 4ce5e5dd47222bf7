#include "family/discriminant/scores.hpp"

#include "base/factor/cholesky.hpp"
#include "base/numbers.hpp"
#include "solver/discriminant/linear.hpp"

#include <numeric>

namespace recta::discriminant {
namespace {

Result<void> derive_linear(Learned& learned, const std::string& source) {
  const double* s = learned.covariance.data();
  const Whitening whitening = whiten(s, least_variances(learned.mean, learned.columns), learned.shape.tolerance);
  if (whitening.rank == 0)
    return fail(ErrorCode::bad_data, source, "no column varies inside any class, so that there is no covariance",
                "a rule on one column separates the classes; or take nearest-centroid");
  learned.rank = whitening.rank;
  LinearScores scores = linear_scores(whitening, s, learned.mean, learned.prior);
  learned.w = std::move(scores.w);
  learned.b = std::move(scores.b);
  Directions directions = separating_directions(whitening, s, learned.mean, learned.prior, learned.w);
  learned.direction = std::move(directions.d);
  learned.ratio = std::move(directions.ratio);
  return {};
}

// The columns that are no combination of earlier ones in all rows: a basis of the covariance of all rows, which is that
// inside the classes plus that of their means.
std::vector<Index> independent_columns(const Learned& learned) {
  const Index p = learned.columns;
  const double total = std::accumulate(learned.weight.begin(), learned.weight.end(), 0.0);
  std::vector<double> all(at(p * p)), middle(at(p));
  const auto apart = [&](std::size_t k, Index j) { return learned.mean[k * at(p) + at(j)] - learned.mean[at(j)]; };
  for (std::size_t k = 0; k < learned.weight.size(); ++k)
    for (Index j = 0; j < p; ++j) middle[at(j)] += learned.weight[k] / total * apart(k, j);
  for (std::size_t k = 0; k < learned.weight.size(); ++k)
    for (Index j = 0; j < p; ++j)
      for (Index i = 0; i < p; ++i)
        all[at(j * p + i)] += learned.weight[k] / total *
                              (learned.covariance[k * all.size() + at(j * p + i)] +
                               (apart(k, i) - middle[at(i)]) * (apart(k, j) - middle[at(j)]));
  const std::vector<double> least = least_variances(learned.mean, p);
  std::vector<Index> varying, out;
  for (Index j = 0; j < p; ++j)
    if (all[at(j * p + j)] > least[at(j)]) varying.push_back(j);
  const Index m = std::ssize(varying);
  std::vector<double> part(at(m * m));
  for (Index b = 0; b < m; ++b)
    for (Index a = 0; a < m; ++a) part[at(b * m + a)] = all[at(varying[at(b)] * p + varying[at(a)])];
  const double tolerance = learned.shape.tolerance * learned.shape.tolerance;
  for (const Index a : Cholesky<double>(std::move(part), m, tolerance).basic()) out.push_back(varying[at(a)]);
  return out;
}

// T over `columns` alone, in the places of all.
void place_factor(const Whitening& whitening, const std::vector<Index>& columns, Index p, double* t) {
  const Index m = std::ssize(columns);
  for (Index b = 0; b < m; ++b)
    for (Index a = 0; a <= b; ++a) t[columns[at(b)] * p + columns[at(a)]] = whitening.t[at(b * m + a)];
}

Whitening whiten_class(const Learned& learned, std::size_t k, const std::vector<Index>& columns) {
  const Index p = learned.columns, m = std::ssize(columns);
  const double* s = learned.covariance.data() + k * at(p * p);
  const std::vector<double> class_mean(learned.mean.begin() + static_cast<Index>(k) * p,
                                       learned.mean.begin() + (static_cast<Index>(k) + 1) * p);
  const std::vector<double> all_least = least_variances(class_mean, p);
  std::vector<double> part(at(m * m)), least;
  for (Index b = 0; b < m; ++b) {
    least.push_back(all_least[at(columns[at(b)])]);
    for (Index a = 0; a < m; ++a) part[at(b * m + a)] = s[columns[at(b)] * p + columns[at(a)]];
  }
  return whiten(part.data(), least, learned.shape.tolerance);
}

bool is_whole(const Whitening& whitening) {
  return whitening.rank == whitening.size && whitening.triangular;
}

Result<void> derive_quadratic(Learned& learned, const Sums& sums, const std::string& source) {
  const std::vector<Index> columns = independent_columns(learned);
  const Index p = learned.columns;
  learned.rank = std::ssize(columns);
  if (columns.empty())
    return fail(ErrorCode::bad_data, source, "no column varies, so that nothing tells the classes apart",
                "give columns that vary");
  learned.t.assign(learned.covariance.size(), 0.0);
  learned.added.assign(learned.weight.size(), 0.0);
  for (std::size_t k = 0; k < learned.weight.size(); ++k)
    if (!is_whole(whiten_class(learned, k, columns))) learned.added[k] = learned.shape.tolerance;
  widen(sums, learned.added, learned.covariance);
  for (std::size_t k = 0; k < learned.weight.size(); ++k) {
    const Whitening whitening = whiten_class(learned, k, columns);
    if (!is_whole(whitening))
      return fail(ErrorCode::bad_data, source, "the covariance of a class is not full rank, even if widened",
                  "pass --shrinkage auto, --towards-pooled 0.1 or --regularisation 0.1, or take lda");
    learned.log_determinant.push_back(whitening.log_determinant);
    place_factor(whitening, columns, p, learned.t.data() + k * at(p * p));
  }
  return {};
}

} // namespace

Result<void> derive_scores(Learned& learned, const Sums& sums, const std::string& source) {
  return learned.shape.quadratic ? derive_quadratic(learned, sums, source) : derive_linear(learned, source);
}

} // namespace recta::discriminant
