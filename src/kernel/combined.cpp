#include "kernel/combined.hpp"

#include "base/numbers.hpp"
#include "kernel/texts.hpp"

#include <algorithm>

namespace recta::kernel {
namespace {

constexpr std::size_t kMostParts = 16;

using Factors = std::vector<std::unique_ptr<const Kernel>>;

class CombinedKernel final : public Kernel {
public:
  explicit CombinedKernel(std::vector<Factors> sum) : sum_(std::move(sum)) {}

  bool definite() const override { return all(&Kernel::definite); }
  bool centred() const override { return all(&Kernel::centred); }
  bool from_zero_up() const override { return false; }
  bool by_terms() const override { return false; }
  bool by_place() const override { return false; }
  void panel_sums(simd::DoubleRows, const double*, simd::DoubleOutRows) const override {} // not by terms
  double term(double x, double z) const override { return x * z; }

  void values(const Pairs& pairs) const override {
    const std::size_t count = at(pairs.count);
    const std::vector<double> products(pairs.values, pairs.values + count);
    std::vector<double> total(count), product(count), factor_values(count);
    for (const Factors& factors : sum_) {
      std::ranges::fill(product, 1.0);
      for (const auto& kernel : factors) {
        factor_values = products;
        kernel->values({pairs.square, pairs.squares, pairs.count, factor_values.data()});
        for (std::size_t k = 0; k < count; ++k) product[k] *= factor_values[k];
      }
      for (std::size_t k = 0; k < count; ++k) total[k] += product[k];
    }
    std::ranges::copy(total, pairs.values);
  }

  // A product of values no larger than m_l, each off by e_l, is off by prod (m_l + e_l) - prod m_l, and one rounding
  // more per factor and term.
  double error(const Lengths& lengths) const override {
    double out = 0, size = 0;
    std::size_t roundings = sum_.size();
    for (const Factors& factors : sum_) {
      double with = 1, without = 1;
      for (const auto& kernel : factors) {
        const double most = largest(*kernel, lengths);
        with *= most + kernel->error(lengths), without *= most;
      }
      out += with - without + 0x1p-51 * with;
      size += with;
      roundings += factors.size();
    }
    return out + static_cast<double>(roundings) * 0x1p-53 * size;
  }

  std::unique_ptr<TextSet> texts() const override { return nullptr; }
  bool reads_texts() const override { return false; }
  std::string fault(std::u32string_view) const override { return "it is a kernel of numbers"; }
  std::string text() const override {
    std::string out;
    for (const Factors& factors : sum_) {
      if (!out.empty()) out += " + ";
      for (const auto& kernel : factors) out += factors.size() > 1 ? "(" + kernel->text() + ")" : kernel->text();
    }
    return out;
  }

private:
  bool all(bool (Kernel::*what)() const) const {
    return std::ranges::all_of(sum_, [&](const Factors& factors) {
      return std::ranges::all_of(factors, [&](const auto& kernel) { return (*kernel.*what)(); });
    });
  }

  // |k(x, z)| over rows of these lengths: for an inner product by Cauchy and Schwarz, and no more than 1 for the
  // sigmoid.
  static double largest(const Kernel& kernel, const Lengths& lengths) {
    if (!kernel.definite()) return 1;
    double out = 0;
    for (const double length : {lengths.length, lengths.other}) {
      const double square = length * length;
      double value = square;
      kernel.values({square, &square, 1, &value});
      out = std::max(out, std::abs(value));
    }
    return out * (1 + 0x1p-40);
  }

  std::vector<Factors> sum_;
};

std::vector<std::string> split(const std::string& text, char at_sign) {
  std::vector<std::string> out(1);
  for (const char c : text)
    if (c == at_sign)
      out.emplace_back();
    else if (c != ' ')
      out.back() += c;
  return out;
}

} // namespace

const std::vector<std::string>& combinable_kernels() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> out;
    for (const KernelInfo& info : kernels())
      if (const auto kernel = make_kernel({.word = info.word});
          !kernel->by_terms() && !kernel->by_place() && !kernel->reads_texts())
        out.push_back(info.word);
    return out;
  }();
  return words;
}

std::optional<std::vector<std::vector<std::string>>> parts_of(const std::string& text) {
  std::vector<std::vector<std::string>> out;
  std::size_t count = 0;
  for (const std::string& term : split(text, '+')) {
    out.push_back(split(term, '*'));
    count += out.back().size();
    for (const std::string& word : out.back())
      if (std::ranges::find(combinable_kernels(), word) == combinable_kernels().end()) return {};
  }
  if (count < 2 || count > kMostParts) return {};
  return out;
}

std::unique_ptr<const Kernel> make_combined(const Settings& settings) {
  const auto parts = parts_of(settings.word);
  if (!parts) return nullptr;
  std::vector<Factors> sum;
  for (const auto& words : *parts) {
    Factors& factors = sum.emplace_back();
    for (const std::string& word : words) {
      Settings part_settings = settings;
      part_settings.word = word;
      factors.push_back(make_kernel(part_settings));
    }
  }
  return std::make_unique<CombinedKernel>(std::move(sum));
}

std::optional<KernelInfo> find_kernel(const std::string& word) {
  const auto& all = kernels();
  if (const auto info = std::ranges::find(all, word, &KernelInfo::word); info != all.end()) return *info;
  const auto parts = parts_of(word);
  if (!parts) return {};
  KernelInfo out{
      .word = word, .summary = "a sum or product of kernels", .formula = word, .takes = {}, .least_coef = -kInfinity};
  for (const auto& words : *parts)
    for (const std::string& part : words) {
      const KernelInfo& info = *std::ranges::find(all, part, &KernelInfo::word);
      for (const std::string& name : info.takes)
        if (std::ranges::find(out.takes, name) == out.takes.end()) out.takes.push_back(name);
      out.least_coef = std::max(out.least_coef, info.least_coef);
    }
  return out;
}

} // namespace recta::kernel
