#include "solver/gradient_descent/descent_loss.hpp"

#include "loss/all_losses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace recta {
namespace {

template <class L>
void look(const std::string& word, std::optional<DescentLoss>& found, std::vector<std::string>& smooth) {
  if constexpr (loss::SmoothLoss<L>) {
    smooth.emplace_back(L::kWord);
    if (word == L::kWord) found = descent_loss(L{}, L::kCurvature);
  }
}

template <class... Ls>
Result<DescentLoss> look_up(const std::string& word, loss::List<Ls...>) {
  std::optional<DescentLoss> found;
  std::vector<std::string> smooth;
  (look<Ls>(word, found, smooth), ...);
  if (found) return *std::move(found);
  return fail(ErrorCode::usage, "loss", fmt::format("there is no smooth loss \"{}\" to descend on", word),
              fmt::format("choose among {}", fmt::join(smooth, ", ")));
}

} // namespace

Result<DescentLoss> descent_loss(const std::string& word) {
  return look_up(word, loss::AllLosses{});
}

} // namespace recta
