// The order of neighbours against rational arithmetic, on rows whose distances agree but for rounding.
#include "base/random.hpp"
#include "objective/neighbours/order.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

namespace recta::neighbours {
namespace {

using Rational = boost::multiprecision::cpp_rational;

struct Rows {
  Index n, p;
  std::vector<double> x, query;
};

// Every row is the query plus the same differences in another order, with other signs and rounded to other places.
Rows nearly_as_far(Index n, Index p, double scale, std::uint64_t seed) {
  Random random(seed);
  Rows out{n, p, {}, {}};
  std::vector<double> steps;
  for (Index j = 0; j < p; ++j) {
    out.query.push_back(scale * random.normal());
    steps.push_back(scale * (j % 3 == 0 ? 0.25 : random.normal()));
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = p - 1; j > 0; --j) std::swap(steps[at(j)], steps[random.below(static_cast<std::uint64_t>(j + 1))]);
    for (Index j = 0; j < p; ++j) out.x.push_back(out.query[at(j)] + (random.uniform() < 0.5 ? -1 : 1) * steps[at(j)]);
  }
  return out;
}

Rational exact_distance(const std::string& metric, const Rows& rows, Index i) {
  Rational out;
  for (Index j = 0; j < rows.p; ++j) {
    const Rational step = abs(Rational(rows.x[at(i * rows.p + j)]) - Rational(rows.query[at(j)]));
    if (metric == "chebyshev")
      out = std::max(out, step);
    else
      out += metric == "euclidean" ? Rational(step * step) : step;
  }
  return out;
}

TEST(Order, OfRowsThatAreAsFarButForRoundingIsExact) {
  for (const std::string metric : {"euclidean", "manhattan", "chebyshev"})
    for (const double scale : {1e-300, 1.0, 1e300})
      for (const Index p : {1, 3, 20}) {
        const Rows rows = nearly_as_far(14, p, scale, 1);
        const Points points{rows.x, rows.n, rows.p};
        const Measure measure = measure_of({metric}, points);
        const Order order(points, measure, rows.query.data());
        std::vector<Neighbour> list;
        std::vector<Rational> truth;
        for (Index i = 0; i < rows.n; ++i) {
          truth.push_back(exact_distance(metric, rows, i));
          list.push_back(
              {std::visit([&](const auto& one) { return measured(one, rows.query.data(), points.row(i), points.cols); },
                          measure),
               i});
        }
        for (const Neighbour& a : list)
          for (const Neighbour& b : list) {
            const Rational &of_a = truth[at(a.row)], &of_b = truth[at(b.row)];
            ASSERT_EQ(order(a, b), of_a < of_b || (of_a == of_b && a.row < b.row))
                << metric << ' ' << scale << ' ' << p << ": rows " << a.row << ", " << b.row;
            if (of_a <= of_b) ASSERT_LE(a.distance, order.reach(b.distance));
          }
        std::ranges::sort(list, order);
        never_falling(list);
        EXPECT_TRUE(std::ranges::is_sorted(list, {}, &Neighbour::distance));
      }
}

TEST(Order, DoesNotFollowTheRoundingOfMeasuredDistances) {
  Index misled = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Rows rows = nearly_as_far(30, 8, 1, seed);
    const Points points{rows.x, rows.n, rows.p};
    const Measure measure = Euclidean{};
    const Order order(points, measure, rows.query.data());
    for (Index i = 1; i < rows.n; ++i) {
      const Neighbour a{measured(Euclidean{}, rows.query.data(), points.row(i - 1), points.cols), i - 1};
      const Neighbour b{measured(Euclidean{}, rows.query.data(), points.row(i), points.cols), i};
      misled += order(a, b) != nearer(points, a, b) ? 1 : 0;
    }
  }
  EXPECT_GT(misled, 20); // so that the test above has something to show
}

} // namespace
} // namespace recta::neighbours
