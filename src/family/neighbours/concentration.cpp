// Concentration of distances (Beyer, Goldstein, Ramakrishnan and Shaft, When is "nearest neighbor" meaningful?, 1999):
// the more independent columns there are, the less the nearest row differs from any other. Drawn is the median over
// rows of
//   distance to the nearest row / median distance to all others,
// over the number of columns, which are taken in several random orders; the band holds the middle half. The dashed line
// is that of the same columns shuffled each by itself, which are independent: rows that lie near a curve or a surface
// stay below it, and neighbours still mean something.
#include "base/random.hpp"
#include "family/neighbours/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::neighbours {
namespace {

constexpr Index kSampled = 400, kQueries = 100, kOrders = 5, kColumns = 1000;

// A few rows in the units of the measure.
struct SampledRows {
  Index rows = 0, cols = 0;
  std::vector<double> x{};
};

SampledRows sample_of(const Points& points, Random& random) {
  std::vector<Index> rows(at(points.rows)), columns(at(points.cols));
  std::iota(rows.begin(), rows.end(), Index{0});
  std::iota(columns.begin(), columns.end(), Index{0});
  random.shuffle(std::span(rows));
  random.shuffle(std::span(columns));
  rows.resize(at(std::min(points.rows, kSampled)));
  columns.resize(at(std::min(points.cols, kColumns)));
  SampledRows out{.rows = std::ssize(rows), .cols = std::ssize(columns)};
  for (const Index i : rows)
    for (const Index j : columns) out.x.push_back(points.row(i)[j]);
  return out;
}

SampledRows shuffled(const SampledRows& rows, Random& random) {
  SampledRows out = rows;
  std::vector<double> column(at(rows.rows));
  for (Index j = 0; j < rows.cols; ++j) {
    for (Index i = 0; i < rows.rows; ++i) column[at(i)] = rows.x[at(i * rows.cols + j)];
    random.shuffle(std::span(column));
    for (Index i = 0; i < rows.rows; ++i) out.x[at(i * rows.cols + j)] = column[at(i)];
  }
  return out;
}

double quantile(std::vector<double>& values, double share) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

// One ratio per query, by the first d columns of an order; none if half of the rows lie on the query.
void add_ratios(const SampledRows& rows, std::span<const Index> order, const Measure& measure,
                std::vector<double>& out) {
  const Index d = std::ssize(order);
  std::vector<double> x(at(rows.rows * d)), apart;
  for (Index i = 0; i < rows.rows; ++i)
    for (Index j = 0; j < d; ++j) x[at(i * d + j)] = rows.x[at(i * rows.cols + order[at(j)])];
  for (Index q = 0; q < std::min(rows.rows, kQueries); ++q) {
    apart.clear();
    for (Index i = 0; i < rows.rows; ++i)
      if (i != q)
        apart.push_back(
            std::visit([&](const auto& m) { return measured(m, &x[at(q * d)], &x[at(i * d)], d); }, measure));
    const double nearest = std::ranges::min(apart), middle = quantile(apart, 0.5);
    if (middle > 0 && std::isfinite(middle)) out.push_back(nearest / middle);
  }
}

// 1, 2, 3, ... and from ten on about a quarter more each time.
std::vector<Index> dimensions(Index most) {
  std::vector<Index> out;
  for (Index d = 1; d < most; d = std::max(d + 1, d + d / 8)) out.push_back(d);
  out.push_back(most);
  return out;
}

struct Curve {
  std::vector<double> x{}, low{}, middle{}, high{};
};

Curve curve_of(const SampledRows& rows, const Measure& measure, Random random) {
  std::vector<std::vector<Index>> orders(at(kOrders), std::vector<Index>(at(rows.cols)));
  for (std::vector<Index>& order : orders) {
    std::iota(order.begin(), order.end(), Index{0});
    random.shuffle(std::span(order));
  }
  Curve out;
  for (const Index d : dimensions(rows.cols)) {
    std::vector<double> ratios;
    for (const std::vector<Index>& order : orders) add_ratios(rows, std::span(order).first(at(d)), measure, ratios);
    if (ratios.empty()) continue;
    out.x.push_back(static_cast<double>(d));
    out.low.push_back(quantile(ratios, 0.25));
    out.middle.push_back(quantile(ratios, 0.5));
    out.high.push_back(quantile(ratios, 0.75));
  }
  return out;
}

} // namespace

Result<plot::Picture> concentration_picture(const Model& model) {
  const auto& body = dynamic_cast<const NeighbourBody&>(*model.body);
  const Metric& metric = body.settings().metric;
  if (!by_norm(metric))
    return fail(ErrorCode::usage, "concentration",
                fmt::format("the metric {} does not add up over the columns, so that some of them could be left out",
                            metric.word),
                "take the metric euclidean or manhattan");
  if (body.features() < 2 || body.rows().rows < 3)
    return fail(ErrorCode::usage, "concentration",
                fmt::format("{} rows of {} columns have no distances to compare", body.rows().rows, body.features()),
                "it takes at least three rows and two columns");
  Random random(0);
  const SampledRows rows = sample_of(body.points(), random);
  const Measure measure = measure_of(metric);
  const Curve own = curve_of(rows, measure, random), independent = curve_of(shuffled(rows, random), measure, random);
  if (own.x.empty())
    return fail(ErrorCode::bad_data, "concentration", "half of the rows are the same row",
                "there is no distance between them");
  plot::Picture picture{.title = "Nearest distance / median distance",
                        .subtitle = fmt::format("{}, metric {}, {} of {} rows; at 1 all rows are equally far away",
                                                model.word, metric.word, rows.rows, body.rows().rows)};
  picture.x = {.label = "columns", .scale = rows.cols > 20 ? plot::Scale::log : plot::Scale::linear};
  picture.y = {.label = "ratio", .low = 0, .high = 1};
  picture.layers = {
      plot::Band{.x = own.x, .low = own.low, .high = own.high, .label = "the middle half of the rows", .colour = 0},
      plot::Line{.x = own.x, .y = own.middle, .label = "these rows", .colour = 0, .dotted = own.x.size() <= 40},
      plot::Line{.x = independent.x,
                 .y = independent.middle,
                 .label = "the same columns made independent",
                 .colour = 1,
                 .dashed = true}};
  return picture;
}

} // namespace recta::neighbours
