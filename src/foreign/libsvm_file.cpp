#include "foreign/libsvm_file.hpp"

#include "base/numbers.hpp"
#include "data/number.hpp"
#include "kernel/combined.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::foreign {
namespace {

constexpr Index kMostPairedClasses = 1000;
constexpr std::array<std::string_view, 5> kMachineTypes{"c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr"};
class LibsvmReader {
public:
  explicit LibsvmReader(Lines& lines) : lines_(lines) {}

  Result<ForeignModel> read() {
    model_.program = "libsvm";
    auto good = lines_.head("SV", "support vectors", [this](const std::string& word) { return field(word); });
    if (good) good = check_head();
    if (good) good = vectors();
    if (!good) return std::unexpected(good.error());
    return std::move(model_);
  }

private:
  bool classifies() const { return model_.type == "c_svc" || model_.type == "nu_svc"; }
  Index pairs() const { return model_.classes * (model_.classes - 1) / 2; }

  template <class T>
  Result<void> take(Result<T> read, T& to) {
    if (!read) return std::unexpected(read.error());
    to = *std::move(read);
    return {};
  }

  Result<void> kernel(std::string_view word) {
    if (std::ranges::find(kLibsvmKernels, word) == kLibsvmKernels.end())
      return lines_.error(fmt::format("the kernel is not one of {}", fmt::join(kLibsvmKernels, ", ")));
    model_.kernel = word;
    return {};
  }

  Result<void> numbers_of(const std::string& word) {
    if (word == "nr_class") return take(lines_.whole(lines_.word(), word, 2, kMostPairedClasses), model_.classes);
    if (word == "total_sv")
      return take(lines_.whole(lines_.word(), word, 0, static_cast<Index>(lines_.bytes_left())), total_);
    if (!lines_.has("nr_class")) return lines_.error(fmt::format("\"{}\" stands before \"nr_class\"", word));
    if (word == "rho") return take(lines_.reals(pairs(), word), model_.rho);
    if (word == "label") return take(lines_.reals(model_.classes, word), model_.labels);
    if (word == "probA" || word == "probB") {
      model_.notes.emplace_back("its probabilities (probA, probB) are left out");
      std::vector<double> none;
      return take(lines_.reals(pairs(), word), none);
    }
    if (word == "nr_sv") {
      for (Index k = 0; k < model_.classes; ++k) {
        Index count = 0;
        if (auto good = take(lines_.whole(lines_.word(), word, 0, static_cast<Index>(lines_.bytes_left())), count);
            !good)
          return good;
        model_.vectors_of.push_back(count);
      }
      return {};
    }
    return lines_.error("it begins with no word of libsvm's model files");
  }

  Result<void> field(const std::string& word) {
    if (word == "svm_type") {
      model_.type = lines_.word();
      if (std::ranges::find(kMachineTypes, model_.type) == kMachineTypes.end())
        return lines_.error("svm_type is not one of c_svc, nu_svc, one_class, epsilon_svr and nu_svr");
      return {};
    }
    if (word == "kernel_type") return kernel(lines_.word());
    if (word == "degree") return take(lines_.whole(lines_.word(), word, 0, 1000), model_.degree);
    if (word == "gamma" || word == "coef0")
      return take(lines_.real(lines_.word(), word), word == "gamma" ? model_.gamma : model_.coef);
    if (word == "prob_density_marks") {
      model_.notes.emplace_back("its marks of a density (prob_density_marks) are left out");
      while (!lines_.at_end()) lines_.word();
      return {};
    }
    return numbers_of(word);
  }

  Result<void> check_head() {
    if (auto good = lines_.want({"svm_type", "kernel_type", "nr_class", "total_sv", "rho"}); !good) return good;
    if (classifies())
      if (auto good = lines_.want({"label", "nr_sv"}); !good) return good;
    if (!classifies() && (model_.classes != 2 || !model_.labels.empty()))
      return lines_.error("a model of numbers or of one class has labels");
    if (kernel_has(model_, "gamma") && !lines_.has("gamma"))
      return lines_.error("its kernel has a gamma, and there is none");
    if (kernel_has(model_, "degree") && !lines_.has("degree")) return lines_.error("there is no \"degree\"");
    Index all = 0;
    for (const Index count : model_.vectors_of) all += count;
    if (classifies() && all != total_)
      return lines_.error(fmt::format("nr_sv adds up to {}, and total_sv is {}", all, total_));
    if (!classifies()) model_.vectors_of = {total_};
    return lines_.check_labels(model_.labels);
  }

  Result<void> pair(std::string_view word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos)
      return lines_.error("a number of a support vector has no \"number:\" before it");
    const auto number = lines_.whole(word.substr(0, colon), "the number of a feature", 0, kMostFeatures);
    if (!number) return std::unexpected(number.error());
    const auto value = lines_.real(word.substr(colon + 1), "a number of a support vector");
    if (!value) return std::unexpected(value.error());
    if (std::ssize(model_.index) > model_.start.back() && model_.index.back() >= *number)
      return lines_.error("the numbers of the features do not ascend");
    model_.index.push_back(*number);
    model_.value.push_back(*value);
    return {};
  }

  Result<void> vector() {
    for (Index k = 0; k + 1 < model_.classes; ++k) {
      const auto coefficient = lines_.real(lines_.word(), "a coefficient");
      if (!coefficient) return std::unexpected(coefficient.error());
      model_.coefficients.push_back(*coefficient);
    }
    while (!lines_.at_end())
      if (auto good = pair(lines_.word()); !good) return good;
    const auto size = std::ssize(model_.index) - model_.start.back();
    if (model_.kernel == "precomputed" && (size != 1 || model_.index.back() != 0 || model_.value.back() < 1 ||
                                           model_.value.back() > static_cast<double>(kMostFeatures) ||
                                           model_.value.back() != std::floor(model_.value.back())))
      return lines_.error("a support vector of the kernel precomputed is \"0:N\", N the number of a row from 1");
    model_.start.push_back(std::ssize(model_.index));
    return {};
  }

  Result<void> vectors() {
    while (model_.vectors() < total_) {
      if (!lines_.next())
        return lines_.error(fmt::format("the file ends after {} of {} support vectors", model_.vectors(), total_));
      if (auto good = vector(); !good) return good;
      if (lines_.cut()) return lines_.error("the line has no end: the file was cut short");
    }
    while (lines_.next())
      if (!lines_.at_end()) return lines_.error(fmt::format("there are more than {} support vectors", total_));
    return {};
  }

  Lines& lines_;
  ForeignModel model_;
  Index total_ = 0;
};

void add_numbers(std::string& out, std::string_view word, const auto& numbers) {
  out += word;
  for (const auto number : numbers) out += " " + number_text(static_cast<double>(number));
  out += "\n";
}

} // namespace

bool kernel_has(const ForeignModel& model, std::string_view parameter) {
  const auto kernel = kernel::find_kernel(model.kernel);
  return kernel && kernel->has(parameter);
}

Result<ForeignModel> parse_libsvm(Lines& lines) {
  return LibsvmReader(lines).read();
}

std::string libsvm_text(const ForeignModel& model) {
  std::string out = fmt::format("svm_type {}\nkernel_type {}\n", model.type, model.kernel);
  if (kernel_has(model, "degree")) out += fmt::format("degree {}\n", model.degree);
  if (kernel_has(model, "gamma")) out += fmt::format("gamma {}\n", number_text(model.gamma));
  if (kernel_has(model, "coef")) out += fmt::format("coef0 {}\n", number_text(model.coef));
  out += fmt::format("nr_class {}\ntotal_sv {}\n", model.classes, model.vectors());
  add_numbers(out, "rho", model.rho);
  if (!model.labels.empty()) {
    add_numbers(out, "label", model.labels);
    add_numbers(out, "nr_sv", model.vectors_of);
  }
  out += "SV\n";
  const Index columns = model.classes - 1;
  for (Index k = 0; k < model.vectors(); ++k) {
    for (Index c = 0; c < columns; ++c) out += number_text(model.coefficients[at(k * columns + c)]) + " ";
    for (Index s = model.start[at(k)]; s < model.start[at(k) + 1]; ++s)
      out += fmt::format("{}:{} ", model.index[at(s)], number_text(model.value[at(s)]));
    out += "\n";
  }
  return out;
}

} // namespace recta::foreign
