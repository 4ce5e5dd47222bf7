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
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const override {
    return fit_group_norm(request, std::move(schema), rows, clock);
  }
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, FirstPass pass,
                    const Clock& clock) const override {
    return fit_group_norm(request, std::move(schema), rows, std::move(pass), clock);
  }
  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const override {
    return verify_group_norm(model, rows, clock);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<GroupNorm>();
}

} // namespace recta::family::group_norm
