#include "family/landmarks.hpp"

#include "family/params.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr std::array<std::string_view, 4> kKernels{"rbf", "laplacian", "polynomial", "chi2"}; // those of nystrom

} // namespace

Result<std::optional<FitOptions>> over_landmarks(const ModelInfo& info, const FitOptions& options) {
  const Params& given = options.params;
  if (!given.contains("approximate") ||
      std::ranges::find(info.params, "approximate", &ParamInfo::name) == info.params.end())
    return std::nullopt;
  const std::string where = info.word + ", parameter approximate";
  const double count = number(given, "approximate");
  if (!(count >= 1 && count <= 10000 && count == std::floor(count)))
    return refuse(where, fmt::format("{} is no whole number from 1 to 10000", count), "give a number of landmarks");
  const std::string kernel = word(given, "kernel");
  if (std::ranges::find(kKernels, kernel) == kKernels.end())
    return refuse(
        where, kernel.empty() ? "the linear kernel needs none" : fmt::format("it does not take the kernel {}", kernel),
        "name the kernel rbf, laplacian, polynomial or chi2");
  if (given.contains("gamma") && given.contains("sigma"))
    return refuse(info.word + ", parameter sigma", "gamma is given as well",
                  "give one of them: gamma = 1 / (2 sigma^2)");
  std::string map = fmt::format("nystrom({}, kernel={}", count, kernel);
  const double sigma = number(given, "sigma");
  if (!std::isnan(sigma) && !(kernel == "rbf" && sigma > 0))
    return refuse(info.word + ", parameter sigma", "it is the width of the kernel rbf", "give gamma");
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
