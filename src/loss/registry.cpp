// The list of all losses, from the folders the build found.
#include "loss/all_losses.hpp"

namespace recta {
namespace {

template <class... Ls>
std::vector<LossInfo> listed(loss::List<Ls...>) {
  return {loss::info<Ls>()...};
}

template <class... Ls>
bool any_on_labels(loss::List<Ls...>, std::string_view word) {
  return ((Ls::kWord == word && loss::on_labels<Ls>()) || ...);
}

template <class... Ls>
bool any_takes(loss::List<Ls...>, std::string_view word, double y) {
  return ((Ls::kWord == word && loss::takes<Ls>(y)) || ...);
}

} // namespace

bool loss::takes(std::string_view word, double y) {
  return any_takes(AllLosses{}, word, y);
}

bool loss::on_labels(std::string_view word) {
  return any_on_labels(AllLosses{}, word);
}

const std::vector<LossInfo>& losses() {
  static const std::vector<LossInfo> all = listed(loss::AllLosses{});
  return all;
}

} // namespace recta
