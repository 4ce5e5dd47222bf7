#include "family/family.hpp"

#include "family/penalised/penalised.hpp"

namespace recta::family::penalised {
namespace {

class Penalised final : public Family {
public:
  std::vector<ModelInfo> words() const override { return recta::penalised::words(); }
  int place() const override { return 5; }
  bool one_target() const override { return true; }
  bool penalised(const Request&) const override { return true; }
  bool gathers_products() const override { return false; }
  Result<void> check(const Request& request) const override { return recta::penalised::check(request); }
  const Procedure& procedure() const override { return recta::penalised::procedure(); }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<Penalised>();
}

} // namespace recta::family::penalised
