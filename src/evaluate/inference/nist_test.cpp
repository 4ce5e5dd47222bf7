// The eleven linear regression sets of the NIST Statistical Reference Datasets. Certified values are facts of NIST; how
// many digits an answer can have is limited by the rounding of the rows to doubles, so standard errors and deviations
// are also held against the exact rational answer for those doubles.
#include "base/double_double.hpp"
#include "certificate/least_squares/certify.hpp"
#include "data/builtin/builtin.hpp"
#include "evaluate/inference/inference.hpp"
#include "objective/test_exact.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Rows;

struct Certified {
  const char* name;
  int degree; // of the polynomial in x; 0: the columns themselves
  bool intercept;
  double digits; // digits that every coefficient must reach
  std::vector<double> b, se;
  double sigma, r2;
};

const std::vector<Certified>& certified() {
  static const std::vector<Certified> sets{
      {"norris",
       1,
       true,
       13.9,
       {-0.262323073774029, 1.00211681802045},
       {0.232818234301152, 0.429796848199937e-03},
       0.884796396144373,
       0.999993745883712},
      {"pontius",
       2,
       true,
       13.4,
       {0.673565789473684e-03, 0.732059160401003e-06, -0.316081871345029e-14},
       {0.107938612033077e-03, 0.157817399981659e-09, 0.486652849992036e-16},
       0.205177424076185e-03,
       0.999999900178537},
      {"noint1", 1, false, 14.7, {2.07438016528926}, {0.165289256198347e-01}, 3.56753034006338, 0.999365492298663},
      {"noint2", 1, false, 15, {0.727272727272727}, {0.420827318078432e-01}, 0.369274472937998, 0.993348115299335},
      {"longley",
       0,
       true,
       14.6,
       {-3482258.63459582, 15.0618722713733, -0.358191792925910e-01, -2.02022980381683, -1.03322686717359,
        -0.511041056535807e-01, 1829.15146461355},
       {890420.383607373, 84.9149257747669, 0.334910077722432e-01, 0.488399681651699, 0.214274163161675,
        0.226073200069370, 455.478499142212},
       304.854073561965,
       0.995479004577296},
      {"wampler1", 5, true, 14.9, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}, 0, 1},
      {"wampler2", 5, true, 13.1, {1, 0.1, 0.01, 0.001, 0.0001, 0.00001}, {0, 0, 0, 0, 0, 0}, 0, 1},
      {"wampler3",
       5,
       true,
       14.9,
       {1, 1, 1, 1, 1, 1},
       {2152.32624678170, 2363.55173469681, 779.343524331583, 101.475507550350, 5.64566512170752, 0.112324854679312},
       2360.14502379268,
       0.999995559025820},
      {"wampler4",
       5,
       true,
       14.9,
       {1, 1, 1, 1, 1, 1},
       {215232.624678170, 236355.173469681, 77934.3524331583, 10147.5507550350, 564.566512170752, 11.2324854679312},
       236014.502379268,
       0.957478440825662},
      {"wampler5",
       5,
       true,
       14.9,
       {1, 1, 1, 1, 1, 1},
       {21523262.4678170, 23635517.3469681, 7793435.24331583, 1014755.07550350, 56456.6512170752, 1123.24854679312},
       23601450.2379268,
       0.224668921574940e-02},
      {"filip",
       10,
       true,
       7.5,
       {-1467.48961422980, -2772.17959193342, -2316.37108160893, -1127.97394098372, -354.478233703349,
        -75.1242017393757, -10.8753180355343, -1.06221498588947, -0.670191154593408e-01, -0.246781078275479e-02,
        -0.402962525080404e-04},
       {298.084530995537, 559.779865474950, 466.477572127796, 227.204274477751, 71.6478660875927, 15.2897178747400,
        2.23691159816033, 0.221624321934227, 0.142363763154724e-01, 0.535617408889821e-03, 0.896632837373868e-05},
       0.334801051324544e-02,
       0.996727416185620},
  };
  return sets;
}

// Columns of a set; powers are formed in double-double, and their low parts handed over if `low` asks for it.
Rows load(const Certified& set, bool low = false) {
  const Dataset data = load_builtin(set.name);
  const Index n = data.rows, given = static_cast<Index>(data.columns.size()) - 1;
  const Index p = set.degree > 0 ? set.degree : given;
  Rows rows(n, p, {}, {});
  for (Index i = 0; i < n; ++i) {
    rows.y.push_back(data.columns[0].values[i]);
    DoubleDouble power = 1.0;
    for (Index j = 0; j < p; ++j) {
      power = set.degree > 0 ? power * data.columns[1].values[i] : DoubleDouble(data.columns[j + 1].values[i]);
      rows.x.push_back(power.hi);
      if (low) rows.x_low.push_back(power.lo);
    }
  }
  return rows;
}

double digits(double found, double sought) {
  if (found == sought) return 15; // as many as are certified
  return std::min(15.0, -std::log10(std::abs(found - sought) / std::abs(sought)));
}

double deviation(const Rows& rows) {
  double mean = 0, sum = 0;
  for (const double y : rows.y) mean += y / static_cast<double>(rows.n);
  for (const double y : rows.y) sum += (y - mean) * (y - mean);
  return std::sqrt(sum / static_cast<double>(rows.n));
}

struct Fitted {
  LinearSummary summary;
  Certificate certificate;
};

Fitted fit(Rows& rows, bool intercept) {
  Pool pool(2);
  LeastSquaresProblem problem;
  problem.objective.intercept = intercept;
  const auto solution = solve(problem, rows, pool);
  EXPECT_TRUE(solution) << solution.error().text();
  const auto checked =
      certify({.objective = problem.objective, .w = solution->w, .b = solution->b}, &*solution->gram, &rows, pool);
  EXPECT_TRUE(checked) << checked.error().text();
  std::vector<std::string> names(rows.p, "x");
  return {summarise(problem.objective, *solution, checked->residual, {.features = names, .targets = {"y"}}),
          checked->certificate};
}

// The coefficients in the order of the certified values: the intercept first.
std::vector<Coefficient> in_order(const LinearSummary& summary, bool intercept) {
  std::vector<Coefficient> out;
  if (intercept) out.push_back(summary.targets[0].intercept);
  for (const Coefficient& c : summary.targets[0].coefficients) out.push_back(c);
  return out;
}

double worst_digits(const std::vector<Coefficient>& found, const std::vector<double>& sought) {
  double worst = 15;
  for (std::size_t i = 0; i < sought.size(); ++i) worst = std::min(worst, digits(found[i].value, sought[i]));
  return worst;
}

class Nist : public ::testing::TestWithParam<Certified> {};

TEST_P(Nist, CoefficientsReachTheDigitsThatTheRoundingOfTheRowsAllows) {
  Rows rows = load(GetParam());
  const Fitted fitted = fit(rows, GetParam().intercept);
  const double worst = worst_digits(in_order(fitted.summary, GetParam().intercept), GetParam().b);
  RecordProperty("digits", std::to_string(worst));
  EXPECT_GE(worst, GetParam().digits);
}

TEST_P(Nist, TheOptimumIsProved) {
  Rows rows = load(GetParam());
  const Fitted fitted = fit(rows, GetParam().intercept);
  EXPECT_EQ(fitted.certificate.verdict, Verdict::proved) << fitted.certificate.sentence();
}

TEST_P(Nist, StandardErrorsAndDeviationAreThoseOfTheExactRationalAnswer) {
  const Certified& set = GetParam();
  Rows rows = load(set);
  const Fitted fitted = fit(rows, set.intercept);
  const testing::Exact exact = testing::exact_least_squares(rows, set.intercept);
  const double freedom = static_cast<double>(rows.n) - static_cast<double>(set.b.size());
  const double sigma = testing::root(exact.rss / static_cast<int>(freedom));
  const auto near_as_exact = [&](double found, double exactly, double sought, const std::string& what) {
    if (sought == 0)
      EXPECT_LT(std::abs(found), 1e-13 * deviation(rows)) << what;
    else
      EXPECT_GE(digits(found, sought), digits(exactly, sought) - 0.1) << what << " " << found << " " << exactly;
  };
  near_as_exact(fitted.summary.targets[0].sigma, sigma, set.sigma, "sigma");
  const auto found = in_order(fitted.summary, set.intercept);
  for (std::size_t i = 0; i < set.se.size(); ++i)
    near_as_exact(found[i].standard_error, sigma * testing::root(exact.inverse[i]), set.se[i],
                  "se " + std::to_string(i));
  EXPECT_GE(digits(fitted.summary.targets[0].r2, set.r2), set.digits < 10 ? 8 : 14);
}

INSTANTIATE_TEST_SUITE_P(Sets, Nist, ::testing::ValuesIn(certified()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(NistFilip, FourteenDigitsWhenThePowersAreFormedInDoubleDouble) {
  const Certified& filip = certified().back();
  Rows rows = load(filip, true);
  const Fitted fitted = fit(rows, true);
  EXPECT_GE(worst_digits(in_order(fitted.summary, true), filip.b), 14.0);
  EXPECT_EQ(fitted.certificate.verdict, Verdict::proved) << fitted.certificate.sentence();
  EXPECT_GE(digits(fitted.summary.targets[0].sigma, filip.sigma), 13.0);
  for (std::size_t i = 0; i < filip.se.size(); ++i)
    EXPECT_GE(digits(in_order(fitted.summary, true)[i].standard_error, filip.se[i]), 13.0) << i;
}

} // namespace
} // namespace recta
