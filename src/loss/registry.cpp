// The list of all losses, from the folders the build found.
#include "loss/all_losses.hpp"

namespace recta {
namespace {

template <class... Ls>
std::vector<LossInfo> listed(loss::List<Ls...>) {
  return {loss::info<Ls>()...};
}

} // namespace

const std::vector<LossInfo>& losses() {
  static const std::vector<LossInfo> all = listed(loss::AllLosses{});
  return all;
}

} // namespace recta
