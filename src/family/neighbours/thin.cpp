// Fewer training rows for a model by nearest neighbours, and the proof of what they still do.
#include "solver/neighbours/thin/thin.hpp"

#include "base/guard.hpp"
#include "certificate/neighbours/subset.hpp"
#include "family/neighbours/body.hpp"

#include <recta/thin.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

using namespace neighbours;

// The class that a row's neighbours give it.
double called(const NeighbourBody& body, std::span<const Neighbour> list, Tally& tally, std::vector<Voter>& voters) {
  count_votes(
      list, body.points(), body.settings(), body.settings().k, [&](Index row) { return body.target(row, 0); }, voters);
  tally.clear();
  for (const Voter& one : voters) tally.add(one);
  return static_cast<double>(tally.winner());
}

// Whether each row is called its class by the others.
std::vector<bool> right_when_left_out(const NeighbourBody& body, Index classes, Pool& pool) {
  const Points& points = body.points();
  std::vector<Index> self(at(points.rows));
  std::iota(self.begin(), self.end(), Index{0});
  const auto found = body.find(points.data.all(), {body.settings().k}, self, pool);
  Tally tally(classes);
  std::vector<Voter> voters;
  std::vector<bool> out;
  for (Index i = 0; i < points.rows; ++i) out.push_back(called(body, found.of(i), tally, voters) == body.target(i, 0));
  return out;
}

double weight_of_wrong(const Points& points, const std::vector<bool>& right) {
  double wrong = 0, total = 0;
  for (Index i = 0; i < points.rows; ++i) {
    total += points.places_of(i);
    wrong += right[at(i)] ? 0 : points.places_of(i);
  }
  return wrong / total;
}

// The body with the rows kept alone.
std::shared_ptr<NeighbourBody> thinned_body(const NeighbourBody& body, const std::vector<Index>& kept, Index classes) {
  const TrainingRows& all = body.rows();
  TrainingRows rows;
  rows.rows = std::ssize(kept);
  rows.cols = all.cols;
  rows.centre = all.centre;
  rows.scale = all.scale;
  std::vector<double> x, y, weight;
  std::vector<Index> number;
  for (const Index i : kept) {
    const double* row = all.x.from(at(i * all.cols), at(all.cols));
    x.insert(x.end(), row, row + all.cols);
    y.push_back(all.y[at(i)]);
    if (!all.weight.empty()) weight.push_back(all.weight[at(i)]);
    number.push_back(all.number[at(i)]);
  }
  rows.x = std::move(x), rows.y = std::move(y), rows.weight = std::move(weight), rows.number = std::move(number);
  return std::make_shared<NeighbourBody>(std::move(rows), NeighbourRule{body.settings(), IndexWord::brute, classes},
                                         FitSummary{});
}

// Errors of all rows by the rows kept, each without itself where it is one of them.
double left_out_error(const NeighbourBody& body, const std::vector<Index>& kept, Index classes, Pool& pool) {
  const Points& points = body.points();
  const auto few = thinned_body(body, kept, classes);
  std::vector<Index> self(at(points.rows), -1);
  for (std::size_t k = 0; k < kept.size(); ++k) self[at(kept[k])] = static_cast<Index>(k);
  const auto found = few->find(points.data.all(), {body.settings().k}, self, pool);
  Tally tally(classes);
  std::vector<Voter> voters;
  std::vector<bool> right;
  for (Index i = 0; i < points.rows; ++i)
    right.push_back(!found.of(i).empty() && called(*few, found.of(i), tally, voters) == body.target(i, 0));
  return weight_of_wrong(points, right);
}

double training_error(const NeighbourBody& body, const std::vector<Index>& kept, Index classes, Pool& pool) {
  const Points& points = body.points();
  const auto few = thinned_body(body, kept, classes);
  const auto found = few->find(points.data.all(), {body.settings().k}, {}, pool);
  Tally tally(classes);
  std::vector<Voter> voters;
  std::vector<bool> right;
  for (Index i = 0; i < points.rows; ++i)
    right.push_back(called(*few, found.of(i), tally, voters) == body.target(i, 0));
  return weight_of_wrong(points, right);
}

Result<const NeighbourBody*> thinnable(const Model& model, const ThinOptions& options) {
  const auto& methods = thinning_methods();
  if (std::ranges::find(methods, options.method) == methods.end())
    return fail(ErrorCode::usage, "thin", fmt::format("there is no method \"{}\"", options.method),
                fmt::format("take one of {}", fmt::join(methods, ", ")));
  const auto* body = dynamic_cast<const NeighbourBody*>(model.body.get());
  if (body == nullptr || !model.classifies())
    return fail(ErrorCode::usage, model.word, "rows are thinned for classes by nearest neighbours", "fit knn");
  if (body->settings().k == 0)
    return fail(ErrorCode::usage, model.word, "rows are thinned for the k nearest, not for a radius", "fit with k");
  if (by_place(body->settings().metric))
    return fail(ErrorCode::usage, "thin",
                "distances that are given belong to all rows, and fewer rows would need others",
                "give columns and a metric");
  if (options.method != "edited" && body->settings().k != 1)
    return fail(
        ErrorCode::usage, "thin",
        fmt::format("{} rows answer by the nearest of them, and the model by {}", options.method, body->settings().k),
        "fit with k = 1");
  if (options.method == "edited" && !(body->settings().k < static_cast<double>(body->rows().rows)))
    return fail(ErrorCode::bad_data, "thin",
                fmt::format("{} rows do not have {} others each", body->rows().rows, body->settings().k),
                "take a smaller k");
  return body;
}

std::vector<Index> places_kept(const std::vector<bool>& right) {
  std::vector<Index> out;
  for (std::size_t i = 0; i < right.size(); ++i)
    if (right[i]) out.push_back(static_cast<Index>(i));
  return out;
}

} // namespace

const std::vector<std::string>& thinning_methods() {
  static const std::vector<std::string> kMethods = {"condensed", "reduced", "edited"};
  return kMethods;
}

Result<Thinning> thin(const Model& model, const ThinOptions& options) {
  return guarded("thin", cure::kFewerRows, [&]() -> Result<Thinning> {
    const auto checked = thinnable(model, options);
    if (!checked) return std::unexpected(checked.error());
    const NeighbourBody& body = **checked;
    const Index classes = model.schema.classes.count();
    Pool pool(options.threads);
    Thinning out;
    out.method = options.method;
    out.before = body.rows().rows;
    const std::vector<bool> right = right_when_left_out(body, classes, pool);
    out.left_out_before = weight_of_wrong(body.points(), right);
    std::vector<Index> kept;
    if (options.method == "edited") {
      kept = places_kept(right);
      if (kept.empty())
        return fail(ErrorCode::bad_data, "thin", "no row is called its class by its neighbours: none would be kept",
                    "take another k or metric");
      const auto vote = [&](std::span<const Neighbour> list) {
        Tally tally(classes);
        std::vector<Voter> voters;
        return called(body, list, tally, voters);
      };
      out.certificate = certify_edited(
          {body.points(), body.rows().y.all(), body.settings().metric, body.settings().k, right}, vote, pool);
      out.training_error = training_error(body, kept, classes, pool);
    } else {
      const LabelledPoints rows{body.points(), body.rows().y.all(), body.settings().metric};
      kept = condensed_rows(rows, pool);
      if (options.method == "reduced") kept = reduced_rows(rows, std::move(kept), pool);
      std::ranges::sort(kept);
      const SubsetClaim claim{body.points(), body.rows().y.all(), body.settings().metric, kept};
      const SubsetErrors errors = subset_errors(claim, pool);
      out.contradictions = errors.contradictions;
      out.training_error = errors.weight;
      out.certificate = certify_subset(claim, errors);
    }
    out.left_out_after = left_out_error(body, kept, classes, pool);
    for (const Index row : kept) out.rows.push_back(body.rows().number[at(row)]);
    return out;
  });
}

} // namespace recta
