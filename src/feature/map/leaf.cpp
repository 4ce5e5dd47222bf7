#include "feature/map/leaf.hpp"

#include "feature/all_maps.hpp"

namespace recta::feature {

Result<void> Leaf::check(const Call&, const std::string&) const {
  return {};
}
Result<void> Leaf::check_user(const std::string&) const {
  return {};
}
Index Leaf::spaced(const Call&) const {
  return 0;
}
Index Leaf::given(const Call&) const {
  return 0;
}
Result<void> Leaf::learn(FeatureMap&, Call, const LearningRows&) const {
  return {};
}
std::string Leaf::note(const Call&, const std::vector<double>&) const {
  return {};
}

const Leaf* find_leaf(std::string_view word) {
  static const std::vector<std::unique_ptr<const Leaf>> all = [] {
    std::vector<std::unique_ptr<const Leaf>> list;
    for (const auto make : kAllMaps) list.push_back(make());
    return list;
  }();
  for (const auto& leaf : all)
    if (leaf->rule().word == word) return leaf.get();
  return nullptr;
}

} // namespace recta::feature
