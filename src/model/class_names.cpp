#include "model/linear/body.hpp"

#include <recta/class_names.hpp>

#include <algorithm>

namespace recta {
namespace {

// The label that is quoted from this place on, as a place among the labels; -1: another text is.
Index quoted_label(const std::string& text, std::size_t quote, const std::vector<std::string>& labels) {
  const auto label = std::ranges::find_if(labels, [&](const std::string& each) {
    return text.compare(quote + 1, each.size(), each) == 0 && quote + 1 + each.size() < text.size() &&
           text[quote + 1 + each.size()] == '"';
  });
  return label == labels.end() ? -1 : label - labels.begin();
}

void rename_quoted(std::string& text, const std::vector<std::string>& from, const std::vector<std::string>& to) {
  for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 1)) {
    const Index place = quoted_label(text, at, from);
    if (place < 0) continue;
    const auto k = static_cast<std::size_t>(place);
    text.replace(at + 1, from[k].size(), to[k]);
    at += to[k].size() + 1;
  }
}

} // namespace

Model with_class_labels(Model model, std::vector<std::string> labels, ColumnType type) {
  Classes& classes = model.schema.classes;
  for (std::string& text : model.certificate.conditions) rename_quoted(text, classes.labels, labels);
  if (model.is_linear() && model.linear()->targets.size() == classes.labels.size())
    for (std::size_t k = 0; k < labels.size(); ++k)
      if (TargetFit& fit = own_linear(model).targets[k]; fit.target == classes.labels[k]) fit.target = labels[k];
  classes.labels = std::move(labels);
  classes.type = type;
  return model;
}

} // namespace recta
