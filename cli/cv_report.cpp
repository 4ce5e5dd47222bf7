#include "cv_report.hpp"

#include "json.hpp"
#include "table.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::cli {
namespace {

std::string value_of(const ParamValue& value, int digits) {
  if (const bool* on = std::get_if<bool>(&value)) return *on ? "true" : "false";
  if (const double* number = std::get_if<double>(&value)) return number_text(*number, digits);
  return std::get<std::string>(value);
}

void value_json(Json& json, const std::string& name, const ParamValue& value) {
  if (const bool* on = std::get_if<bool>(&value))
    json.field(name, *on);
  else if (const double* number = std::get_if<double>(&value))
    json.field(name, *number);
  else
    json.field(name, std::get<std::string>(value));
}

void params_json(Json& json, const Params& params) {
  json.key("params").object();
  for (const auto& [name, value] : params) value_json(json, name, value);
  json.end();
}

void scores_json(Json& json, const char* name, const std::vector<std::string>& names,
                 const std::vector<ScoreValues>& scores) {
  json.key(name).object();
  for (std::size_t s = 0; s < scores.size(); ++s) {
    json.key(names[s]).object().field("mean", scores[s].mean).field("standard_error", scores[s].standard_error);
    json.list("folds", scores[s].folds).end();
  }
  json.end();
}

std::vector<std::string> heading_of(const CrossValidation& search) {
  std::vector<std::string> heading;
  for (const GridAxis& axis : search.grid) heading.push_back(axis.name);
  for (const std::string& score : search.scores) {
    heading.push_back(score);
    heading.emplace_back("std err");
  }
  if (!search.points.empty() && !search.points[0].training.empty()) heading.push_back("trained on");
  heading.emplace_back("");
  return heading;
}

} // namespace

std::string cv_text(const CrossValidation& search, const std::string& source, const Voice& voice) {
  Table table(heading_of(search), search.grid.empty() ? 0 : 1);
  table.last_left();
  for (std::size_t k = 0; k < search.points.size(); ++k) {
    const GridPoint& point = search.points[k];
    std::vector<std::string> row;
    for (const GridAxis& axis : search.grid) row.push_back(value_of(point.params.at(axis.name), voice.digits));
    for (const ScoreValues& score : point.scores) {
      row.push_back(number_text(score.mean, voice.digits));
      row.push_back(number_text(score.standard_error, voice.digits));
    }
    if (!point.training.empty()) row.push_back(number_text(point.training[0].mean, voice.digits));
    row.emplace_back(static_cast<Index>(k) == search.best ? "chosen" : point.failure.empty() ? "" : "failed");
    table.add(std::move(row));
  }
  std::string text = fmt::format("{} for {} in {}, {} rows, {}\n\n{}", search.word, search.target, source, search.rows,
                                 count_text(search.splits, "split", "splits"), table.text());
  for (const GridPoint& point : search.points) {
    if (point.failure.empty()) continue;
    text += "\nfailed";
    for (const GridAxis& axis : search.grid)
      text += fmt::format(" {} = {}", axis.name, value_of(point.params.at(axis.name), voice.digits));
    text += fmt::format(": {}\n", point.failure);
  }
  if (search.model) text += fmt::format("\nfitted to all rows: {}\n", search.model->certificate.sentence());
  return text;
}

std::string cv_json(const CrossValidation& search, const std::string& source) {
  Json json;
  json.object().field("schema", "recta/cv/1").field("model", search.word).field("source", source);
  json.field("target", search.target).field("rows", search.rows).field("splits", search.splits);
  json.list("scores", search.scores).key("points").array();
  for (const GridPoint& point : search.points) {
    json.object();
    params_json(json, point.params);
    scores_json(json, "scores", search.scores, point.scores);
    if (!point.training.empty()) scores_json(json, "training", search.scores, point.training);
    if (!point.failure.empty()) json.field("failure", point.failure);
    json.field("seconds", point.seconds).end();
  }
  json.end().key("best");
  if (search.best < 0) {
    json.null();
  } else {
    json.object().field("point", search.best);
    params_json(json, search.points[static_cast<std::size_t>(search.best)].params);
    json.end();
  }
  json.list("notes", search.notes);
  if (!search.stopped.empty()) json.field("stopped", search.stopped);
  if (search.model) json.field("claim", search.model->certificate.sentence());
  return json.end().text();
}

} // namespace recta::cli
