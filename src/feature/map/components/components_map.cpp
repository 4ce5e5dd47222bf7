#include "feature/map/components/components.hpp"
#include "feature/map/leaf.hpp"

#include <fmt/format.h>

namespace recta::feature::components {
namespace {

class ComponentsLeaf final : public Leaf {
public:
  ComponentsLeaf()
      : Leaf({"components",
              1,
              kAnyColumns,
              {{"the number of components", 1, 10000, true}},
              1,
              0,
              {},
              "components(x, y, 1)"}) {}

  Index count(const Call& call) const override { return static_cast<Index>(call.numbers.at(0)); }
  Index given(const Call& call) const override { return Components::numbers(std::ssize(call.columns), count(call)); }
  Result<void> check_user(const std::string& text) const override {
    return fail(ErrorCode::usage, fmt::format("feature \"{}\"", text), "components are made of all columns of numbers",
                "pass --components NUMBER in its place");
  }
  Result<std::shared_ptr<const Map>> make(const Call& call, const std::vector<double>& learned) const override {
    return std::make_shared<Components>(call.columns.size(), learned);
  }
};

} // namespace

std::unique_ptr<const Leaf> make_leaf() {
  return std::make_unique<ComponentsLeaf>();
}

} // namespace recta::feature::components
