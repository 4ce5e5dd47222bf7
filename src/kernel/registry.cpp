// The list of all kernels, from the folders the build found.
#include "base/simd/kernels.hpp"
#include "kernel/all_kernels.hpp"
#include "kernel/combined.hpp"

#include <algorithm>

namespace recta::kernel {
namespace {

template <class L>
constexpr bool takes_from_zero_up() {
  if constexpr (requires { L::kFromZeroUp; }) return L::kFromZeroUp;
  return false;
}

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
  void panel_sums(Index rows, Index cols, const double* x, Index stride, const double* panel, double* out,
                  Index out_stride) const override {
    for (Index r = 0; r < rows; ++r) {
      double sums[simd::kLanes] = {};
      for (Index j = 0; j < cols; ++j)
        for (Index l = 0; l < simd::kLanes; ++l) sums[l] += term(x[r * stride + j], panel[j * simd::kLanes + l]);
      std::copy_n(sums, simd::kLanes, out + r * out_stride);
    }
  }
  double term(double x, double z) const override {
    if constexpr (kByTerms) return L::term(x, z);
    return x * z;
  }
  void values(const Pairs& pairs) const override { leaf_.values(pairs); }
  double error(const Lengths& lengths) const override { return leaf_.error(lengths); }
  std::string text() const override { return leaf_.text(); }

private:
  static constexpr bool kByTerms = requires { L::term(0.0, 0.0); };
  L leaf_;
};

template <class... Ls>
std::vector<KernelInfo> listed(List<Ls...>) {
  return {{std::string(Ls::kWord), std::string(Ls::kSummary), std::string(Ls::kFormula),
           std::vector<std::string>(Ls::kTakes.begin(), Ls::kTakes.end()), Ls::kLeastCoef,
           takes_from_zero_up<Ls>()}...};
}

template <class... Ls>
std::unique_ptr<const Kernel> made(List<Ls...>, const Settings& settings) {
  std::unique_ptr<const Kernel> out;
  ((Ls::kWord == settings.word ? (out = std::make_unique<LeafKernel<Ls>>(settings), 0) : 0), ...);
  return out;
}

} // namespace

const std::vector<KernelInfo>& kernels() {
  static const std::vector<KernelInfo> all = listed(AllKernels{});
  return all;
}

std::unique_ptr<const Kernel> make_kernel(const Settings& settings) {
  auto out = made(AllKernels{}, settings);
  return out ? std::move(out) : make_combined(settings);
}

} // namespace recta::kernel
