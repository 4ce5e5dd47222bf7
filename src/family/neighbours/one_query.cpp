// The neighbours of one row in the plane: lines to them, and the ball that holds them. A norm grows evenly along a ray,
// so the border of the ball of radius r around q in the direction u is q + u r / d(q, q + u).
#include "family/neighbours/pictures.hpp"
#include "feature/table_source.hpp"
#include "plot/text.hpp"
#include "stats/dense_copy.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

namespace recta::neighbours {
namespace {

constexpr Index kDirections = 720, kMostNamed = 12;
constexpr double kSmall = 0.25, kAround = 1; // shares of the picture, and of the ball

// The features of the first row that has them all, and its number.
Result<std::pair<std::vector<double>, Index>> first_row(const Model& model, const Dataset& data) {
  auto binding = feature::bind(model.schema, data, feature::Need::features);
  if (!binding) return std::unexpected(binding.error());
  const feature::Encoder encoder(model.schema, *std::move(binding));
  feature::TableSource source(data, encoder);
  std::pair<std::vector<double>, Index> out;
  DenseCopy copy;
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    copy.take(batch);
    const Index p = batch.cols();
    for (Index i = 0; out.first.empty() && i < batch.rows(); ++i)
      if (batch.weight.empty() || batch.weight[at(i)] > 0)
        out = {{copy.x.begin() + i * p, copy.x.begin() + (i + 1) * p}, batch.first_row + i};
    return {};
  });
  if (!read) return std::unexpected(read.error());
  if (out.first.empty())
    return fail(ErrorCode::bad_data, data.source, "there is no row that has all its features",
                "the first row of the data is the one whose neighbours are drawn");
  return out;
}

double distance(const NeighbourBody& body, const double* mapped_query, double x, double y) {
  double row[2] = {x, y};
  (void)body.map(row, 0);
  const Metric& metric = body.settings().metric;
  return std::visit([&](const auto& measure) { return measured(measure, mapped_query, row, 2); }, measure_of(metric));
}

plot::Region ball(const NeighbourBody& body, const std::vector<double>& query, const double* mapped, double radius) {
  plot::Region out;
  for (Index k = 0; k < kDirections; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(kDirections);
    const double dx = std::cos(angle), dy = std::sin(angle);
    const double reach = radius / distance(body, mapped, query[0] + dx, query[1] + dy);
    out.x.push_back(query[0] + reach * dx);
    out.y.push_back(query[1] + reach * dy);
  }
  return out;
}

// "a 3, b 2", or the mean.
std::string votes_text(const Model& model, const NeighbourBody& body, std::span<const Voter> voters) {
  const auto& labels = model.schema.classes.labels;
  if (labels.empty()) return fmt::format("their mean is {}", plot::rounded(mean(voters)));
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    double votes = 0;
    for (const Voter& one : voters)
      if (one.target == static_cast<double>(k)) votes += one.places;
    if (votes > 0) texts.push_back(fmt::format("{} {}", plot::rounded(votes), labels[k]));
  }
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     body.settings().vote == Vote::distance ? ", each by 1 / distance" : "");
}

std::string answer_text(const Model& model, std::span<const Voter> voters) {
  const Index classes = model.schema.classes.count();
  if (voters.empty()) return "no row inside the radius";
  if (classes == 0) return plot::rounded(mean(voters));
  Tally tally(classes);
  for (const Voter& one : voters) tally.add(one);
  return model.schema.classes.labels[tally.winner()];
}

// Room for the query and the ball around it; a small ball is looked at from near.
void make_room(plot::Picture& picture, const std::vector<double>& x, const std::vector<double>& y) {
  const auto [left, right] = std::ranges::minmax(x);
  const auto [bottom, top] = std::ranges::minmax(y);
  if (right - left < kSmall * (picture.x.high - picture.x.low) &&
      top - bottom < kSmall * (picture.y.high - picture.y.low)) {
    const double beside = kAround * (right - left), above = kAround * (top - bottom);
    picture.x.low = left - beside, picture.x.high = right + beside;
    picture.y.low = bottom - above, picture.y.high = top + above;
  }
  for (const double one : x)
    picture.x.low = std::min(picture.x.low, one), picture.x.high = std::max(picture.x.high, one);
  for (const double one : y)
    picture.y.low = std::min(picture.y.low, one), picture.y.high = std::max(picture.y.high, one);
  const double wide = picture.x.high - picture.x.low, high = picture.y.high - picture.y.low;
  if (wide < 3 * high && high < 3 * wide) picture.same_unit = true; // a circle then looks like one
}

} // namespace

Result<plot::Picture> neighbours_picture(const Model& model, const Dataset& data) {
  const auto plane = plane_of("neighbours", model);
  if (!plane) return std::unexpected(plane.error());
  const NeighbourBody& body = plane->body;
  const Settings& settings = body.settings();
  const auto row = first_row(model, data);
  if (!row) return std::unexpected(row.error());
  const std::vector<double>& query = row->first;
  std::vector<double> mapped = query;
  if (auto good = body.map(mapped, row->second); !good) return std::unexpected(good.error());
  Pool pool(1);
  const Neighbourhoods found = body.find(mapped, {settings.k, settings.radius}, {}, pool);
  const auto list = found.of(0);
  std::vector<Voter> voters;
  count_votes(list, body.points(), settings, settings.k, [&](Index one) { return body.target(one, 0); }, voters);

  plot::Picture picture = framed(*plane);
  picture.title = fmt::format("Neighbours of row {} of {}", row->second + 1, data.source);
  picture.subtitle = fmt::format("{} of {} training rows answer: {}", voters.size(), body.rows().rows,
                                 votes_text(model, body, voters));
  plot::Line ways{.label = "neighbours", .colour = plot::kSoft};
  std::vector<plot::Mark> names;
  for (std::size_t i = 0; i < voters.size(); ++i) {
    const double x = plane->x(list[i].row), y = plane->y(list[i].row);
    for (const auto& [to_x, to_y] : {std::pair{query[0], query[1]}, {x, y}, {plot::kFromData, plot::kFromData}})
      ways.x.push_back(to_x), ways.y.push_back(to_y);
    if (model.schema.classes.labels.empty() && std::ssize(voters) <= kMostNamed)
      names.push_back({x, y, plot::rounded(voters[i].target), 0});
  }
  const double radius = settings.k > 0 && !list.empty() ? list.back().distance
                        : settings.k > 0                ? 0
                                                        : measure_bound(settings.metric, settings.radius);
  if (by_norm(settings.metric) && radius > 0 && std::isfinite(radius)) {
    plot::Region inside = ball(body, query, mapped.data(), radius);
    inside.label =
        settings.k > 0 ? "no farther than the last" : fmt::format("within {}", plot::rounded(settings.radius));
    inside.colour = plot::kSoft;
    make_room(picture, inside.x, inside.y);
    picture.layers.emplace_back(std::move(inside));
  } else {
    picture.x.low = std::min(picture.x.low, query[0]), picture.x.high = std::max(picture.x.high, query[0]);
    picture.y.low = std::min(picture.y.low, query[1]), picture.y.high = std::max(picture.y.high, query[1]);
  }
  if (!ways.x.empty()) picture.layers.emplace_back(std::move(ways));
  add_rows(*plane, picture);
  for (plot::Mark& name : names) picture.layers.emplace_back(std::move(name));
  picture.layers.emplace_back(plot::Mark{query[0], query[1], answer_text(model, voters), plot::kInk});
  return picture;
}

} // namespace recta::neighbours
