// Regressions with losses of their own as users reach them.
#include "model/linear/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::HasSubstr;

struct Data {
  Index n = 0, p = 0;
  std::vector<double> x, y, v = {}, o = {};
};

Arrays arrays(const Data& data) {
  Arrays out;
  out.dense = MatrixView::row_major(data.x.data(), data.n, data.p);
  out.y = MatrixView::vector(data.y.data(), data.n);
  if (!data.v.empty()) out.weights = data.v.data();
  if (!data.o.empty()) out.offset = data.o.data();
  return out;
}

double draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state >> 40) - (1 << 23)) / (1 << 23);
}

Data some(Index n, Index p, std::uint64_t seed = 5) {
  Data data{n, p, {}, {}};
  for (Index i = 0; i < n * p; ++i) data.x.push_back(draw(seed));
  for (Index i = 0; i < n; ++i) data.y.push_back(1 + std::floor(8 * (1 + draw(seed)) + 3 * data.x[i * p]) / 2);
  for (double& y : data.y) y = std::max(y, 0.5);
  return data;
}

Model fitted(const std::string& word, const Data& data, const FitOptions& options = {}) {
  auto model = fit(word, arrays(data), options);
  EXPECT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  return *std::move(model);
}

std::vector<double> numbers(const Model& model) {
  std::vector<double> out{model.linear()->targets[0].intercept.value};
  for (const Coefficient& c : model.linear()->targets[0].coefficients) out.push_back(c.value);
  return out;
}

void expect_near(const Model& a, const Model& b, double bound) {
  const auto x = numbers(a), y = numbers(b);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(x[j], y[j], bound) << j;
}

const std::vector<std::string> kWords = {"huber", "poisson", "gamma"};

TEST(LossModels, AreProvedSavedAndProvedAgain) {
  const Data data = some(200, 4);
  for (const std::string& word : kWords) {
    const Model model = fitted(word, data);
    const auto back = Model::from_bytes(model.to_bytes(), "m");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->to_bytes(), model.to_bytes());
    EXPECT_EQ(verify(*back, arrays(data))->verdict, Verdict::proved);
    Model bent = *back;
    own_linear(bent).targets[0].coefficients[1].value += 0.01;
    EXPECT_EQ(verify(bent, arrays(data))->verdict, Verdict::refuted) << word;
    Data other = data;
    other.y[3] += 1;
    EXPECT_THAT(verify(*back, arrays(other)).error().text(), HasSubstr("not the training data"));
  }
}

TEST(LossModels, ColumnsThatAreCombinationsOfOthersInEveryRowLeaveTheProofWhole) {
  const Data narrow = some(200, 2);
  Data wide{200, 4, {}, narrow.y};
  for (Index i = 0; i < wide.n; ++i) {
    const double a = narrow.x[2 * i], b = narrow.x[2 * i + 1];
    wide.x.insert(wide.x.end(), {a, b, -a, a / 2 + 2 * b + 1});
  }
  for (const std::string& word : kWords) {
    const Model model = fitted(word, wide);
    EXPECT_THAT(
        model.certificate.sentence(),
        HasSubstr("2 columns are combinations of others, exactly and in every row: x3 = -x1, 2 x4 = x1 + 4 x2 + 2"));
    EXPECT_NEAR(model.certificate.objective, fitted(word, narrow).certificate.objective, 1e-13);
    EXPECT_EQ(verify(model, arrays(wide))->verdict, Verdict::proved);
    Data off = wide;
    off.x[4 * 7 + 2] = std::nextafter(off.x[4 * 7 + 2], 2); // one bit of one row, and another column may lower F
    const auto nearly = fit(word, arrays(off));
    ASSERT_TRUE(nearly) << nearly.error().text();
    EXPECT_EQ(nearly->certificate.verdict, Verdict::stopped_early) << nearly->certificate.sentence();
  }
}

TEST(LossModels, HuberMeetsMostRowsExactlyWhereTheRestAreOutliers) {
  Data data{100, 2, {}, {}};
  std::uint64_t seed = 3;
  for (Index i = 0; i < data.n; ++i) {
    const double a = std::round(512 * draw(seed)) / 512, b = std::round(512 * draw(seed)) / 512;
    data.x.insert(data.x.end(), {a, b});
    data.y.push_back(1 + 2 * a - b + (i < 10 ? std::round(5000 * draw(seed)) / 64 : 0));
  }
  const Model model = fitted("huber", data);
  EXPECT_EQ(numbers(model), (std::vector<double>{1, 2, -1}));
  EXPECT_EQ(model.linear()->targets[0].scale, 0);
  const auto back = Model::from_bytes(model.to_bytes(), "m");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(verify(*back, arrays(data))->verdict, Verdict::proved);
}

TEST(LossModels, HuberOfFewRowsIsProvedWhateverItsScale) {
  Index zero = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = 2 + static_cast<Index>(seed % 7), p = 1 + static_cast<Index>(seed % 3);
    Data data{n, p, {}, {}};
    std::uint64_t state = seed;
    for (Index i = 0; i < n * p; ++i) data.x.push_back(draw(state));
    for (Index i = 0; i < n; ++i) data.y.push_back(draw(state) + data.x[i * p]);
    const Model model = fitted("huber", data, {.params = {{"lambda", seed % 2 == 0 ? 0.05 : 0.0}}});
    zero += model.linear()->targets[0].scale == 0 ? 1 : 0;
  }
  EXPECT_GT(zero, 10);
  EXPECT_LT(zero, 50);
}

TEST(LossModels, HuberOfATargetThatDoesNotVaryCostsNothing) {
  const Model one = fitted("huber", {1, 1, {3}, {5}}), same = fitted("huber", {3, 1, {1, 2, 4}, {5, 5, 5}});
  for (const Model* model : {&one, &same}) {
    EXPECT_EQ(model->certificate.objective, 0);
    EXPECT_EQ(numbers(*model), (std::vector<double>{5, 0}));
  }
}

TEST(LossModels, OfStraightLinesAreProvedWhateverTheUnitsOfTheirColumns) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Data data = some(30, 3, seed);
    std::uint64_t state = seed;
    for (Index j = 0; j < 3; ++j) {
      const double unit = std::pow(10, std::round(12 * draw(state)));
      for (Index i = 0; i < data.n; ++i) data.x[3 * i + j] *= unit;
    }
    fitted("quantile", data, {.params = {{"lambda1", 0.01}}});
    fitted("epsilon-insensitive", data, {.params = {{"tau", 1.0}}});
    fitted("epsilon-insensitive", data, {.params = {{"tau", 0.01}}});
  }
}

TEST(LossModels, AWeightIsTheRowThatManyTimes) {
  Data data = some(60, 3), repeated{0, 3, {}, {}};
  for (Index i = 0; i < data.n; ++i) {
    data.v.push_back(static_cast<double>(i % 3));
    for (Index k = 0; k < i % 3; ++k) {
      repeated.x.insert(repeated.x.end(), &data.x[3 * i], &data.x[3 * i] + 3);
      repeated.y.push_back(data.y[i]);
      ++repeated.n;
    }
    if (i % 3 == 0) data.x[3 * i] = data.y[i] = NAN; // absent, so it may be anything
  }
  for (const std::string& word : kWords) expect_near(fitted(word, data), fitted(word, repeated), 1e-12);
}

TEST(LossModels, AnOffsetIsPartOfThePrediction) {
  Data data = some(80, 2), shifted = data;
  for (Index i = 0; i < data.n; ++i)
    data.o.push_back(0.5 + 0.25 * data.x[2 * i]); // a plane: it moves the answer by itself
  for (const std::string& word : kWords) {
    const auto with = numbers(fitted(word, data)), without = numbers(fitted(word, shifted));
    EXPECT_NEAR(with[0], without[0] - 0.5, 1e-11) << word;
    EXPECT_NEAR(with[1], without[1] - 0.25, 1e-11) << word;
    EXPECT_NEAR(with[2], without[2], 1e-11) << word;
  }
}

TEST(LossModels, ThePenaltyOnStandardisedColumnsDoesNotSeeTheirUnits) {
  Data data = some(100, 3), scaled = data;
  for (std::size_t i = 0; i < scaled.x.size(); i += 3) scaled.x[i] *= 1024;
  for (const std::string& word : kWords) {
    const FitOptions options{.standardise = true, .params = {{"lambda", 0.5}}};
    auto a = numbers(fitted(word, data, options)), b = numbers(fitted(word, scaled, options));
    EXPECT_NEAR(a[1], 1024 * b[1], 1e-11) << word;
    EXPECT_NEAR(a[2], b[2], 1e-11) << word;
    EXPECT_GT(std::abs(numbers(fitted(word, data))[1]), std::abs(a[1])) << word; // the answer was shrunk
  }
}

TEST(LossModels, TauIsLambdaTimesTheWeights) {
  const Data data = some(50, 2);
  for (const std::string& word : kWords)
    expect_near(fitted(word, data, {.params = {{"tau", 5.0}}}), fitted(word, data, {.params = {{"lambda", 0.1}}}),
                1e-14);
}

TEST(LossModels, PredictTheMean) {
  const Data data{4, 1, {0, 0, 1, 1}, {1, 3, 4, 10}};
  for (const char* word : {"poisson", "gamma"}) {
    const Model model = fitted(word, data);
    const auto z = model.predict(MatrixView::row_major(data.x.data(), 4, 1));
    ASSERT_TRUE(z);
    EXPECT_NEAR((*z)[0], 2, 1e-14);
    EXPECT_NEAR((*z)[2], 7, 1e-13);
    EXPECT_GT(model.linear()->targets[0].d2, 0.5);
  }
}

TEST(LossModels, SameBitsAtAnyNumberOfThreads) {
  const Data data = some(9000, 3);
  for (const std::string& word : kWords) {
    const std::string one = fitted(word, data, {.threads = 1}).to_bytes();
    for (const int threads : {2, 3, 7}) EXPECT_EQ(fitted(word, data, {.threads = threads}).to_bytes(), one) << word;
  }
}

TEST(LossModels, AreStoppedWithTheBestSoFar) {
  const Data data = some(20000, 5);
  for (const std::string& word : kWords) {
    const auto model = fit(word, arrays(data), {.threads = 1},
                           [&](const Progress& p) { return p.stage != "Newton's method" || p.pass < 2; });
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::stopped_early);
    EXPECT_EQ(model->certificate.stop.text(), "interrupted");
  }
}

// Params of a descent on each, and a rate that is not too large.
Params descending(const std::string& word, const std::string& solver, double rate) {
  Params params{{"solver", solver}, {"rate", rate}, {"lambda", 0.1}};
  if (word == "huber") params["delta"] = 0.7;
  return params;
}

TEST(LossModels, ADescentOnEachEndsWhereNewtonsMethodDoes) {
  const Data data = some(60, 3);
  for (const std::string& word : kWords)
    for (const char* solver : {"gradient-descent", "accelerated", "saga"}) {
      if (word != "huber" && std::string(solver) != "gradient-descent") continue;
      FitOptions options{.params = descending(word, solver, 0.05)};
      options.params["stop-gradient"] = 1e-11;
      Params newton{{"lambda", 0.1}};
      if (word == "huber") newton["delta"] = 0.7;
      expect_near(fitted(word, data, options), fitted(word, data, {.params = newton}), 1e-8);
    }
}

// One step with all rows from zero, then one with the first row, against the derivatives written out.
TEST(LossModels, ATraceTakesTheStepsWrittenOut) {
  const Data data{3, 1, {1, 2, -1}, {2, 5, 0.5}};
  const auto slope = [](const std::string& word, double y, double z) {
    if (word == "poisson") return std::exp(z) - y;
    return word == "gamma" ? 1 - y * std::exp(-z) : -std::clamp(y - z, -0.7, 0.7);
  };
  for (const std::string& word : kWords) {
    double w = 0, b = 0;
    const auto batch = trace(word, arrays(data), {.params = descending(word, "gradient-descent", 0.1)}, 1);
    ASSERT_TRUE(batch) << batch.error().text();
    ASSERT_EQ(batch->steps.size(), 21u);
    EXPECT_EQ(std::isnan(batch->safe_rate), word != "huber");
    for (std::size_t t = 1; t < 4; ++t) {
      double gw = 0.1 * w, gb = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double d = slope(word, data.y[i], w * data.x[i] + b) / 3;
        gw += d * data.x[i], gb += d;
      }
      w -= 0.1 * gw, b -= 0.1 * gb;
      EXPECT_NEAR(batch->steps[t].weights[0], w, 1e-13) << word << t;
      EXPECT_NEAR(batch->steps[t].intercept, b, 1e-13) << word << t;
    }
    Params params = descending(word, "sgd", 0.1);
    params["order"] = std::string("cyclic"), params["schedule"] = std::string("constant");
    const auto rows = trace(word, arrays(data), {.params = params}, 1);
    ASSERT_TRUE(rows) << rows.error().text();
    w = b = 0;
    for (std::size_t t = 1; t < 4; ++t) {
      const double d = slope(word, data.y[t - 1], w * data.x[t - 1] + b);
      w -= 0.1 * (d * data.x[t - 1] + 0.1 * w), b -= 0.1 * d;
      EXPECT_NEAR(rows->steps[t].weights[0], w, 1e-13) << word << t;
      EXPECT_NEAR(rows->steps[t].intercept, b, 1e-13) << word << t;
    }
  }
}

TEST(LossModels, ADescentSaysWhenItsRateIsTooLarge) {
  const Data data = some(60, 3);
  for (const char* word : {"poisson", "gamma"})
    for (const char* solver : {"gradient-descent", "sgd"}) {
      const auto steps = trace(word, arrays(data), {.params = descending(word, solver, 10)}, 1);
      ASSERT_TRUE(steps) << steps.error().text();
      EXPECT_TRUE(steps->diverged) << word << " " << solver;
      EXPECT_THAT(steps->stop, HasSubstr("no rate is safe from every start"));
      EXPECT_LE(steps->cost, steps->steps[0].cost);
    }
}

TEST(LossModels, ADescentThatGoesBackAndForthIsSaidToDiverge) {
  // A slope of 1 at most: every step is as long as the rate, out and back.
  const Data data = some(40, 2);
  const auto steps = trace("huber", arrays(data), {.params = {{"delta", 1.0}, {"rate", 1e9}, {"steps", 50.0}}}, 1);
  ASSERT_TRUE(steps) << steps.error().text();
  EXPECT_TRUE(steps->diverged);
  EXPECT_THAT(steps->stop, HasSubstr("diverged at the rate 1e+09"));
}

TEST(LossModels, ADescentIsRefusedWhatItCannotDo) {
  const Data data = some(20, 2);
  const auto refusal = [&](const char* word, const Params& params) {
    return fit(word, arrays(data), {.params = params}).error().text();
  };
  EXPECT_THAT(refusal("huber", {{"solver", std::string("sgd")}}), HasSubstr("give --delta"));
  EXPECT_THAT(refusal("poisson", {{"solver", std::string("sgd")}}), HasSubstr("give --rate"));
  EXPECT_THAT(refusal("gamma", {{"solver", std::string("saga")}}), HasSubstr("saga"));
  Data negative = data;
  negative.y[3] = -1;
  for (const char* word : {"poisson", "gamma"})
    EXPECT_THAT(trace(word, arrays(negative), {.params = {{"rate", 0.01}}}, 1).error().text(), HasSubstr("row 4"));
  EXPECT_THAT(trace("quantile", arrays(data), {}, 1).error().text(), HasSubstr("is not solved by a descent"));
}

TEST(LossModels, RefuseWhatTheyCannotFit) {
  Data data = some(10, 2);
  const auto error = [&](const std::string& word, const FitOptions& options = {}) {
    return fit(word, arrays(data), options).error().text();
  };
  EXPECT_THAT(error("huber", {.params = {{"lambda", 1.0}, {"tau", 1.0}}}), HasSubstr("more than once"));
  EXPECT_THAT(error("gamma", {.intercept = false, .standardise = true}), HasSubstr("needs an intercept"));
  EXPECT_THAT(error("huber", {.params = {{"epsilon", 0.5}}}), HasSubstr("0.5 is out of range"));
  EXPECT_THAT(error("poisson", {.params = {{"lambda", -1.0}}}), HasSubstr("-1 is out of range"));
  EXPECT_THAT(error("poisson", {.errors = StandardErrors::hc3}), HasSubstr("for the model linear"));
  data.y[6] = 0;
  EXPECT_THAT(error("gamma"), HasSubstr("row 7, target y: 0 found; gamma regression takes numbers above zero"));
  data.y[6] = -2;
  EXPECT_THAT(error("poisson"), HasSubstr("row 7, target y: -2 found; Poisson regression takes numbers from zero up"));
  data.y.assign(10, 0.0);
  EXPECT_THAT(error("poisson"), HasSubstr("every value is 0: the likelihood has no finite maximum"));
  data.y[2] = NAN;
  EXPECT_THAT(error("huber"), HasSubstr("row 3"));
}

TEST(LossModels, SayThatALikelihoodRisesForEver) {
  const Data data{6, 1, {0, 0, 0, 1, 1, 1}, {1, 3, 2, 0, 0, 0}};
  const Model model = fitted("poisson", data);
  EXPECT_THAT(model.certificate.sentence(), HasSubstr("the likelihood has no finite maximum: it rises for ever as the "
                                                      "coefficient of x1 goes to minus infinity"));
}

} // namespace
} // namespace recta
