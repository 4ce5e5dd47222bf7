#include "foreign/liblinear_file.hpp"

#include "base/numbers.hpp"
#include "data/number.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace recta::foreign {
namespace {

constexpr Index kMostClasses = 100'000;
constexpr std::array<std::string_view, 12> kSolverTypes{"L2R_LR",
                                                        "L2R_L2LOSS_SVC_DUAL",
                                                        "L2R_L2LOSS_SVC",
                                                        "L2R_L1LOSS_SVC_DUAL",
                                                        "MCSVM_CS",
                                                        "L1R_L2LOSS_SVC",
                                                        "L1R_LR",
                                                        "L2R_LR_DUAL",
                                                        "L2R_L2LOSS_SVR",
                                                        "L2R_L2LOSS_SVR_DUAL",
                                                        "L2R_L1LOSS_SVR_DUAL",
                                                        "ONECLASS_SVM"};

bool is_classifier(const std::string& type) {
  return !type.contains("SVR") && type != "ONECLASS_SVM";
}

class LiblinearReader {
public:
  explicit LiblinearReader(Lines& lines) : lines_(lines) {}

  Result<ForeignModel> read() {
    model_.program = "liblinear";
    auto good = lines_.head("w", "weights", [this](const std::string& word) { return field(word); });
    if (good) good = check_head();
    if (good) good = weights();
    if (!good) return std::unexpected(good.error());
    return std::move(model_);
  }

private:
  Result<void> field(const std::string& word) {
    if (word == "solver_type") {
      model_.type = lines_.word();
      if (std::ranges::find(kSolverTypes, model_.type) == kSolverTypes.end())
        return lines_.error("solver_type is not one of liblinear's");
      return {};
    }
    if (word == "nr_class" || word == "nr_feature") {
      const bool classes = word == "nr_class";
      const auto count = lines_.whole(lines_.word(), word, classes ? 2 : 0, classes ? kMostClasses : kMostFeatures);
      if (!count) return std::unexpected(count.error());
      (classes ? model_.classes : model_.features) = *count;
      return {};
    }
    if (word == "bias") {
      const auto bias = lines_.real(lines_.word(), word);
      if (!bias) return std::unexpected(bias.error());
      model_.bias = *bias;
      return {};
    }
    if (word != "label" && word != "rho") return lines_.error("it begins with no word of liblinear's model files");
    if (!lines_.has("nr_class")) return lines_.error(fmt::format("\"{}\" stands before \"nr_class\"", word));
    auto numbers = lines_.reals(word == "rho" ? 1 : model_.classes, word);
    if (!numbers) return std::unexpected(numbers.error());
    (word == "rho" ? model_.rho : model_.labels) = *std::move(numbers);
    return {};
  }

  Result<void> check_head() {
    if (auto good = lines_.want({"solver_type", "nr_class", "nr_feature", "bias"}); !good) return good;
    if (is_classifier(model_.type) == model_.labels.empty())
      return lines_.error("it has labels and is not a classifier, or is one and has none");
    if ((model_.type == "ONECLASS_SVM") == model_.rho.empty())
      return lines_.error("\"rho\" belongs to the solver ONECLASS_SVM, and to no other");
    if (!is_classifier(model_.type) && model_.classes != 2) return lines_.error("a model of numbers has classes");
    return lines_.check_labels(model_.labels);
  }

  Result<void> weights() {
    const Index rows = model_.features + (model_.bias >= 0 ? 1 : 0);
    for (Index j = 0; j < rows; ++j) {
      if (!lines_.next()) return lines_.error(fmt::format("the file ends after {} of {} lines of weights", j, rows));
      const auto line = lines_.reals(model_.scores(), "the weights");
      if (!line) return std::unexpected(line.error());
      model_.weights.insert(model_.weights.end(), line->begin(), line->end());
      if (lines_.cut()) return lines_.error("the line has no end: the file was cut short");
    }
    while (lines_.next())
      if (!lines_.at_end()) return lines_.error(fmt::format("there are more than {} lines of weights", rows));
    return {};
  }

  Lines& lines_;
  ForeignModel model_;
};

} // namespace

Result<ForeignModel> parse_liblinear(Lines& lines) {
  return LiblinearReader(lines).read();
}

std::string liblinear_text(const ForeignModel& model) {
  std::string out = fmt::format("solver_type {}\nnr_class {}\n", model.type, model.classes);
  if (!model.labels.empty()) {
    out += "label";
    for (const double label : model.labels) out += " " + number_text(label);
    out += "\n";
  }
  out += fmt::format("nr_feature {}\nbias {}\n", model.features, number_text(model.bias));
  if (!model.rho.empty()) out += fmt::format("rho {}\n", number_text(model.rho[0]));
  out += "w\n";
  const Index scores = model.scores();
  for (std::size_t s = 0; s < model.weights.size(); ++s)
    out += number_text(model.weights[s]) + (static_cast<Index>(s) % scores == scores - 1 ? " \n" : " ");
  return out;
}

} // namespace recta::foreign
