#include "plot/class_rows.hpp"

#include "feature/classes.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::plot {

Result<ClassRows> class_rows(const Model& model, const Dataset& data, const Values& scores, Index columns) {
  const std::string& name = model.schema.targets.at(0);
  const Column* target = data.find(name);
  if (target == nullptr)
    return fail(ErrorCode::bad_data, data.source, fmt::format("there is no column \"{}\", the model's target", name),
                "a picture shows rows that have their classes");
  const feature::ClassFinder finder(model.schema.classes);
  const std::vector<std::int32_t> levels = finder.places(target->levels);
  const Column* weights = model.schema.weights.empty() ? nullptr : data.find(model.schema.weights);
  ClassRows rows;
  for (std::size_t i = 0; i < static_cast<std::size_t>(data.rows); ++i) {
    const double weight = weights == nullptr || !weights->numeric() ? 1 : weights->values[i];
    const Index place = finder.place(*target, levels, static_cast<Index>(i));
    if (place < 0 || !(weight > 0) || !std::isfinite(scores[i * static_cast<std::size_t>(columns)])) continue;
    rows.used.push_back(i);
    rows.place.push_back(place);
    rows.weight.push_back(weight);
  }
  if (rows.used.empty())
    return fail(ErrorCode::bad_data, data.source, "no row has a class of the model and all its features",
                "check the target column for missing values");
  return rows;
}

std::string class_name(const Model& model, Index place) {
  return fmt::format("{} {}", model.schema.targets.at(0), model.schema.classes.labels.at(place));
}

std::string class_subtitle(const Model& model, std::size_t rows) {
  return fmt::format("{}, {} row{}", model.word, rows, rows == 1 ? "" : "s");
}

} // namespace recta::plot
