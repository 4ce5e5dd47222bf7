#include "family/family.hpp"

#include "family/svm/ascent.hpp"
#include "family/svm/body.hpp"
#include "family/svm/fit.hpp"
#include "family/svm/pictures.hpp"
#include "family/svm/request.hpp"

namespace recta::family::svm {
namespace {

class Machines final : public Family {
public:
  using Family::fit;
  std::vector<ModelInfo> words() const override { return recta::svm::machine_words(); }
  int place() const override { return 6; }
  bool one_target() const override { return true; }
  bool penalised(const Request&) const override { return true; }
  bool gathers_products() const override { return false; }
  Result<void> check(const Request& request) const override { return recta::svm::check_machine(request); }
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const override {
    return recta::svm::fit_machine(request, std::move(schema), rows, clock);
  }
  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const override {
    return recta::svm::verify_machine(model, rows, clock);
  }
  Result<Trace> trace(const Request& request, const Schema& schema, const Rows& rows, Index every,
                      const Clock& clock) const override {
    if (!request.info->classes) return Family::trace(request, schema, rows, every, clock);
    return recta::svm::trace_ascent(request, schema, rows, every, clock);
  }
  std::vector<plot::PictureInfo> pictures() const override { return recta::svm::pictures(); }
  Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) const override {
    return recta::svm::picture(kind, model, data);
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::svm::MachineBody::read(in, std::move(summary), schema);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<Machines>();
}

} // namespace recta::family::svm
