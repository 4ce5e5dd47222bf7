#include "base/random.hpp"
#include "feature/map/maps.hpp"
#include "feature/map/poly/poly.hpp"
#include "feature/map/spline/spline.hpp"
#include "feature/request.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

namespace recta::feature {
namespace {

using boost::multiprecision::cpp_int;
using testing::ElementsAre;
using testing::HasSubstr;

std::string canonical(const std::string& text) {
  const auto read = read_map(text);
  return read ? read->canonical : read.error().text();
}

double value(const std::string& text, std::vector<double> inputs) {
  const auto expression = Expression::parse(text);
  EXPECT_TRUE(expression) << expression.error().text();
  MapRows rows;
  rows.count = 1;
  for (const double& x : inputs) rows.inputs.push_back(&x);
  double high = 0, low = 0;
  const auto done = expression->evaluate(rows, &high, &low);
  EXPECT_TRUE(done) << done.error().what;
  return high;
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("2 + 3*a", {4}), 14);
  EXPECT_EQ(value("(2 + 3)*a", {4}), 20);
  EXPECT_EQ(value("-a^2", {3}), -9);
  EXPECT_EQ(value("(-a)^2", {3}), 9);
  EXPECT_EQ(value("2^a^2", {3}), 512); // from the right
  EXPECT_EQ(value("a - b - c", {10, 3, 2}), 5);
  EXPECT_EQ(value("a/b/c", {12, 3, 2}), 2);
  EXPECT_EQ(value("a*-b", {2, 3}), -6);
  EXPECT_EQ(value("a^-2", {2}), 0.25);
  EXPECT_EQ(value("abs(a) + sqrt(b)", {-2, 9}), 5);
  EXPECT_EQ(value("a^0.5", {9}), 3);
  EXPECT_EQ(value("1.5e1*a", {2}), 30);
  EXPECT_EQ(value("log(exp(a))", {1}), 1);
}

TEST(Expression, ASineOfAPeriodIsAsGoodFarOutAsNearby) {
  EXPECT_DOUBLE_EQ(value("sin(t, 12)", {1}), std::sin(std::numbers::pi / 6));
  EXPECT_EQ(value("sin(t, 12)", {1}), value("sin(t, 12)", {1 + 12e14}));
  EXPECT_EQ(value("cos(t, 7)", {7e18}), 1);
}

TEST(Expression, KeepsTheDigitsThatADoubleDrops) { // (2^53 + 1) - 2^53 = 1, where doubles give 0
  EXPECT_EQ(value("(a + 1) - a", {0x1p53}), 1);
  EXPECT_EQ(value("(a*b)/b - a", {0.1, 3}), 0);
  EXPECT_EQ(value("(a + 1)^2 - a^2 - 2*a", {0x1p40}), 1);
}

TEST(Expression, IsPrintedInOneForm) {
  EXPECT_EQ(canonical("area * rooms"), "area*rooms");
  EXPECT_EQ(canonical("( a+b ) /2"), "(a + b)/2");
  EXPECT_EQ(canonical("a-(b-c)"), "a - (b - c)");
  EXPECT_EQ(canonical("a*(b*c)"), "a*(b*c)");
  EXPECT_EQ(canonical("(a^2)^3"), "(a^2)^3");
  EXPECT_EQ(canonical("-(a*b)"), "-(a*b)");
  EXPECT_EQ(canonical("`my col`*\"your \"\"col\"\"\""), "`my col`*`your \"col\"`");
  EXPECT_EQ(canonical("größe^2"), "größe^2");
  EXPECT_EQ(canonical("sin( month ,12 )"), "sin(month, 12)");
  EXPECT_EQ(canonical("log"), "log"); // a column
  EXPECT_EQ(canonical("poly( a,b , 3 ,terms=powers)"), "poly(a, b, 3, terms=powers)");
  EXPECT_EQ(canonical("spline(a,[-1,0.5 ,2])"), "spline(a, [-1, 0.5, 2])");
}

TEST(Expression, AMistakeIsPointedAt) {
  EXPECT_THAT(canonical("a**2"), HasSubstr("at character 3"));
  EXPECT_THAT(canonical("a**2"), HasSubstr("a power is written ^"));
  EXPECT_THAT(canonical("a +"), HasSubstr("at character 4: the end stands where"));
  EXPECT_THAT(canonical("(a"), HasSubstr("at character 3: the end stands where )"));
  EXPECT_THAT(canonical("a b"), HasSubstr("at character 3: \"b\" stands where an operator"));
  EXPECT_THAT(canonical("system(a)"), HasSubstr("no function \"system\""));
  EXPECT_THAT(canonical("1e999*a"), HasSubstr("not a double"));
  EXPECT_THAT(canonical("`a"), HasSubstr("does not end"));
  EXPECT_THAT(canonical("a;b"), HasSubstr("';' has no meaning"));
  EXPECT_THAT(canonical(std::string("a\0b", 3)), HasSubstr("a control character"));
  EXPECT_THAT(canonical("3"), HasSubstr("names no column"));
  EXPECT_THAT(canonical("poly(a, 2) + 1"), HasSubstr("where the end should"));
  EXPECT_THAT(canonical("1 + poly(a, 2)"), HasSubstr("stand alone"));
  EXPECT_THAT(canonical("poly(a, a, 2)"), HasSubstr("named twice"));
  EXPECT_THAT(canonical("poly(2)"), HasSubstr("number of columns"));
  EXPECT_THAT(canonical("poly(a, 101)"), HasSubstr("from 1 to 100"));
  EXPECT_THAT(canonical("spline(a, [1])"), HasSubstr("too short"));
  EXPECT_THAT(canonical("spline(a, 2, degree=0)"), HasSubstr("no feature"));
  EXPECT_THAT(canonical("fourier(a)"), HasSubstr("a number is not given"));
  EXPECT_THAT(canonical("fourier(a, 0)"), HasSubstr("the period is 0"));
}

TEST(Expression, DepthIsLimited) {
  EXPECT_EQ(canonical(std::string(60, '(') + "a" + std::string(60, ')')), "a");
  for (const std::string sign : {"(", "-", "+", "a^", "log("}) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += sign;
    EXPECT_THAT(canonical(deep + "a"), HasSubstr("inside one another")) << sign;
  }
}

// Texts of the words and signs of the language in any order: none is more than refused, and what is accepted is printed
// as a text that means itself.
TEST(Expression, AnyTextIsReadOrRefused) {
  const std::vector<std::string> pieces{
      "a",       "b",       "`x y`", "\"",    "`",   "1", "2.5e3", "1e308", ".5",   "(",    ")",    "[",
      "]",       ",",       "=",     "+",     "-",   "*", "/",     "^",     "log(", "sin(", "abs(", "poly(",
      "spline(", "radial(", "ring(", "terms", "all", " ", "\t",    "\n",    "\xff", "\x01", "$",    "degree="};
  Random random(7);
  int accepted = 0;
  for (int trial = 0; trial < 60'000; ++trial) {
    std::string text;
    const auto length = 1 + random.below(9);
    for (std::uint64_t s = 0; s < length; ++s) text += pieces[random.below(pieces.size())];
    const auto read = read_map(text);
    if (!read) {
      EXPECT_FALSE(read.error().what.empty());
      continue;
    }
    ++accepted;
    EXPECT_EQ(canonical(read->canonical), read->canonical) << text;
    EXPECT_EQ(read_map(read->canonical)->columns, read->columns) << text;
  }
  EXPECT_GT(accepted, 500);
}

TEST(Expression, SaysWhichRowHasNoValueAndWhy) {
  const std::vector<double> a{1, -2, 3};
  const auto fault = [&](const std::string& text, const double* present = nullptr) {
    std::vector<double> out(3);
    const auto done = Expression::parse(text)->evaluate({{a.data()}, 3, present}, out.data(), nullptr);
    return done ? std::string("none") : fmt::format("{}: {}", done.error().row, done.error().what);
  };
  EXPECT_EQ(fault("log(a)"), "1: log(a) is not a number at a = -2");
  EXPECT_EQ(fault("2*sqrt(a - 2) + 1"), "0: sqrt(a - 2) is not a number at a = 1");
  EXPECT_EQ(fault("1/(a + 2)"), "1: 1/(a + 2) divides by zero at a = -2");
  EXPECT_EQ(fault("(a + 2)^-3"), "1: (a + 2)^-3 divides by zero at a = -2");
  EXPECT_EQ(fault("a^0.5"), "1: a^0.5 is not a finite number at a = -2");
  EXPECT_EQ(fault("exp(400*a)"), "2: exp(400*a) is not a finite number at a = 3");
  const std::vector<double> weight{1, 0, 1};
  EXPECT_EQ(fault("log(a)", weight.data()), "none"); // a row without weight is absent
}

cpp_int whole(double x) { // of a double that is a whole number
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  const cpp_int digits(static_cast<long long>(std::ldexp(mantissa, 53)));
  return exponent >= 53 ? cpp_int(digits << (exponent - 53)) : cpp_int(digits >> (53 - exponent));
}

TEST(Poly, PowersHaveThirtyDigits) { // against whole numbers of any length
  const Poly poly({"x"}, 12, PolyTerms::all);
  for (const double x : {3.0, 94906267.0, 123456789012.0, -9007199254740991.0}) {
    std::vector<double> high(12), low(12);
    ASSERT_TRUE(poly.evaluate({{&x}, 1, nullptr}, high.data(), low.data()));
    cpp_int power = 1;
    for (std::size_t k = 0; k < 12; ++k) {
      power *= whole(x);
      const cpp_int error = whole(high[k]) + whole(low[k]) - power;
      EXPECT_LE(abs(error) * pow(cpp_int(10), 30), abs(power)) << x << "^" << k + 1;
      EXPECT_TRUE(k != 1 || error == 0) << x;
    }
  }
}

TEST(Poly, MonomialsComeByDegreeAndThenByColumn) {
  const auto names = [](std::vector<std::string> columns, Index degree, PolyTerms terms) {
    const Index count = Poly::count(static_cast<Index>(columns.size()), degree, terms);
    const Poly poly(std::move(columns), degree, terms);
    EXPECT_EQ(poly.count(), count);
    std::vector<std::string> all;
    for (Index k = 0; k < poly.count(); ++k) all.push_back(poly.name(k));
    return all;
  };
  EXPECT_THAT(names({"x"}, 3, PolyTerms::all), ElementsAre("x", "x^2", "x^3"));
  EXPECT_THAT(names({"x", "y"}, 2, PolyTerms::all), ElementsAre("x", "y", "x^2", "x*y", "y^2"));
  EXPECT_THAT(names({"x", "y"}, 3, PolyTerms::powers), ElementsAre("x", "y", "x^2", "y^2", "x^3", "y^3"));
  EXPECT_THAT(names({"x", "y", "z"}, 3, PolyTerms::interactions),
              ElementsAre("x", "y", "z", "x*y", "x*z", "y*z", "x*y*z"));
  EXPECT_THAT(names({"my x", "y"}, 2, PolyTerms::all), ElementsAre("my x", "y", "`my x`^2", "`my x`*y", "y^2"));
  EXPECT_EQ(names({"a", "b", "c", "d", "e"}, 4, PolyTerms::all).size(), 125u); // C(9, 4) - 1
  EXPECT_EQ(Poly::count(1000, 3, PolyTerms::all), Poly::kMost + 1);
  EXPECT_EQ(Poly::count(3, 100, PolyTerms::interactions), 7);
}

TEST(Poly, TermsInTheSameColumnsAreKin) {
  const Poly two({"x", "y"}, 3, PolyTerms::all); // x, y, x^2, x*y, y^2, x^3, x^2*y, x*y^2, y^3
  EXPECT_EQ(two.kin(), (std::vector<std::vector<Index>>{{0, 2, 5}, {1, 4, 8}, {3, 6, 7}}));
  const Poly products({"x", "y"}, 2, PolyTerms::interactions); // x, y, x*y
  EXPECT_EQ(products.kin(), (std::vector<std::vector<Index>>{{0}, {1}, {2}}));
}

TEST(Poly, ATooLargePowerIsRefusedWithItsRow) {
  const Poly poly({"x"}, 40, PolyTerms::all);
  const std::vector<double> x{1, 1e8};
  std::vector<double> high(80), low(80);
  const auto done = poly.evaluate({{x.data()}, 2, nullptr}, high.data(), low.data());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().row, 1);
  EXPECT_EQ(done.error().what, "x^39 is too large for a double at x = 1e+08");
}

std::vector<double> at(const Spline& spline, double x) {
  std::vector<double> out;
  spline.values(x, out);
  return out;
}

TEST(Spline, AreTheBSplinesOfTheBook) {
  const Spline cubic({0, 1, 2, 3}, {.degree = 3, .outside = Outside::constant, .bias = true});
  EXPECT_THAT(at(cubic, 1),
              ElementsAre(0, testing::DoubleEq(1. / 6), testing::DoubleEq(2. / 3), testing::DoubleEq(1. / 6), 0, 0));
  const Spline hat({0, 1, 3}, {.degree = 1, .outside = Outside::constant, .bias = true});
  EXPECT_THAT(at(hat, 0.25), ElementsAre(0.75, 0.25, 0));
  EXPECT_THAT(at(hat, 2), ElementsAre(0, 0.5, 0.5));
  EXPECT_THAT(at(hat, 3), ElementsAre(0, 0, 1));
  const Spline steps({0, 1, 3}, {.degree = 0, .outside = Outside::constant, .bias = true});
  EXPECT_THAT(at(steps, 1), ElementsAre(0, 1));
  EXPECT_THAT(at(steps, 3), ElementsAre(0, 1));
}

TEST(Spline, SumToOneAndAreNeverNegativeBetweenTheKnots) {
  for (Index degree = 0; degree <= 6; ++degree) {
    const Spline spline({-2, -1.5, 0, 4, 5}, {.degree = degree, .outside = Outside::proceed, .bias = true});
    for (double x = -2; x <= 5; x += 0.0625) {
      double sum = 0;
      for (const double b : at(spline, x)) {
        EXPECT_GE(b, -1e-16);
        sum += b;
      }
      EXPECT_NEAR(sum, 1, 1e-14) << degree << " " << x;
    }
  }
}

TEST(Spline, GoOnOutsideAsTheyAreTold) {
  const auto spline = [](Outside outside) {
    return Spline({0, 1, 2}, {.degree = 2, .outside = outside, .bias = true});
  };
  EXPECT_EQ(at(spline(Outside::constant), 9), at(spline(Outside::constant), 2));
  EXPECT_EQ(at(spline(Outside::constant), -9), at(spline(Outside::constant), 0));
  const auto end = at(spline(Outside::linear), 2), before = at(spline(Outside::linear), 2 - 1e-6),
             after = at(spline(Outside::linear), 5);
  const auto cubic = at(spline(Outside::proceed), 2.5);
  for (std::size_t k = 0; k < end.size(); ++k) EXPECT_NEAR(after[k], end[k] + 3 * (end[k] - before[k]) / 1e-6, 1e-4);
  // The last two pieces are (2 - x)^2 / 2, ..., (x - 1)^2 / 2 on [1, 2].
  EXPECT_NEAR(cubic[1], 0.125, 1e-14);
  EXPECT_NEAR(cubic[3], 1.125, 1e-14);
}

TEST(Maps, AreCompiledFromASchemaAndCheckedAgainstIt) {
  Schema schema;
  schema.columns.resize(2);
  schema.columns[0].name = "x";
  schema.columns[1].name = "y";
  schema.maps = {{"ring(x, y)", {}}, {"radial(y, 2)", {0, 4}}, {"fourier(x, 8, 2)", {}}};
  const auto maps = Maps::make(schema);
  ASSERT_TRUE(maps) << maps.error().text();
  std::vector<std::string> names;
  for (Index k = 0; k < maps->count(); ++k) names.push_back(maps->name(k));
  EXPECT_THAT(names, ElementsAre("x^2", "y^2", "sqrt(2)*x*y", "radial(y, 2)[1]", "radial(y, 2)[2]", "sin(x, 8)",
                                 "cos(x, 8)", "sin(2*x, 8)", "cos(2*x, 8)"));
  const double x = 2, y = 4;
  std::vector<double> high(9), low(9);
  ASSERT_TRUE(maps->evaluate({{&x, &y}, 1, nullptr}, high.data(), low.data()));
  EXPECT_EQ(high[0], 4);
  EXPECT_EQ(high[1], 16);
  EXPECT_DOUBLE_EQ(high[2], 8 * std::numbers::sqrt2);
  EXPECT_NE(low[2], 0);
  EXPECT_DOUBLE_EQ(high[3], std::exp(-0.5)); // one width from the centre
  EXPECT_EQ(high[4], 1);
  EXPECT_EQ(high[5], 1);
  for (const auto& [text, learned] : std::vector<std::pair<std::string, std::vector<double>>>{
           {"z^2", {}}, {"spline(x, 3)", {0, 1}}, {"spline(x, 3)", {0, 0, 1}}, {"x^2", {1}}, {"x^", {}}}) {
    schema.maps = {{text, learned}};
    EXPECT_FALSE(Maps::make(schema)) << text;
  }
}

} // namespace
} // namespace recta::feature
