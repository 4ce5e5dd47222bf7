#include "solver/newton/least_norm.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"

namespace recta {
namespace {

// F, by the columns left out, over the columns that they are combinations of.
struct Combinations {
  std::vector<const Basis::Column*> left_out;
  std::vector<Index> place; // of a column in a row of F; -1: none
  Index rows = 0;
  std::vector<double> f; // rows x left out, by column
};

Combinations combinations_of(const Basis& basis) {
  Combinations out;
  for (const Basis::Column& each : basis.columns)
    if (each.left_out) out.left_out.push_back(&each);
  out.place.assign(static_cast<std::size_t>(basis.cols), -1);
  for (const Basis::Column* each : out.left_out)
    for (const auto& [k, c] : each->terms)
      if (out.place[k] < 0) out.place[k] = out.rows++;
  out.f.resize(static_cast<std::size_t>(out.rows) * out.left_out.size());
  for (std::size_t d = 0; d < out.left_out.size(); ++d)
    for (const auto& [k, c] : out.left_out[d]->terms) out.f[out.place[k] + static_cast<Index>(d) * out.rows] = c.hi;
  return out;
}

// (I + A A')^-1 right.
std::vector<double> solve_square(blas::ConstMatrix a, const std::vector<double>& right) {
  const auto size = std::ssize(right);
  std::vector<double> square(static_cast<std::size_t>(size * size));
  blas::gemm(1, a, blas::transposed(a), 0, {square.data(), size});
  for (Index s = 0; s < size; ++s) square[s + s * size] += 1;
  return Cholesky<double>(std::move(square), size, 0).solve(right);
}

std::vector<double> times_f(const Combinations& of, const std::vector<double>& beta) { // F'beta
  std::vector<double> out(of.left_out.size());
  for (std::size_t d = 0; d < out.size(); ++d)
    for (Index k = 0; k < of.rows; ++k) out[d] += of.f[k + static_cast<Index>(d) * of.rows] * beta[k];
  return out;
}

} // namespace

void take_least_norm(const Basis& basis, Basis::Scores& answer) {
  const Combinations of = combinations_of(basis);
  if (of.left_out.empty() || of.rows == 0) return;
  std::vector<double> beta(static_cast<std::size_t>(of.rows));
  for (Index k = 0; k < basis.cols; ++k)
    if (of.place[k] >= 0) beta[of.place[k]] = answer.w[k].hi;
  const blas::SerialBlas serial;
  // Solves the smaller of the two systems: s = (I + F'F)^-1 F'beta = F'(I + F F')^-1 beta.
  const blas::ConstMatrix f{of.f.data(), of.rows, std::ssize(of.left_out)};
  const std::vector<double> s = std::ssize(of.left_out) <= of.rows
                                    ? solve_square(blas::transposed(f), times_f(of, beta))
                                    : times_f(of, solve_square(f, beta));
  for (std::size_t d = 0; d < s.size(); ++d) {
    const Basis::Column& each = *of.left_out[d];
    answer.w[each.column] = s[d];
    for (const auto& [k, c] : each.terms) answer.w[k] -= c * s[d];
    answer.b -= each.constant * s[d];
  }
}

} // namespace recta
