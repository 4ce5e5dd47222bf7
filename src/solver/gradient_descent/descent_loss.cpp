#include "solver/gradient_descent/descent_loss.hpp"

#include "loss/all_losses.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>

namespace recta {
namespace {

// Losses of labels -1 and 1 with a corner, whose steps follow a subgradient: at the corner it is that of the wrong
// side.
struct Hinge {
  static double value(double y, double z) { return std::max(0.0, 1 - y * z); }
  static double derivative(double y, double z) { return y * z <= 1 ? -y : 0; }
};
struct Perceptron {
  static double value(double y, double z) { return std::max(0.0, -y * z); }
  static double derivative(double y, double z) { return y * z <= 0 ? -y : 0; }
};
struct SquaredHinge {
  static double value(double y, double z) { return std::max(0.0, 1 - y * z) * std::max(0.0, 1 - y * z); }
  static double derivative(double y, double z) { return -2 * y * std::max(0.0, 1 - y * z); }
};
// The squared hinge, continued as a straight line where it would be steeper than 4 (Zhang 2004).
struct ModifiedHuber {
  static double value(double y, double z) { return y * z < -1 ? -4 * y * z : SquaredHinge::value(y, z); }
  static double derivative(double y, double z) { return y * z < -1 ? -4 * y : SquaredHinge::derivative(y, z); }
};

// Losses of numbers that are zero if the prediction is within epsilon of the target.
struct Insensitive {
  double epsilon;
  double value(double y, double z) const { return std::max(0.0, std::abs(y - z) - epsilon); }
  double derivative(double y, double z) const { return y - z > epsilon ? -1 : z - y > epsilon ? 1 : 0; }
};
struct SquaredInsensitive {
  double epsilon;
  double value(double y, double z) const { return std::pow(Insensitive{epsilon}.value(y, z), 2); }
  double derivative(double y, double z) const {
    const Insensitive once{epsilon};
    return 2 * once.value(y, z) * once.derivative(y, z);
  }
};

template <class L>
constexpr double curvature_bound() {
  if constexpr (loss::SmoothLoss<L>) return L::kCurvature;
  return std::numeric_limits<double>::infinity();
}

template <class L>
void look(const std::string& word, double parameter, bool any_curvature, std::optional<DescentLoss>& out,
          std::vector<std::string>& smooth) {
  if constexpr (loss::SmoothLoss<L> || loss::CurvedLoss<L>) {
    if (!loss::SmoothLoss<L> && !any_curvature) return;
    smooth.emplace_back(L::kWord);
    if (word != L::kWord) return;
    if constexpr (loss::FittedLoss<L>)
      out = descent_loss(loss::with<typename L::Parameterised>(parameter, 1), curvature_bound<L>());
    else
      out = descent_loss(L{}, curvature_bound<L>());
  }
}

template <class... Ls>
Result<DescentLoss> look_up(const std::string& word, double parameter, bool any_curvature, loss::List<Ls...>) {
  std::optional<DescentLoss> loss;
  std::vector<std::string> smooth;
  (look<Ls>(word, parameter, any_curvature, loss, smooth), ...);
  if (loss) return *std::move(loss);
  return fail(ErrorCode::usage, "loss", fmt::format("there is no smooth loss \"{}\" to descend on", word),
              fmt::format("choose among {}", fmt::join(smooth, ", ")));
}

} // namespace

Result<DescentLoss> descent_loss(const std::string& word, double parameter) {
  return look_up(word, parameter, true, loss::AllLosses{});
}

Result<DescentLoss> online_loss(const std::string& word, double epsilon) {
  if (word == "hinge") return descent_loss(Hinge{}, 0);
  if (word == "perceptron") return descent_loss(Perceptron{}, 0);
  if (word == "squared-hinge") return descent_loss(SquaredHinge{}, 2);
  if (word == "modified-huber") return descent_loss(ModifiedHuber{}, 2);
  if (word == "epsilon-insensitive") return descent_loss(Insensitive{epsilon}, 0);
  if (word == "squared-epsilon-insensitive") return descent_loss(SquaredInsensitive{epsilon}, 2);
  return look_up(word, epsilon, false, loss::AllLosses{});
}

} // namespace recta
