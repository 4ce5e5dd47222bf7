// What a calibrated model says about itself.
#include "base/numbers.hpp"
#include "combine/calibrated_body.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::combine {
namespace {

Report::Table odds_table(const Calibration& maps, const Schema& schema) {
  const bool beta = maps.method == Calibrator::beta;
  Report::Table table{.name = "calibration",
                      .title = beta ? "log-odds of a class: a ln p - b ln(1 - p) + c, p the model's probability"
                                    : "log-odds of a class: a f + c, f the model's score",
                      .columns = {"class", "a"},
                      .rows = {}};
  if (beta) table.columns.emplace_back("b");
  table.columns.emplace_back("c");
  for (std::size_t k = 0; k < maps.maps.size(); ++k) {
    const std::size_t class_place = maps.classes == 2 ? at(maps.positive) : k;
    std::vector<Report::Cell> row{schema.classes.labels[class_place], maps.maps[k].a};
    if (beta) row.emplace_back(maps.maps[k].b);
    row.emplace_back(maps.maps[k].c);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Report::Table step_table(const Calibration& maps, const Schema& schema) {
  Report::Table table{.name = "calibration",
                      .title = "probability of a class, a straight line between these scores and level outside",
                      .columns = {"class", "score", "probability"},
                      .rows = {}};
  for (std::size_t k = 0; k < maps.maps.size(); ++k)
    for (std::size_t i = 0; i < maps.maps[k].x.size(); ++i)
      table.rows.push_back(
          {schema.classes.labels[maps.classes == 2 ? at(maps.positive) : k], maps.maps[k].x[i], maps.maps[k].y[i]});
  return table;
}

Report::Table judged_table(const CalibrationStory& story) {
  const auto row = [](const char* name, const std::array<double, 3>& values) {
    return std::vector<Report::Cell>{std::string(name), values[0], values[1], values[2]};
  };
  Report::Table table{.name = "judged",
                      .title = story.fold.empty()
                                   ? "on the rows of the calibration"
                                   : "on the rows of the calibration, each by a refit that has not seen it",
                      .columns = {"probabilities", "log-loss", "Brier score", "calibration error"},
                      .rows = {}};
  if (!std::isnan(story.before[0])) table.rows.push_back(row("the model's", story.before));
  table.rows.push_back(row("calibrated", story.after));
  return table;
}

report::Sentence decisions_remark(const Calibration& maps, Index changed, Index rows) {
  if (changed == 0) return {"calibrated.unchanged"};
  const char* why = maps.method == Calibrator::temperature ? "calibrated.ties"
                    : maps.classes > 2                     ? "calibrated.shares"
                    : maps.method == Calibrator::isotonic  ? "calibrated.step"
                                                           : "calibrated.half";
  return {"calibrated.changed", {{"changed", changed}, {"rows", rows}, {"why", report::Sentence{why}}}};
}

void add_warnings(const Calibration& maps, const Schema& schema, Report& out) {
  for (std::size_t k = 0; k < maps.maps.size(); ++k)
    if (maps.method == Calibrator::platt && !(maps.maps[k].a > 0))
      out.remarks.push_back(
          {"calibrated.against",
           {{"class", schema.classes.labels[maps.classes == 2 ? at(maps.positive) : k]}, {"a", maps.maps[k].a}}});
  if (maps.method == Calibrator::temperature && maps.maps[0].a >= 22026) out.remarks.push_back({"calibrated.coldest"});
  if (maps.method == Calibrator::temperature && maps.maps[0].a <= 4.6e-5) out.remarks.push_back({"calibrated.hottest"});
}

} // namespace

Report CalibratedBody::report(const Schema& schema) const {
  Report out;
  if (maps_.method == Calibrator::isotonic)
    out.tables.push_back(step_table(maps_, schema));
  else if (maps_.method != Calibrator::temperature)
    out.tables.push_back(odds_table(maps_, schema));
  else
    out.figures.push_back({"temperature", "temperature, which divides the scores", 1 / maps_.maps[0].a});
  out.tables.push_back(judged_table(story_));
  const auto proved =
      std::ranges::count_if(parts_, [](const Model& part) { return part.certificate.verdict == Verdict::proved; });
  out.figures.push_back({"parts", "models inside: the model and its refits", static_cast<double>(parts_.size())});
  out.figures.push_back({"proved", "of these proved", static_cast<double>(proved)});
  out.figures.push_back(
      {"decisions_changed", "rows whose class calibration changes", static_cast<double>(story_.decisions_changed)});
  out.remarks.push_back(decisions_remark(maps_, story_.decisions_changed, summary_.rows));
  add_warnings(maps_, schema, out);
  return out;
}

} // namespace recta::combine
