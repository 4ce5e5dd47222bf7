// The list of all kernels, from the folders the build found.
#include "kernel/all_kernels.hpp"

namespace recta::kernel {
namespace {

template <class L>
class LeafKernel final : public Kernel {
public:
  explicit LeafKernel(const Settings& settings) : leaf_(settings) {}
  bool definite() const override { return L::kDefinite; }
  bool centred() const override { return L::kCentred; }
  void values(const Pairs& pairs) const override { leaf_.values(pairs); }
  double error(const Lengths& lengths) const override { return leaf_.error(lengths); }
  std::string text() const override { return leaf_.text(); }

private:
  L leaf_;
};

template <class... Ls>
std::vector<KernelInfo> listed(List<Ls...>) {
  return {{std::string(Ls::kWord), std::string(Ls::kSummary), std::string(Ls::kFormula),
           std::vector<std::string>(Ls::kTakes.begin(), Ls::kTakes.end()), Ls::kLeastCoef}...};
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
  return made(AllKernels{}, settings);
}

} // namespace recta::kernel
