#include "feature/map/expression_map.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::feature {

std::string ExpressionMap::name(Index k) const {
  return call_.empty() ? expressions_[static_cast<std::size_t>(k)].text() : fmt::format("{}[{}]", call_, k + 1);
}

bool ExpressionMap::has_low() const {
  return std::ranges::any_of(expressions_, [](const Expression& e) { return e.has_low(); });
}

MapOutcome ExpressionMap::evaluate(const MapRows& rows, double* high, double* low) const {
  for (std::size_t k = 0; k < expressions_.size(); ++k) {
    const Expression& expression = expressions_[k];
    MapRows part_rows{{}, rows.count, rows.present};
    for (const std::string& column : expression.columns())
      part_rows.inputs.push_back(
          rows.inputs[static_cast<std::size_t>(std::ranges::find(columns_, column) - columns_.begin())]);
    const Index at = static_cast<Index>(k) * rows.count;
    double* part_low = low && expression.has_low() ? low + at : nullptr;
    if (low && !part_low) std::fill_n(low + at, rows.count, 0.0);
    if (auto done = expression.evaluate(part_rows, high + at, part_low); !done) return done;
  }
  return {};
}

Result<std::shared_ptr<const Map>> expressions_of(const std::vector<std::string>& texts,
                                                  const std::vector<std::string>& columns, const std::string& call) {
  std::vector<Expression> expressions;
  for (const std::string& text : texts) {
    auto one = Expression::parse(text);
    if (!one) return std::unexpected(one.error());
    expressions.push_back(*std::move(one));
  }
  return std::make_shared<ExpressionMap>(std::move(expressions), columns, call);
}

} // namespace recta::feature
