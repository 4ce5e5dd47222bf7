#include "family/family.hpp"

#include "family/group_norm/group_norm.hpp"
#include "family/group_norm/request.hpp"

namespace recta::family::group_norm {
namespace {

class GroupNorm final : public Family {
public:
  std::vector<ModelInfo> words() const override { return group_norm_words(); }
  int place() const override { return 2; }
  bool penalised(const Request&) const override { return true; }
  const Procedure& procedure() const override { return group_norm_procedure(); }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<GroupNorm>();
}

} // namespace recta::family::group_norm
