#include "labels.hpp"

#include "flags.hpp"

#include <fmt/format.h>

namespace recta::cli {

Result<Costs> costs_asked(const Model& model, const Arguments& arguments) {
  const std::string text = arguments.text("costs");
  if (text.find('=') != text.npos) {
    const Result<LabelNumbers> missed = label_numbers("costs", text);
    if (!missed) return std::unexpected(missed.error());
    return costs_of_missing(model, *missed);
  }
  const Result<Dataset> table = read(text);
  if (!table) return std::unexpected(table.error());
  return costs_of(model, *table);
}

} // namespace recta::cli
