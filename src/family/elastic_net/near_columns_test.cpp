// A lasso of columns that are nearly the same.
#include "base/random.hpp"

#include <recta/recta.hpp>

#include <gtest/gtest.h>

namespace recta {
namespace {

Model fitted(const Arrays& data, const Params& params) {
  auto model = fit("lasso", data, {.params = params});
  EXPECT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  return *std::move(model);
}

// Three copies of every column, each a millionth off: along their differences the cost is all but flat.
TEST(NearColumns, SparseOnesAreProvedAsDenseOnesAre) {
  constexpr Index kRows = 300, kOwn = 330, kCols = 3 * kOwn;
  Random random(7, 1);
  std::vector<Index> start{0}, row;
  std::vector<double> value, dense(kRows * kCols), y(kRows);
  std::vector<std::pair<Index, double>> own[kOwn];
  for (auto& column : own)
    for (Index i = 0; i < kRows; ++i)
      if (random.uniform() < 0.03) column.emplace_back(i, random.uniform());
  for (Index j = 0; j < kCols; ++j) {
    for (const auto& [i, x] : own[j % kOwn]) {
      row.push_back(i);
      value.push_back(x * (1 + 1e-6 * (random.uniform() - 0.5)));
      dense[i + j * kRows] = value.back();
      if (j < kOwn / 10) y[i] += x * (j % 2 ? 1 : -1);
    }
    start.push_back(std::ssize(row));
  }
  for (double& each : y) each += 0.1 * random.uniform();
  Arrays data{.y = MatrixView::vector(y.data(), kRows)};
  data.sparse = {kRows, kCols, start.data(), row.data(), value.data()};
  data.sparse.compressed = Compressed::by_column;
  const Params params{{"lambda", 1e-5}, {"solver", std::string("columns")}};
  const Model sparse = fitted(data, params);
  data.sparse = {};
  data.dense = MatrixView::col_major(dense.data(), kRows, kCols);
  const Model other = fitted(data, params);
  EXPECT_NEAR(sparse.certificate.objective, other.certificate.objective, 1e-12);
}

} // namespace
} // namespace recta
