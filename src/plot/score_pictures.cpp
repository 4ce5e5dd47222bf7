#include "base/guard.hpp"
#include "base/numbers.hpp"

#include <recta/score_pictures.hpp>

#include <fmt/format.h>

namespace recta {
namespace {

Result<void> check_models(const std::vector<JudgedModel>& models, const std::string& kind) {
  if (models.empty()) return fail(ErrorCode::usage, kind, "there is no model to draw", "give one or more");
  if (models.size() > 1 && kind == "confusion")
    return fail(ErrorCode::usage, kind, "a confusion matrix is that of one model", "draw each by itself");
  const JudgedRows& first = models[0].rows;
  for (const JudgedModel& model : models)
    if (model.rows.target != first.target || model.rows.labels != first.labels || model.rows.positive != first.positive)
      return fail(ErrorCode::usage, model.name,
                  fmt::format("its target {} or its classes are not those of {}", model.rows.target, models[0].name),
                  "compare models of the same target");
  return {};
}

// The curves of a picture are the lines whose colours are still open.
bool is_curve(const plot::Layer& layer) {
  const auto* line = std::get_if<plot::Line>(&layer);
  return line != nullptr && line->colour == plot::kNextColour;
}

} // namespace

Result<plot::Picture> score_picture(const std::vector<JudgedModel>& models, const std::string& kind) {
  return guarded(kind, cure::kFewerRows, [&]() -> Result<plot::Picture> {
    if (auto good = check_models(models, kind); !good) return std::unexpected(good.error());
    auto picture = score_picture(models[0].rows, kind);
    if (!picture || models.size() == 1) return picture;
    std::erase_if(picture->layers, is_curve);
    for (const JudgedModel& model : models) {
      auto model_picture = score_picture(model.rows, kind);
      if (!model_picture) return model_picture;
      const JudgedRows& rows = model.rows;
      const std::string& positive = rows.labels[at(rows.positive)];
      for (plot::Layer& layer : model_picture->layers) {
        if (!is_curve(layer)) continue;
        auto& line = std::get<plot::Line>(layer);
        // With two classes a curve bears the name of the positive one. The title already says which that is, so the
        // model's name replaces it.
        line.label = rows.classes() == 2 && line.label.starts_with(positive)
                         ? model.name + line.label.substr(positive.size())
                         : fmt::format("{}: {}", model.name, line.label);
        picture->layers.push_back(std::move(layer));
      }
    }
    return picture;
  });
}

} // namespace recta
