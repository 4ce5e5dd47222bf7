// Labelled rows for tests of solvers without p x p sums, dense and compressed, from a fixed generator.
#pragma once

#include "certificate/loss/certify.hpp"
#include "design/csc/csc_source.hpp"
#include "design/view_source.hpp"
#include "solver/newton/newton.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace recta::testing {

struct Labelled {
  Index n = 0, p = 0;
  std::vector<double> dense = {}, y = {}, weight = {}, offset = {}; // dense: by row
  std::vector<std::int32_t> start = {0}, index = {};
  std::vector<double> value = {};

  // About `each` non-zero numbers per row; the labels depend on the first columns.
  static Labelled make(Index n, Index p, Index each, std::uint64_t seed = 7) {
    Labelled out{.n = n, .p = p};
    std::uint64_t state = seed;
    const auto draw = [&] { // in [0, 1)
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<double>(state >> 11) * 0x1p-53;
    };
    out.dense.assign(static_cast<std::size_t>(n * p), 0.0);
    for (Index i = 0; i < n; ++i) {
      double z = 0.3;
      for (Index k = 0; k < each; ++k) {
        const auto j = static_cast<Index>(draw() * static_cast<double>(p));
        const double x = 2 * draw() - (k % 2 == 0 ? 1 : 0.5);
        out.dense[i * p + j] = x;
        z += (j % 3 == 0 ? 2 : j % 3 == 1 ? -1.5 : 0) * x;
      }
      out.y.push_back(draw() < 1 / (1 + std::exp(-z)) ? 1 : -1);
    }
    out.compress();
    return out;
  }
  void compress() {
    start.assign(1, 0), index.clear(), value.clear();
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < p; ++j)
        if (const double x = dense[i * p + j]; x != 0)
          index.push_back(static_cast<std::int32_t>(j)), value.push_back(x);
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
  }
  Outcome outcome() const {
    Outcome out;
    out.target = MatrixView::vector(y.data(), n);
    out.weight = weight;
    out.offset = offset;
    return out;
  }
  SparseView compressed() const { return {n, p, start.data(), index.data(), value.data(), IndexWidth::bits32}; }
  CsrSource sparse_rows() const { return {compressed(), outcome()}; }
  DenseSource dense_rows() const { return {MatrixView::row_major(dense.data(), n, p), outcome()}; }
};

inline LossFacts facts_of(const LossObjective& objective, RowSource& rows, Pool& pool) {
  auto facts = loss_facts(rows, pool, {}, {});
  EXPECT_TRUE(facts) << facts.error().text();
  EXPECT_TRUE(add_null(objective, rows, pool, {}, *facts));
  return *std::move(facts);
}

inline LossChecked checked_of(const LossObjective& objective, const LossFacts& facts, const NewtonSolution& solution,
                              RowSource& rows, Pool& pool, bool without_gram) {
  const LossClaimed claimed{.objective = objective,
                            .facts = &facts,
                            .w = solution.w,
                            .b = solution.b,
                            .gave_up = solution.gave_up,
                            .without_gram = without_gram};
  return *certify(claimed, nullptr, &rows, pool);
}

} // namespace recta::testing
