// M4, R4 and the map of W7: polynomials and other functions of the columns, by numbers done on paper, and the same
// answer by every way the rows can come.
#include "worked.hpp"

#include <cstdio>
#include <fstream>
#include <gmock/gmock.h>

namespace recta {

using testing::ElementsAre;

// No line separates the rings; after (x1^2, x2^2, sqrt2 x1 x2) f = (2/3)(x1^2 + x2^2) - 5/3 is -1 on one and 1 on the
// other. The third feature is zero in every row.
TEST(W7, AfterTheRingMapALineSeparatesTheRings) {
  const Dataset rings = table("x1,x2,y\n1,0,-1\n-1,0,-1\n0,1,-1\n0,-1,-1\n2,0,1\n-2,0,1\n0,2,1\n0,-2,1\n");
  const Model plain = proved("linear", rings, {.target = {"y"}});
  expect_exactly(plain.linear()->targets[0].r2, 0);
  const Model model = proved("linear", rings, {.target = {"y"}, .basis = {"ring(x1, x2)"}});
  EXPECT_THAT(model.feature_names(), ElementsAre("x1^2", "x2^2", "sqrt(2)*x1*x2"));
  expect_exactly(coefficient(model, "x1^2"), 2.0 / 3);
  expect_exactly(coefficient(model, "x2^2"), 2.0 / 3);
  expect_exactly(coefficient(model, "sqrt(2)*x1*x2"), 0);
  expect_exactly(intercept(model), -5.0 / 3);
  for (Index i = 0; i < rings.rows; ++i) expect_exactly(model.predict(rings).value()[i], rings.columns[2].values[i]);
}

// y = 1 + 2 x - 3 x^2 + x^3 through four points.
TEST(R4, APolynomialIsFoundAndContinued) {
  const Model model = proved("linear", table("x,y\n0,1\n1,1\n2,1\n3,7\n"), {.target = {"y"}, .poly = 3});
  EXPECT_THAT(model.feature_names(), ElementsAre("x", "x^2", "x^3"));
  expect_exactly(intercept(model), 1);
  expect_exactly(coefficient(model, "x"), 2);
  expect_exactly(coefficient(model, "x^2"), -3);
  expect_exactly(coefficient(model, "x^3"), 1);
  expect_exactly(model.predict(table("x\n10\n")).value()[0], 1 + 20 - 300 + 1000);
}

TEST(R4, ASurfaceOfSecondDegreeIsFound) { // y = 2 + a^2 - a c
  std::string csv = "a,c,y\n";
  for (int a = -1; a <= 1; ++a)
    for (int c = 0; c < 3; ++c)
      csv += std::to_string(a) + "," + std::to_string(c) + "," + std::to_string(2 + a * a - a * c) + "\n";
  const Model model = proved("linear", table(csv), {.target = {"y"}, .poly = 2});
  EXPECT_THAT(model.feature_names(), ElementsAre("a", "c", "a^2", "a*c", "c^2"));
  EXPECT_THAT(
      proved("linear", table(csv), {.target = {"y"}, .poly = 2, .poly_terms = PolyTerms::powers}).feature_names(),
      ElementsAre("a", "c", "a^2", "c^2"));
  expect_exactly(coefficient(model, "a^2"), 1);
  expect_exactly(coefficient(model, "a*c"), -1);
  expect_exactly(coefficient(model, "c^2"), 0);
  expect_exactly(intercept(model), 2);
}

TEST(R4, ACurvilinearModelIsLinearInItsFunctions) { // y = 3 + 2 log(x), and a wave of period 4
  const Model grows = proved("linear", table("x,y\n1,3\n7.38905609893065,7\n54.598150033144236,11\n"),
                             {.target = {"y"}, .basis = {"log(x)"}});
  EXPECT_NEAR(coefficient(grows, "log(x)"), 2, 1e-14);
  const Model waves = proved("linear", table("t,y\n0,6\n1,7\n2,4\n3,3\n4,6\n5,7\n"),
                             {.target = {"y"}, .basis = {"fourier(t, 4)"}}); // 5 + 2 sin + cos
  EXPECT_NEAR(coefficient(waves, "sin(t, 4)"), 2, 1e-14);
  EXPECT_NEAR(coefficient(waves, "cos(t, 4)"), 1, 1e-14);
  EXPECT_NEAR(intercept(waves), 5, 1e-14);
}

namespace {

constexpr Index kRows = 5000; // several blocks

struct Waves {
  std::vector<double> x, y; // x by row: two columns
  std::string csv = "u,v,y\n";
  Waves() {
    for (Index i = 0; i < kRows; ++i) {
      const double u = 0.5 + static_cast<double>(i % 97) / 97, v = static_cast<double>((i * 31) % 89) / 8;
      x.insert(x.end(), {u, v});
      y.push_back(std::floor(1000 * (u * u - v / (1 + u) + std::sin(v))) / 1000);
      char line[120];
      std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g\n", u, v, y.back());
      csv += line;
    }
  }
};

FitOptions every_map(int threads) {
  return {.target = {"y"},
          .poly = 3,
          .basis = {"spline(v, 6)", "radial(v, 4)"},
          .feature = {"u*v", "log(u)", "v/(1 + u)", "fourier(v, 6)"},
          .threads = threads,
          .params = {{"solver", std::string("gram")}}};
}

std::vector<double> answer(const Model& model) {
  std::vector<double> all{intercept(model)};
  for (const Coefficient& c : model.linear()->targets[0].coefficients) all.push_back(c.value);
  return all;
}

} // namespace

TEST(Maps, GiveTheSameBitsFromATableAStreamAndAnArrayAtAnyNumberOfThreads) {
  const Waves waves;
  const std::string path = testing::TempDir() + "recta_feature_maps.csv";
  std::ofstream(path) << waves.csv;
  const auto data = read(path);
  ASSERT_TRUE(data) << data.error().text();
  const auto whole = fit("ridge", *data, every_map(1));
  ASSERT_TRUE(whole) << whole.error().text();
  const auto wanted = answer(*whole);
  const auto threaded = fit("ridge", *data, every_map(3));
  EXPECT_EQ(answer(*threaded), wanted);
  const auto streamed = fit_stream("ridge", path, {}, every_map(2));
  ASSERT_TRUE(streamed) << streamed.error().text();
  EXPECT_EQ(answer(*streamed), wanted);
  Arrays arrays;
  arrays.dense = MatrixView::row_major(waves.x.data(), kRows, 2);
  arrays.y = MatrixView::vector(waves.y.data(), kRows);
  arrays.names = {"u", "v"};
  const auto from_arrays = fit("ridge", arrays, every_map(2));
  ASSERT_TRUE(from_arrays) << from_arrays.error().text();
  EXPECT_EQ(answer(*from_arrays), wanted);
  EXPECT_EQ(from_arrays->fingerprint, whole->fingerprint);
  EXPECT_EQ(from_arrays->feature_names(), whole->feature_names());

  const auto again = verify(*whole, *data), by_arrays = verify(*whole, arrays), by_stream = verify_stream(*whole, path);
  ASSERT_TRUE(again && by_arrays && by_stream);
  EXPECT_EQ(again->sentence(), whole->certificate.sentence());
  EXPECT_EQ(by_arrays->verdict, whole->certificate.verdict);
  EXPECT_EQ(by_stream->verdict, whole->certificate.verdict);
  std::remove(path.c_str());
}

TEST(Maps, ARowIsPredictedWithTheSameBitsAloneAndInABatchFromATableAndAnArray) {
  const Waves waves;
  const Dataset data = table(waves.csv);
  const Model model = fit("ridge", data, every_map(2)).value();
  const Model loaded = Model::from_bytes(model.to_bytes(), "bytes").value();
  const Values all = model.predict(data).value();
  EXPECT_EQ(loaded.predict(data).value(), all);
  EXPECT_EQ(model.predict(MatrixView::row_major(waves.x.data(), kRows, 2)).value(), all);
  for (const Index i : {Index{0}, Index{77}, kRows - 1}) {
    EXPECT_EQ(model.predict(MatrixView::row_major(waves.x.data() + 2 * i, 1, 2)).value()[0], all[i]);
    Dataset one = data;
    one.rows = 1;
    for (Column& column : one.columns) column.values = {column.values[i]};
    EXPECT_EQ(model.predict(one).value()[0], all[i]);
  }
  EXPECT_FALSE(model.predict(MatrixView::row_major(waves.x.data(), 10, 3)));
}

TEST(Maps, RefuseWhatTheyCannotRead) {
  const std::vector<double> x{1, 2, 3}, y{1, 2, 4};
  const std::vector<Index> start{0, 1, 2, 3}, index{0, 0, 0};
  Arrays sparse;
  sparse.sparse = {3, 1, start.data(), index.data(), x.data()};
  sparse.y = MatrixView::vector(y.data(), 3);
  EXPECT_NE(fit("linear", sparse, {.poly = 2}).error().text().find("sparse"), std::string::npos);
  Arrays dense;
  dense.dense = MatrixView::vector(x.data(), 3);
  dense.y = sparse.y;
  const auto model = fit("linear", dense, {.poly = 2});
  ASSERT_TRUE(model);
  expect_exactly(model->predict(dense.dense).value()[2], 4);
  EXPECT_FALSE(model->predict(sparse.sparse));
  const auto gathered = Statistics::gather(dense);
  ASSERT_TRUE(gathered);
  EXPECT_NE(fit("linear", *gathered, {.poly = 2}).error().text().find("rows"), std::string::npos);
  const std::vector<double> bad{1, -1, 3};
  dense.dense = MatrixView::vector(bad.data(), 3);
  EXPECT_NE(fit("linear", dense, {.basis = {"log(x1)"}}).error().text().find("arrays, row 2, column x1: log(x1)"),
            std::string::npos);
}

} // namespace recta
