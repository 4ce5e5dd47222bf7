#include "combine/calibrated_body.hpp"

#include "base/numbers.hpp"
#include "combine/parts_file.hpp"
#include "design/batch.hpp"
#include "model_file/put.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::combine {
namespace {

constexpr double kLeastShare = 0x1p-52; // of which the logarithm is evidence

double log_share(double p) {
  return std::log(std::max(p, kLeastShare));
}

// score k - ln sum_{j != k} e^score_j.
double odds_of(const double* z, Index classes, Index k) {
  double most = -kInfinity, sum = 0;
  for (Index j = 0; j < classes; ++j)
    if (j != k) most = std::max(most, z[j]);
  for (Index j = 0; j < classes; ++j)
    if (j != k) sum += std::exp(z[j] - most);
  return z[k] - most - std::log(sum);
}

} // namespace

Evidence evidence_for(Calibrator method, const Model& model) {
  const bool two = model.schema.classes.count() == 2;
  if (model.body->own_probabilities()) {
    if (method == Calibrator::platt || method == Calibrator::isotonic) return Evidence::share;
    return two || method == Calibrator::beta ? Evidence::share_odds : Evidence::log_share;
  }
  return two || method == Calibrator::temperature || !model.has_probabilities() ? Evidence::score : Evidence::odds;
}

EvidenceMaker evidence_maker(Calibrator method, const Model& model) {
  return {evidence_for(method, model), model.schema.classes.count(), model.schema.classes.positive,
          model.body->scores()};
}

void EvidenceMaker::row(const double* from, double* out) const {
  if (std::isnan(from[0])) {
    std::fill_n(out, width(), from[0]);
    return;
  }
  for (Index k = 0; k < width(); ++k) {
    const Index class_place = classes == 2 ? positive : k;
    switch (kind) {
    case Evidence::score:
      out[k] = classes > 2 ? from[k] : scores == 1 ? from[0] : from[positive] - from[1 - positive];
      break;
    case Evidence::odds:
      out[k] = odds_of(from, classes, k);
      break;
    case Evidence::share:
      out[k] = from[class_place];
      break;
    case Evidence::share_odds: {
      double others = 0;
      for (Index j = 0; j < classes; ++j) others += j == class_place ? 0 : from[j];
      out[k] = log_share(from[class_place]) - log_share(others);
      break;
    }
    case Evidence::log_share:
      out[k] = log_share(from[k]);
      break;
    }
  }
}

CalibratedBody::CalibratedBody(FitSummary summary, Calibration maps, CalibrationStory story, std::vector<Model> parts)
    : summary_(std::move(summary)), maps_(std::move(maps)), story_(std::move(story)), parts_(std::move(parts)),
      maker_(evidence_maker(maps_.method, parts_[0])) {}

Result<std::vector<double>> CalibratedBody::evidence(const Batch& rows) const {
  const Index width = maker_.of_shares() ? maker_.classes : maker_.scores;
  std::vector<double> from(at(rows.rows() * width)), out(at(rows.rows() * maker_.width()));
  const Body& body = *parts_[0].body;
  const auto done =
      maker_.of_shares() ? body.probability(rows, from.data()) : body.score(rows, ScoresOf::classes, from.data());
  if (!done) return std::unexpected(done.error());
  for (Index i = 0; i < rows.rows(); ++i) maker_.row(from.data() + i * width, out.data() + i * maker_.width());
  return out;
}

Result<void> CalibratedBody::score(const Batch& rows, ScoresOf, double* out) const {
  const auto f = evidence(rows);
  if (!f) return std::unexpected(f.error());
  maps_.scores(rows.rows(), f->data(), out);
  return {};
}

Result<void> CalibratedBody::probability(const Batch& rows, double* out) const {
  const auto f = evidence(rows);
  if (!f) return std::unexpected(f.error());
  maps_.probabilities(rows.rows(), f->data(), out);
  return {};
}

Result<void> CalibratedBody::transform(const Batch& rows, double* out) const {
  return parts_[0].body->transform(rows, out);
}

Result<Report> CalibratedBody::explain(const Batch& row, const Schema& schema) const {
  return parts_[0].body->explain(row, schema);
}

void CalibratedBody::write(TensorWriter& out) const {
  std::vector<Index> knots;
  std::vector<double> odds, x, y, judged(story_.before.begin(), story_.before.end());
  for (const CalibrationMap& map : maps_.maps) {
    odds.insert(odds.end(), {map.a, map.b, map.c});
    x.insert(x.end(), map.x.begin(), map.x.end());
    y.insert(y.end(), map.y.begin(), map.y.end());
    knots.push_back(std::ssize(map.x));
  }
  judged.insert(judged.end(), story_.after.begin(), story_.after.end());
  out.add("calibration.method", std::vector<std::string>{calibrator_words()[static_cast<std::size_t>(maps_.method)]});
  out.add("calibration.odds", odds, {std::ssize(maps_.maps), 3});
  out.add("calibration.knots", knots, {std::ssize(knots)});
  put_vector(out, "calibration.x", x);
  put_vector(out, "calibration.y", y);
  out.add("calibration.decisions_changed", std::vector<Index>{story_.decisions_changed}, {1});
  if (!story_.fold.empty()) out.add("calibration.fold", story_.fold, {std::ssize(story_.fold)});
  put(out, "calibration.judged", judged, {6});
  write_parts(out, parts_);
}

namespace {

bool is_rising(const std::vector<double>& x, bool strictly) {
  for (std::size_t k = 1; k < x.size(); ++k)
    if (strictly ? !(x[k - 1] < x[k]) : x[k - 1] > x[k]) return false;
  return true;
}

Calibration read_maps(FieldReader& in, const Schema& schema) {
  Calibration out{.classes = schema.classes.count(), .positive = schema.classes.positive};
  const auto word = in.strings("calibration.method");
  const auto method = calibrator_of(word.size() == 1 ? word[0] : "");
  in.require(method.has_value(), "its calibration is of no known kind");
  const auto odds = in.doubles("calibration.odds");
  const auto knots = in.counts("calibration.knots");
  if (!in.ok()) return out;
  out.method = *method;
  const bool stepped = *method == Calibrator::isotonic;
  const auto x = stepped ? in.doubles("calibration.x") : std::vector<double>{};
  const auto y = stepped ? in.doubles("calibration.y") : std::vector<double>{};
  const std::size_t maps = *method == Calibrator::temperature ? 1 : at(out.width());
  in.require(knots.size() == maps && odds.size() == 3 * maps && x.size() == y.size() && out.classes > 1,
             "its calibration does not fit the classes");
  std::size_t first = 0;
  for (std::size_t k = 0; in.ok() && k < maps; ++k) {
    const std::size_t count = at(knots[k]);
    in.require(count <= x.size() - first && (count > 0) == stepped, "its calibration has no steps");
    if (!in.ok()) break;
    CalibrationMap& map = out.maps.emplace_back(odds[3 * k], odds[3 * k + 1], odds[3 * k + 2]);
    const bool takes_b = *method == Calibrator::beta, takes_c = takes_b || *method == Calibrator::platt;
    in.require((!stepped || map.a == 0) && (takes_b || map.b == 0) && (takes_c || map.c == 0),
               "\"calibration.odds\" has a number that its method does not have");
    in.require(*method != Calibrator::beta || (map.a >= 0 && map.b >= 0),
               "\"calibration.odds\" has a coefficient of beta below zero");
    map.x.assign(x.begin() + static_cast<std::ptrdiff_t>(first),
                 x.begin() + static_cast<std::ptrdiff_t>(first + count));
    map.y.assign(y.begin() + static_cast<std::ptrdiff_t>(first),
                 y.begin() + static_cast<std::ptrdiff_t>(first + count));
    in.require(is_rising(map.x, true) && is_rising(map.y, false), "the steps of its calibration do not rise");
    in.require(!stepped || (map.y.front() >= 0 && map.y.back() <= 1), "a step of its calibration is not a probability");
    first += count;
  }
  in.require(!stepped || first == x.size(), "its calibration has steps of no class");
  return out;
}

CalibrationStory read_story(FieldReader& in) {
  CalibrationStory out;
  const auto changed = in.counts("calibration.decisions_changed");
  if (in.has("calibration.fold")) out.fold = in.codes("calibration.fold");
  const auto judged = in.doubles_or_nan("calibration.judged", {6});
  in.require(changed.size() == 1 && judged.size() == 6, "its calibration was not judged");
  if (!in.ok()) return out;
  out.decisions_changed = changed[0];
  std::copy_n(judged.begin(), 3, out.before.begin());
  std::copy_n(judged.begin() + 3, 3, out.after.begin());
  return out;
}

// The whole reads rows as the model inside does.
bool reads_alike(const Schema& whole, const Schema& inside) {
  const auto columns = [](const Schema& schema) {
    std::vector<std::tuple<std::string, ColumnType, std::vector<std::string>, std::string, double, bool, bool>> out;
    for (const SchemaColumn& c : schema.columns)
      out.emplace_back(c.name, c.type, c.levels, c.reference, c.fill, c.indicator, c.plain);
    return out;
  };
  const auto maps = [](const Schema& schema) {
    std::vector<std::pair<std::string, std::vector<double>>> out;
    for (const FeatureMap& map : schema.maps) out.emplace_back(map.text, map.learned);
    for (const TextMap& text : schema.texts) {
      out.emplace_back(text.column, text.idf);
      for (const std::string& term : text.terms()) out.emplace_back(term, std::vector<double>{});
    }
    return out;
  };
  const auto rest = [](const Schema& s) {
    return std::tie(s.sparse_cols, s.sparse_base, s.targets, s.weights, s.offset, s.cluster, s.ignored, s.missing,
                    s.unseen, s.classes.labels, s.classes.type, s.classes.positive, s.classes.rest);
  };
  return columns(whole) == columns(inside) && maps(whole) == maps(inside) && rest(whole) == rest(inside);
}

} // namespace

Result<std::shared_ptr<const Body>> CalibratedBody::read(FieldReader& in, FitSummary summary, const Schema& schema,
                                                         const std::string& word) {
  Calibration maps = read_maps(in, schema);
  CalibrationStory story = read_story(in);
  const auto start = in.counts("parts.start");
  const auto bytes = in.codes("parts.bytes");
  in.require(start.size() > 1 && start.front() == 0 && start.back() == std::ssize(bytes) &&
                 std::ranges::is_sorted(start),
             "its parts are not where they should be");
  std::vector<Model> parts;
  for (std::size_t p = 0; in.ok() && p + 1 < start.size(); ++p) {
    const auto* first = reinterpret_cast<const char*>(bytes.data()) + start[p];
    auto part = read_part({first, at(start[p + 1] - start[p])}, p, schema.unseen);
    if (!part) return std::unexpected(part.error());
    in.require(part->word == word && part->schema.classes.labels == schema.classes.labels &&
                   part->schema.classes.positive == schema.classes.positive && part->body->kind() != "calibrated",
               "a part is not a model of the same classes");
    parts.push_back(*std::move(part));
  }
  for (const std::uint8_t fold : story.fold)
    in.require(fold == CalibrationStory::kNoFold || fold + std::size_t{1} < parts.size(), "a fold has no model");
  in.require(!story.fold.empty() || parts.size() == 1, "there are refits and no folds");
  if (!in.ok()) return in.error();
  in.require(reads_alike(schema, parts[0].schema), "it reads other columns than the model inside");
  if (!in.ok()) return in.error();
  return std::make_shared<CalibratedBody>(std::move(summary), std::move(maps), std::move(story), std::move(parts));
}

} // namespace recta::combine
