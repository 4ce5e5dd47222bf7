#include "cv_report.hpp"

namespace recta::cli {
namespace {

using report::Value;

Value value_of(const ParamValue& value) {
  return std::visit([](const auto& v) { return Value(v); }, value);
}

report::Group scores_data(const std::vector<std::string>& names, const std::vector<ScoreValues>& scores) {
  report::Group out;
  for (std::size_t s = 0; s < scores.size(); ++s)
    out.add(names[s], report::Group{{"mean", scores[s].mean},
                                    {"standard_error", scores[s].standard_error},
                                    {"folds", scores[s].folds}});
  return out;
}

// People see in columns what programs know by the params and the scores of a point.
report::Table points_table(const CrossValidation& search) {
  const bool training = !search.points.empty() && !search.points[0].training.empty();
  report::Table out{.columns = {{"params"}, {"scores"}, {"training"}, {"failure"}, {"seconds"}},
                    .left = search.grid.empty() ? std::size_t{0} : 1,
                    .prose = true};
  for (const GridAxis& axis : search.grid) out.columns.push_back({"", axis.name});
  for (const std::string& score : search.scores) {
    out.columns.push_back({"", score});
    out.columns.push_back({"", "std err"});
  }
  if (training) out.columns.push_back({"", "trained on"});
  out.columns.push_back({"", " "});
  for (const GridPoint& point : search.points) {
    const bool chosen = std::ssize(out.rows) == search.best;
    std::vector<Value>& row = out.rows.emplace_back();
    row = {report::data_of(point.params), scores_data(search.scores, point.scores),
           point.training.empty() ? Value() : scores_data(search.scores, point.training),
           point.failure.empty() ? Value() : point.failure, point.seconds};
    for (const GridAxis& axis : search.grid) row.push_back(value_of(point.params.at(axis.name)));
    for (const ScoreValues& score : point.scores) row.insert(row.end(), {score.mean, score.standard_error});
    if (!point.training.empty()) row.emplace_back(point.training[0].mean);
    row.emplace_back(chosen ? "chosen" : point.failure.empty() ? "" : "failed");
  }
  return out;
}

// "k = 3 p = 2"
report::Sentence failure_of(const CrossValidation& search, const GridPoint& point) {
  Value::List place;
  for (const GridAxis& axis : search.grid)
    place.emplace_back(
        report::Sentence{"cv.place", {{"name", axis.name}, {"value", value_of(point.params.at(axis.name))}}});
  return {"cv.failed", {{"place", std::move(place)}, {"failure", point.failure}}};
}

} // namespace

report::Document cv_document(const CrossValidation& search, const std::string& source) {
  const auto points = shared(points_table(search));
  Value best = nullptr;
  if (search.best >= 0)
    best = report::Group{{"point", search.best},
                         {"params", report::data_of(search.points[static_cast<std::size_t>(search.best)].params)}};
  const std::string claim = search.model ? search.model->certificate.sentence() : "";
  report::Document out{{{"schema", "recta/cv/1"},
                        {"model", search.word},
                        {"source", source},
                        {"target", search.target},
                        {"rows", search.rows},
                        {"splits", search.splits},
                        {"scores", search.scores},
                        {"points", points},
                        {"best", std::move(best)},
                        {"notes", search.notes},
                        {"stopped", search.stopped.empty() ? Value() : search.stopped},
                        {"claim", search.model ? Value(claim) : Value()}},
                       {{report::Sentence{"cv.title",
                                          {{"model", search.word},
                                           {"target", search.target},
                                           {"source", source},
                                           {"rows", search.rows},
                                           {"splits", search.splits}}}},
                        {report::Shown{points}}}};
  for (const GridPoint& point : search.points)
    if (!point.failure.empty()) out.page.push_back({failure_of(search, point)});
  if (search.model) out.page.push_back({report::Sentence{"cv.fitted", {{"claim", claim}}}});
  return out;
}

} // namespace recta::cli
