#include "family/family.hpp"

#include "family/svm/ascent.hpp"
#include "family/svm/body.hpp"
#include "family/svm/fit.hpp"
#include "family/svm/pictures.hpp"
#include "family/svm/request.hpp"
#include "model_file/rules.hpp"

namespace recta::family::svm {
namespace {

class Machines final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return recta::svm::machine_words(); }
  int place() const override { return 6; }
  bool one_target() const override { return true; }
  bool penalised(const Request&) const override { return true; }
  bool gathers_products() const override { return false; }
  Result<void> check(const Request& request) const override { return recta::svm::check_machine(request); }
  const Procedure& procedure() const override { return recta::svm::procedure(); }
  const Procedure& procedure_for(const Request& request, const Rows& rows) const override {
    return recta::svm::procedure_for(request, rows);
  }
  const Procedure& procedure_of(const Model& model) const override { return recta::svm::procedure_of(model); }
  Result<Trace> trace(const Request& request, const Schema& schema, const Rows& rows, Index every,
                      const Clock& clock) const override {
    if (!request.info->classes) return Family::trace(request, schema, rows, every, clock);
    return recta::svm::trace_ascent(request, schema, rows, every, clock);
  }
  std::vector<plot::PictureInfo> pictures() const override { return recta::svm::pictures(); }
  Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) const override {
    return recta::svm::picture(kind, model, data);
  }
  std::vector<FieldRule> rules() const override {
    std::vector<FieldRule> out = kernel_rules("svm");
    out.insert(out.end(),
               {
                   {"params.against", Rule::choice, "two classes are against one another either way"},
                   {"svm.shape[4]", Rule::note, "whether rows were sparse, of which a linear machine keeps none"},
                   {"svm.beta", Rule::claimed},
                   {"svm.support", Rule::claimed},
                   {"svm.weights", Rule::claimed},
                   {"svm.part_numbers", Rule::claimed},
                   {"svm.rule", Rule::claimed},
                   {"svm.nu_counts", Rule::claimed},
                   {"svm.nu_rows", Rule::claimed},
                   {"svm.nu_beta", Rule::claimed},
                   {"svm.nu_intercepts", Rule::claimed},
                   {"svm.epsilon", Rule::claimed},
                   {"svm.part_counts", Rule::recomputed},
                   {"params.cache", Rule::choice, "how the search goes"},
                   {"params.rate", Rule::choice, "how the search goes"},
                   {"params.steps", Rule::choice, "how the search goes"},
               });
    return out;
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
