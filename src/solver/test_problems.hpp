// Helpers shared by the tests of the least-squares solvers: random problems, a solve that must succeed, and exact
// answers.
#pragma once

#include "certificate/least_squares/certify.hpp"
#include "objective/test_exact.hpp"
#include "solver/least_squares.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta::testing {

inline const std::vector<std::string> kAll{"gram", "qr", "svd", "dual", "lsmr"};

inline double draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state >> 40) - (1 << 23)) / (1 << 20);
}

inline LeastSquaresProblem asked(const std::string& solver, double lambda2 = 0, bool intercept = true) {
  LeastSquaresProblem problem;
  problem.solver = solver;
  problem.objective.lambda2 = lambda2;
  problem.objective.intercept = intercept;
  return problem;
}
inline LeastSquaresProblem standardised(LeastSquaresProblem problem) {
  problem.objective.standardise = true;
  return problem;
}
inline LeastSquaresProblem with_factors(LeastSquaresProblem problem, std::vector<double> factors) {
  problem.objective.factors = std::move(factors);
  return problem;
}
inline LeastSquaresProblem once(LeastSquaresProblem problem) {
  problem.single_pass = true;
  return problem;
}

// Numbers that are multiples of 2^-20 in [-8, 8).
inline Rows random_rows(Index n, Index p, Index k = 1, std::uint64_t seed = 1) {
  Rows rows(n, p, {}, {}, k);
  for (Index i = 0; i < n * p; ++i) rows.x.push_back(draw(seed));
  for (Index i = 0; i < n * k; ++i) rows.y.push_back(draw(seed));
  return rows;
}

inline LeastSquaresSolution solved(Rows& rows, const LeastSquaresProblem& problem = asked("auto"), int threads = 2) {
  Pool pool(threads);
  rows.next = 0;
  auto solution = solve(problem, rows, pool);
  EXPECT_TRUE(solution) << solution.error().text();
  return solution ? *solution : LeastSquaresSolution{};
}

inline Certificate proof(Rows& rows, const LeastSquaresProblem& problem, const LeastSquaresSolution& s) {
  Pool pool(2);
  Claimed claim;
  claim.objective = problem.objective;
  claim.w = s.w;
  claim.b = s.b;
  const auto checked = certify(claim, s.gram ? &*s.gram : nullptr, &rows, pool);
  EXPECT_TRUE(checked) << checked.error().text();
  return checked->certificate;
}

using Answers = std::vector<Exact>; // one per target

inline Answers exact_answers(const Rows& rows, bool intercept, const Rational& tau = 0) {
  Answers out;
  for (Index t = 0; t < rows.k; ++t) out.push_back(exact_least_squares(rows, intercept, tau, t));
  return out;
}

inline void expect_exact(const Answers& exact, const LeastSquaresSolution& s, bool intercept, double tolerance,
                         const std::string& what) {
  const Index p = s.cols, lead = intercept ? 1 : 0;
  for (Index t = 0; t < s.targets; ++t) {
    const auto near = [&](double found, const Rational& sought) {
      EXPECT_NEAR(found, to_double(sought), tolerance * std::max(1.0, std::abs(found))) << what;
    };
    if (intercept) near(s.b[t], exact[t].w[0]);
    for (Index j = 0; j < p; ++j) near(s.w[j + t * p], exact[t].w[j + lead]);
  }
}

} // namespace recta::testing
