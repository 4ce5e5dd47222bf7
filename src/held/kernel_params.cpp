#include "held/kernel_params.hpp"

#include "kernel/combined.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

std::vector<std::string> kernel_words() {
  std::vector<std::string> out;
  for (const kernel::KernelInfo& info : kernel::kernels()) out.push_back(info.word);
  return out;
}

std::unexpected<Error> no_kernel(const std::string& word, const std::string& where) {
  if (word.find_first_of("+*") != std::string::npos)
    return refuse(where, fmt::format("\"{}\" is not a sum or product of kernels of inner products", word),
                  fmt::format("give parts out of {}, such as rbf+linear or rbf*polynomial",
                              fmt::join(kernel::combinable_kernels(), ", ")));
  const std::string near = nearest(word, kernel_words());
  return refuse(where, fmt::format("\"{}\" is not known", word),
                near.empty() ? fmt::format("choose one of {}", fmt::join(kernel_words(), ", "))
                             : fmt::format("did you mean {}?", near));
}

} // namespace

std::vector<ParamInfo> kernel_params() {
  std::vector<ParamInfo> out = {
      {"kernel",
       std::string("linear"),
       fmt::format("what two rows have in common: {}; or a sum or product, rbf+linear, rbf*polynomial",
                   fmt::join(kernel_words(), ", ")),
       0,
       0,
       {}},
      {"gamma",
       kNotGiven,
       "for every kernel except linear; if omitted 1 / (p variance of all numbers)",
       1e-300,
       kHuge,
       {}},
      {"sigma", kNotGiven, "width of the kernel rbf, in place of gamma: gamma = 1 / (2 sigma^2)", 1e-150, 1e150, {}},
      {"degree", 3.0, "degree of the polynomial kernel", 1, 100, {}},
      {"coef", 0.0, "constant of the kernels polynomial (not negative) and sigmoid", -kHuge, kHuge, {}},
      {"length", 3.0, "characters of a run or subsequence that kernels of strings compare", 1, 1000, {}},
      {"decay",
       0.5,
       "for string:subsequence, the factor of every character that it spans; for graph:random-walk, of every step",
       1e-6,
       1,
       {}},
      {"mismatches", 1.0, "for string:mismatch, characters of a run that may differ", 0, 100, {}},
      {"alphabet", 26.0, "for string:mismatch, size of the alphabet: 4 for DNA, 20 for proteins", 2, 1114112, {}},
      {"rounds", 3.0, "for graph:wl, rounds of relabelling", 0, 100, {}},
      {"beta", 1.0, "for graph:diffusion, the time for which heat spreads", 1e-6, 1e6, {}},
      {"network",
       std::string(),
       "for graph:diffusion, the graph whose nodes the rows name, a-b;b-c; @FILE: a file of one edge per line",
       0,
       0,
       {}},
      {"unnormalised", false, "kernels of texts: do not divide by the root of k(x, x) k(z, z)", 0, 0, {}}};
  for (ParamInfo& param : out)
    for (const kernel::KernelInfo& info : kernel::kernels())
      if (info.has(param.name)) param.only_with.param = "kernel", param.only_with.values.push_back(info.word);
  return out;
}

Result<void> check_kernel(const Request& request) {
  if (request.options->standardise)
    return refuse(request.info->word, "it sees the columns as they are",
                  "leave out standardise, and scale the columns first");
  if (!request.options->offset.empty())
    return refuse(request.info->word, "its scores have no offset", "leave out the offset");
  const Params& given = request.options->params;
  const std::string word = recta::word(request.params, "kernel"), where = request.info->word + ", parameter ";
  const auto& all = kernel::kernels();
  const auto info = kernel::find_kernel(word);
  if (!info) return no_kernel(word, where + "kernel");
  const kernel::KernelInfo& chosen = *info;
  for (const ParamInfo& param : kernel_params()) {
    const std::string& name = param.name;
    if (name == "kernel" || chosen.has(name) || !given.contains(name)) continue;
    std::vector<std::string> others;
    for (const kernel::KernelInfo& one : all)
      if (one.has(name)) others.push_back(one.word);
    return refuse(where + name, fmt::format("the kernel {} has none", word),
                  fmt::format("leave it out, or ask for {}", fmt::join(others, " or ")));
  }
  if (given.contains("gamma") && given.contains("sigma"))
    return refuse(where + "sigma", "gamma is given as well", "give one of them: gamma = 1 / (2 sigma^2)");
  const double degree = number(request.params, "degree");
  if (degree != std::floor(degree))
    return refuse(where + "degree", fmt::format("{} is not a whole number", degree), "give 1, 2, 3, ...");
  if (given.contains("mismatches") && number(request.params, "mismatches") >= number(request.params, "length"))
    return refuse(where + "mismatches", "a run has no more characters than may differ", "give fewer than the length");
  for (const char* name : {"length", "mismatches", "alphabet", "rounds"})
    if (const double value = number(request.params, name); value != std::floor(value))
      return refuse(where + name, fmt::format("{} is not a whole number", value), "give a whole number");
  if (const auto fault = chosen.texts ? kernel::fault_of(kernel_settings(request.params)) : kernel::Fault{};
      !fault.empty())
    return refuse(request.info->word + ", kernel " + word, fault.what, fault.cure);
  if (chosen.texts && (request.options->text.size() != 1 || !request.options->text[0].is_sequence()))
    return refuse(where + "kernel", fmt::format("the kernel {} reads one column of texts", word),
                  "name it with --text COL (or --graph COL), whose unit is sequence or bytes");
  if (number(request.params, "coef") < chosen.least_coef)
    return refuse(where + "coef", "with so small a constant the kernel is not an inner product",
                  fmt::format("give {} or more", chosen.least_coef));
  return {};
}

namespace {

constexpr std::array kOfTexts{"length", "decay", "mismatches", "alphabet", "rounds", "beta", "network", "unnormalised"};

double number_or(const Params& params, const char* name, double otherwise) {
  const double value = number(params, name);
  return std::isnan(value) ? otherwise : value;
}

} // namespace

void keep_kernel_params(Params& params) {
  if (!params.contains("kernel")) return;
  const auto info = kernel::find_kernel(word(params, "kernel"));
  if (!info) return;
  for (const char* const name : kOfTexts)
    if (!info->has(name)) params.erase(name);
}

kernel::Settings kernel_settings(const Params& params) {
  const double sigma = number(params, "sigma");
  kernel::Settings out{word(params, "kernel"), std::isnan(sigma) ? number(params, "gamma") : 1 / (2 * sigma * sigma),
                       number(params, "coef"), static_cast<Index>(number(params, "degree"))};
  const auto whole = [&](const char* name, Index otherwise) {
    return static_cast<Index>(number_or(params, name, static_cast<double>(otherwise)));
  };
  out.length = whole("length", out.length);
  out.mismatches = std::min(whole("mismatches", out.mismatches), out.length - 1);
  out.alphabet = whole("alphabet", out.alphabet);
  out.rounds = whole("rounds", out.rounds);
  out.decay = number_or(params, "decay", out.decay);
  out.beta = number_or(params, "beta", out.beta);
  out.network = word(params, "network");
  out.normalise = !flag(params, "unnormalised");
  const auto& all = kernel::kernels();
  const auto info = std::ranges::find(all, out.word, &kernel::KernelInfo::word);
  if (info != all.end() && (info->linear || info->texts)) out.gamma = 1;
  return out;
}

std::string score_text(const kernel::Settings& kernel, bool intercept) {
  const char* const b = intercept ? " + b" : "";
  if (kernel.linear()) return fmt::format("<w, x>{}", b);
  return fmt::format("<w, phi(x)>{},  k(x, z) = {}", b, kernel::make_kernel(kernel)->text());
}

} // namespace recta
