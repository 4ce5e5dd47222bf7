// radial(x, COUNT): bells about centres, those of the training rows if none are given.
#include "feature/map/expression_map.hpp"
#include "feature/map/leaf.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::feature::radial {
namespace {

class RadialLeaf final : public Leaf {
public:
  RadialLeaf()
      : Leaf({"radial",
              1,
              1,
              {{"the number of centres", 2, 10000, true}},
              1,
              1,
              {{"width", {}, {"the width", 1e-300, 1e300, false}}},
              "radial(x, 5) or radial(x, [0, 1, 5], width=2)"}) {}

  Index count(const Call& call) const override { return call.listed(); }
  Index spaced(const Call& call) const override { return call.list ? 0 : call.listed(); }
  Result<void> check(const Call& call, const std::string& text) const override {
    if (!call.list || call.list->size() > 1 || call.options.contains("width")) return {};
    return map_fault(text, 0, "one centre has no distance to the next, so the width is unknown", "pass width=NUMBER");
  }
  Result<std::shared_ptr<const Map>> make(const Call& call, const std::vector<double>& learned) const override {
    const std::string x = quoted_name(call.columns[0]);
    const std::vector<double>& centres = call.list ? *call.list : learned;
    const double spread = (centres.back() - centres.front()) / std::max(1.0, static_cast<double>(centres.size() - 1));
    const double width = call.number_option("width", spread);
    std::vector<std::string> texts;
    for (const double centre : centres)
      texts.push_back(fmt::format("exp(-(({} - {})/{})^2/2)", x,
                                  centre < 0 ? "(" + number_text(centre) + ")" : number_text(centre),
                                  number_text(width)));
    return expressions_of(texts, call.columns, call.text());
  }
};

} // namespace

std::unique_ptr<const Leaf> make_leaf() {
  return std::make_unique<RadialLeaf>();
}

} // namespace recta::feature::radial
