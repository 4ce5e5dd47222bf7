// The list of all kernels, from the folders the build found.
#include "base/simd/kernels.hpp"
#include "kernel/all_kernels.hpp"
#include "kernel/combined.hpp"
#include "kernel/texts.hpp"

#include <algorithm>

namespace recta::kernel {
namespace {

template <class L>
constexpr bool takes_from_zero_up() {
  if constexpr (requires { L::kFromZeroUp; }) return L::kFromZeroUp;
  return false;
}

template <class L>
constexpr bool kReadsTexts = requires { L::kTexts; };

template <class L>
constexpr bool kIsLinear = requires { L::kLinear; };

// A kernel of texts has nothing that numbers ask for.
template <class L>
class TextKernel final : public Kernel {
public:
  explicit TextKernel(const Settings& settings) : leaf_(settings), normalise_(settings.normalise) {}
  bool definite() const override { return L::kDefinite; }
  bool centred() const override { return false; }
  bool from_zero_up() const override { return false; }
  bool by_terms() const override { return false; }
  bool by_place() const override { return false; }
  void panel_sums(simd::DoubleRows, const double*, simd::DoubleOutRows) const override {}
  double term(double, double) const override { return 0; }
  void values(const Pairs&) const override {}
  double error(const Lengths&) const override { return 0; }
  std::string text() const override { return leaf_.text() + (normalise_ ? " / sqrt(k(x, x) k(z, z))" : ""); }
  bool reads_texts() const override { return true; }
  std::unique_ptr<TextSet> texts() const override {
    if constexpr (requires { typename L::Read; })
      return std::make_unique<PairTexts<L>>(leaf_, normalise_);
    else
      return std::make_unique<FeatureTexts<L>>(leaf_, normalise_);
  }
  std::string fault(std::u32string_view text) const override {
    if constexpr (requires { leaf_.fault(text); }) return leaf_.fault(text);
    return "";
  }

private:
  L leaf_;
  bool normalise_;
};

template <class L>
class LeafKernel final : public Kernel {
public:
  explicit LeafKernel(const Settings& settings) : leaf_(settings) {}
  bool definite() const override { return L::kDefinite; }
  bool centred() const override { return L::kCentred; }
  bool from_zero_up() const override { return takes_from_zero_up<L>(); }
  bool by_terms() const override { return kByTerms; }
  bool by_place() const override {
    return requires { L::kByPlace; };
  }
  void panel_sums(simd::DoubleRows x, const double* panel, simd::DoubleOutRows out) const override {
    for (Index r = 0; r < x.rows; ++r) {
      double sums[simd::kLanes] = {};
      for (Index j = 0; j < x.cols; ++j)
        for (Index l = 0; l < simd::kLanes; ++l)
          sums[l] += term(x.first[r * x.stride + j], panel[j * simd::kLanes + l]);
      std::copy_n(sums, simd::kLanes, out.first + r * out.stride);
    }
  }
  double term(double x, double z) const override {
    if constexpr (kByTerms) return L::term(x, z);
    return x * z;
  }
  void values(const Pairs& pairs) const override { leaf_.values(pairs); }
  void float_values(const FloatPairs& pairs) const override {
    if constexpr (requires { leaf_.float_values(pairs); })
      leaf_.float_values(pairs);
    else
      Kernel::float_values(pairs);
  }
  double error(const Lengths& lengths) const override { return leaf_.error(lengths); }
  double relative_error(const Lengths& lengths) const override {
    if constexpr (requires { leaf_.relative_error(lengths); }) return leaf_.relative_error(lengths);
    return Kernel::relative_error(lengths);
  }
  std::string text() const override { return leaf_.text(); }
  bool reads_texts() const override { return false; }
  std::unique_ptr<TextSet> texts() const override { return nullptr; }
  std::string fault(std::u32string_view) const override { return ""; }

private:
  static constexpr bool kByTerms = requires { L::term(0.0, 0.0); };
  L leaf_;
};

template <class L>
KernelInfo info_of() {
  return {.word = std::string(L::kWord),
          .summary = std::string(L::kSummary),
          .formula = std::string(L::kFormula),
          .takes = std::vector<std::string>(L::kTakes.begin(), L::kTakes.end()),
          .least_coef = L::kLeastCoef,
          .from_zero_up = takes_from_zero_up<L>(),
          .texts = kReadsTexts<L>,
          .linear = kIsLinear<L>};
}

template <class... Ls>
std::vector<KernelInfo> listed(List<Ls...>) {
  return {info_of<Ls>()...};
}

template <class L>
std::unique_ptr<const Kernel> made_of(const Settings& settings) {
  if constexpr (kReadsTexts<L>)
    return std::make_unique<TextKernel<L>>(settings);
  else
    return std::make_unique<LeafKernel<L>>(settings);
}

template <class... Ls>
std::unique_ptr<const Kernel> make_listed(List<Ls...>, const Settings& settings) {
  std::unique_ptr<const Kernel> out;
  ((Ls::kWord == settings.word ? (out = made_of<Ls>(settings), 0) : 0), ...);
  return out;
}

template <class L>
Fault fault_by_leaf(const Settings& settings) {
  if constexpr (requires { L::fault_of(settings); }) return L::fault_of(settings);
  return {};
}

template <class... Ls>
Fault leaf_fault(List<Ls...>, const Settings& settings) {
  Fault out;
  ((Ls::kWord == settings.word ? (out = fault_by_leaf<Ls>(settings), 0) : 0), ...);
  return out;
}

} // namespace

void Kernel::float_values(const FloatPairs& pairs) const {
  const std::vector<double> squares(pairs.squares, pairs.squares + pairs.count);
  std::vector<double> wide(pairs.values, pairs.values + pairs.count);
  values({static_cast<double>(pairs.square), squares.data(), pairs.count, wide.data()});
  std::ranges::transform(wide, pairs.values, [](double value) { return static_cast<float>(value); });
}

const std::vector<KernelInfo>& kernels() {
  static const std::vector<KernelInfo> all = listed(AllKernels{});
  return all;
}

bool Settings::linear() const {
  const auto info = std::ranges::find(kernels(), word, &KernelInfo::word);
  return info != kernels().end() && info->linear;
}

Fault fault_of(const Settings& settings) {
  constexpr Index kLongest = 1000;
  const auto info = std::ranges::find(kernels(), settings.word, &KernelInfo::word);
  if (settings.length < 1 || settings.length > kLongest) return {"the length is a whole number from 1 to 1000"};
  if (!(settings.decay > 0 && settings.decay <= 1)) return {"the decay is above 0 and at most 1"};
  if (settings.rounds < 0 || settings.rounds > 100) return {"there are 0 to 100 rounds"};
  if (Fault fault = leaf_fault(AllKernels{}, settings); !fault.empty()) return fault;
  if (info == kernels().end() || !info->has("mismatches")) return {};
  if (settings.mismatches < 0 || settings.mismatches >= settings.length)
    return {"there are fewer mismatches than characters in a run"};
  if (settings.alphabet < 2 || settings.alphabet > 0x110000) return {"an alphabet has 2 to 1114112 letters"};
  double open = 1; // choices of open places of a run
  for (Index k = 0; k < std::min(settings.length, 2 * settings.mismatches); ++k)
    open = open * static_cast<double>(settings.length - k) / static_cast<double>(k + 1);
  if (open > 1e5)
    return {"a run has more than 100000 choices of places that differ", "take a shorter length or fewer mismatches"};
  return {};
}

std::unique_ptr<const Kernel> make_kernel(const Settings& settings) {
  auto out = make_listed(AllKernels{}, settings);
  return out ? std::move(out) : make_combined(settings);
}

} // namespace recta::kernel
