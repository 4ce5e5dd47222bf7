#include "certificate/kernel/stated_kernel.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {

void compare_kernels(const kernel::Settings& stated, const kernel::Settings& by_parameters, Differences& differences) {
  const auto close = [&](const char* what, double one, double other) {
    differences.compare(what, one, other, kStatedSums * std::abs(other));
  };
  if (stated.word != by_parameters.word)
    differences.add(fmt::format("the kernel {} in the file, {} by the parameters", stated.word, by_parameters.word));
  close("gamma", stated.gamma, by_parameters.gamma);
  close("the kernel's constant", stated.coef, by_parameters.coef);
  close("the kernel's degree", static_cast<double>(stated.degree), static_cast<double>(by_parameters.degree));
  close("the kernel's decay", stated.decay, by_parameters.decay);
  close("the kernel's beta", stated.beta, by_parameters.beta);
  if (stated.network != by_parameters.network)
    differences.add("the kernel's graph in the file is not that of the parameters");
  if (stated.length != by_parameters.length || stated.mismatches != by_parameters.mismatches ||
      stated.alphabet != by_parameters.alphabet || stated.rounds != by_parameters.rounds ||
      stated.normalise != by_parameters.normalise)
    differences.add("the kernel's whole numbers in the file are not those of the parameters");
}

} // namespace recta
