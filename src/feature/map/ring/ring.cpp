// ring(x, y): x^2, y^2 and sqrt(2) x y, in which circles about the origin are planes.
#include "feature/map/expression_map.hpp"
#include "feature/map/leaf.hpp"

#include <fmt/format.h>

namespace recta::feature::ring {
namespace {

class RingLeaf final : public Leaf {
public:
  RingLeaf() : Leaf({"ring", 2, 2, {}, 0, 0, {}, "ring(x1, x2)"}) {}

  Index count(const Call&) const override { return 3; }
  Result<std::shared_ptr<const Map>> make(const Call& call, const std::vector<double>&) const override {
    const std::string x = quoted_name(call.columns[0]), y = quoted_name(call.columns[1]);
    return expressions_of({x + "^2", y + "^2", fmt::format("sqrt(2)*{}*{}", x, y)}, call.columns);
  }
};

} // namespace

std::unique_ptr<const Leaf> make_leaf() {
  return std::make_unique<RingLeaf>();
}

} // namespace recta::feature::ring
