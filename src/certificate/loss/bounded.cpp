#include "certificate/loss/bounded.hpp"

#include "base/factor/cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

class Active {
public:
  Active(const BoundedSystem& system, std::vector<double> start)
      : s_(system), x_(std::move(start)), free_(x_.size(), 1) {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = std::clamp(x_[i], s_.low[i], s_.high[i]);
  }

  std::vector<double> run() {
    const std::size_t most = 4 * x_.size() + 20;
    double last = 1e300;
    for (std::size_t k = 0; k < most; ++k) {
      const bool whole = approach();
      if (!whole) continue;
      const std::vector<double> rest = residual();
      const double size = std::sqrt(dot(rest.data(), rest.data())), scale = std::sqrt(dot(s_.e.data(), s_.e.data()));
      if (size <= 1e-15 * (1 + scale) || !(size < last * (1 - 1e-9)) || !release(rest)) break;
      last = size;
    }
    return x_;
  }

private:
  const double* column(std::size_t i) const { return s_.g.data() + i * static_cast<std::size_t>(s_.rows); }

  std::vector<double> residual() const {
    std::vector<double> rest = s_.e;
    for (std::size_t i = 0; i < x_.size(); ++i)
      for (Index r = 0; r < s_.rows; ++r) rest[r] -= column(i)[r] * x_[i];
    return rest;
  }

  // The least change of the free ones that brings G x nearest to e: G'b with G G'b = rest.
  std::vector<double> wish() const {
    const Index k = s_.rows;
    std::vector<double> square(static_cast<std::size_t>(k * k));
    for (std::size_t i = 0; i < x_.size(); ++i)
      for (Index c = 0; free_[i] && c < k; ++c)
        for (Index r = 0; r <= c; ++r) square[r + c * k] += column(i)[r] * column(i)[c];
    const Cholesky<double> factor(std::move(square), k, 1e-13);
    const std::vector<double> back = factor.solve(reachable(factor, residual()));
    std::vector<double> step(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (free_[i]) step[i] = dot(column(i), back.data());
    return step;
  }

  // Rows of G that are combinations of others, G = C G_B: the point among all that G x can be, C u, that is nearest to
  // the rest.
  static std::vector<double> reachable(const Cholesky<double>& factor, std::vector<double> rest) {
    const Index k = factor.size(), rank = factor.rank();
    if (rank == k) return rest;
    std::vector<double> square(static_cast<std::size_t>(rank * rank)), right;
    for (Index c = 0; c < rank; ++c) square[c + c * rank] = 1, right.push_back(rest[factor.basic()[c]]);
    for (Index row = 0; row < k; ++row) {
      if (factor.is_basic(row)) continue;
      const std::vector<double> shares = factor.combination(row);
      for (Index c = 0; c < rank; ++c) {
        const double share = shares[factor.basic()[c]];
        right[c] += share * rest[row];
        for (Index r = 0; r <= c; ++r) square[r + c * rank] += shares[factor.basic()[r]] * share;
      }
    }
    const std::vector<double> u = Cholesky<double>(std::move(square), rank, 0).solve(right);
    for (Index c = 0; c < rank; ++c) rest[factor.basic()[c]] = u[c];
    return rest;
  }

  double dot(const double* a, const double* b) const {
    double sum = 0;
    for (Index r = 0; r < s_.rows; ++r) sum += a[r] * b[r];
    return sum;
  }

  // Makes one step on the free ones; false: a bound was met on the way.
  bool approach() {
    const std::vector<double> step = wish();
    double t = 1;
    std::size_t first = x_.size();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!free_[i]) continue;
      const double room = step[i] > 0 ? s_.high[i] - x_[i] : s_.low[i] - x_[i];
      if (step[i] != 0 && room / step[i] < t) t = std::max(0.0, room / step[i]), first = i;
    }
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (free_[i]) x_[i] = std::clamp(x_[i] + t * step[i], s_.low[i], s_.high[i]);
    if (first == x_.size()) return true;
    x_[first] = step[first] > 0 ? s_.high[first] : s_.low[first];
    free_[first] = 0;
    return false;
  }

  // The bound that holds the residual up most.
  bool release(const std::vector<double>& rest) {
    double most = 0;
    std::size_t which = x_.size();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (free_[i] || !(s_.low[i] < s_.high[i])) continue;
      const double along = dot(column(i), rest.data());
      const double wish = x_[i] <= s_.low[i] ? along : -along;
      if (wish > most) most = wish, which = i;
    }
    if (which == x_.size()) return false;
    free_[which] = 1;
    return true;
  }

  const BoundedSystem& s_;
  std::vector<double> x_;
  std::vector<char> free_;
};

} // namespace

std::vector<double> solve_bounded(const BoundedSystem& system, std::vector<double> start) {
  return Active(system, std::move(start)).run();
}

} // namespace recta
