#include "family/landmarks.hpp"

#include "feature/map/leaf.hpp"
#include "kernel/combined.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

// The kernels of the feature map nystrom. The linear one needs no landmarks.
std::vector<std::string> landmark_kernels() {
  const auto& options = feature::find_leaf("nystrom")->rule().options;
  std::vector<std::string> words = std::ranges::find(options, "kernel", &feature::OptionRule::name)->words;
  std::erase_if(words, [](const std::string& word) { return kernel::Settings{word}.linear(); });
  return words;
}

} // namespace

Result<std::optional<FitOptions>> over_landmarks(const ModelInfo& info, const FitOptions& options) {
  const Params& given = options.params;
  if (!given.contains("approximate") ||
      std::ranges::find(info.params, "approximate", &ParamInfo::name) == info.params.end())
    return std::nullopt;
  const std::string where = info.word + ", parameter approximate";
  const double count = number(given, "approximate");
  if (!(count >= 1 && count <= 10000 && count == std::floor(count)))
    return refuse(where, fmt::format("{} is not a whole number from 1 to 10000", count), "give a number of landmarks");
  const std::string kernel = word(given, "kernel");
  const std::vector<std::string> kernels = landmark_kernels();
  if (std::ranges::find(kernels, kernel) == kernels.end())
    return refuse(
        where, kernel.empty() ? "the linear kernel needs none" : fmt::format("it does not take the kernel {}", kernel),
        fmt::format("name one of the kernels {}", fmt::join(kernels, ", ")));
  if (given.contains("gamma") && given.contains("sigma"))
    return refuse(info.word + ", parameter sigma", "gamma is given as well",
                  "give one of them: gamma = 1 / (2 sigma^2)");
  std::string map = fmt::format("nystrom({}, kernel={}", count, kernel);
  const double sigma = number(given, "sigma");
  if (!std::isnan(sigma) && !kernel::find_kernel(kernel)->has("sigma"))
    return refuse(info.word + ", parameter sigma", fmt::format("the kernel {} has none", kernel), "give gamma");
  if (!std::isnan(sigma) && !(sigma > 0))
    return refuse(info.word + ", parameter sigma", fmt::format("{} is not a width", sigma), "give a number above zero");
  if (!std::isnan(sigma)) map += fmt::format(", gamma={:.17g}", 1 / (2 * sigma * sigma));
  FitOptions out = options;
  for (const char* name : {"gamma", "degree", "coef"})
    if (given.contains(name)) map += fmt::format(", {}={:.17g}", name, number(given, name));
  for (const char* name : {"approximate", "kernel", "gamma", "sigma", "degree", "coef"}) out.params.erase(name);
  if (options.seed != 0) map += fmt::format(", seed={}", options.seed);
  out.basis.push_back(map + ")");
  return out;
}

} // namespace recta
