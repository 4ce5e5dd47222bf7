#include "feature/map/leaf.hpp"

#include "feature/all_maps.hpp"

#include <cmath>
#include <fmt/format.h>

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
Result<std::vector<std::string>> Leaf::differences(const FeatureMap& stated, const Call& call,
                                                   const LearningRows& rows) const {
  constexpr double kSame = 1e-9; // sums over the same rows by another build
  FeatureMap again = stated;
  if (auto done = learn(again, call, rows); !done) return std::unexpected(done.error());
  for (std::size_t k = 0; k < stated.learned.size(); ++k)
    if (const double a = stated.learned[k], b = again.learned.at(k); !(std::abs(a - b) <= kSame * std::abs(b)))
      return std::vector{
          fmt::format("number {} of what {} learned is {} in the file, {} by the rows", k + 1, stated.text, a, b)};
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
