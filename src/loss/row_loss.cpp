#include "loss/row_loss.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "loss/epsilon_insensitive/epsilon_insensitive.hpp"
#include "loss/gamma/gamma.hpp"
#include "loss/huber/huber.hpp"
#include "loss/logistic/logistic.hpp"
#include "loss/poisson/poisson.hpp"
#include "loss/quantile/quantile.hpp"

#include <cstdlib>

namespace recta::loss {
namespace {

template <class With>
class RowLossOf final : public RowLoss {
public:
  explicit RowLossOf(With with) : with_(with) {}

  bool by_residual() const override {
    if constexpr (requires { With::kByResidual; }) return With::kByResidual;
    return false;
  }
  bool log_link() const override {
    if constexpr (requires { With::kLogLink; }) return With::kLogLink;
    return false;
  }
  bool curved() const override { return kCurved; }
  bool runs_away() const override {
    if constexpr (requires { With::kRunsAway; }) return With::kRunsAway;
    return log_link();
  }

  double total(const LossRows& rows) const override {
    CompensatedSum sum;
    for (Index i = 0; i < rows.count; ++i) sum.add(rows.v[i] * with_.value(rows.y[i], rows.z[i]));
    return sum.value();
  }
  double slopes(const LossRows& rows, double* d, double* c) const override {
    CompensatedSum sum;
    for (Index i = 0; i < rows.count; ++i) {
      const double y = rows.y[i], z = rows.z[i];
      if constexpr (requires { with_.slopes(y, z, d[i], c[i]); }) {
        sum.add(rows.v[i] * with_.slopes(y, z, d[i], c[i]));
        continue;
      }
      sum.add(rows.v[i] * with_.value(y, z));
      if constexpr (kCurved) {
        d[i] = with_.derivative(y, z);
        c[i] = with_.curvature(y, z);
      } else {
        d[i] = with_.slope(y, z);
        c[i] = 0;
      }
    }
    return sum.value();
  }
  void mix_majorant(const LossRows& rows, double share, double* c) const override {
    if constexpr (requires { with_.majorant(0.0, 0.0); })
      for (Index i = 0; i < rows.count; ++i) c[i] += share * (with_.majorant(rows.y[i], rows.z[i]) - c[i]);
  }

  double nearest(double y, double d) const override { return with_.nearest(y, d); }
  bool at_edge(double y, double z, double spare, double& d) const override {
    if constexpr (requires { with_.at_edge(y, z, spare, d); }) return with_.at_edge(y, z, spare, d);
    return false;
  }
  void gaps(const LossRows& rows, const double* d, const double* move, double* gap, double* worst) const override {
    for (Index i = 0; i < rows.count; ++i) {
      const double y = rows.y[i], z = rows.z[i], off = rows.off[i];
      gap[i] = with_.fenchel_young(y, z, d[i]);
      if (move[i] == 0) {
        worst[i] = std::max(gap[i], at_most(y, z, off, d[i]));
        continue;
      }
      const double low = std::nextafter(d[i] - move[i], -kInfinity), high = std::nextafter(d[i] + move[i], kInfinity);
      worst[i] = kInfinity;
      if (!with_.in_domain(y, low) || !with_.in_domain(y, high)) continue;
      worst[i] = std::max({gap[i], at_most(y, z, off, low), at_most(y, z, off, high)});
    }
  }
  double total_at_most(const LossRows& rows) const override { // of d = 0, whose conjugate is zero
    CompensatedSum sum;
    for (Index i = 0; i < rows.count; ++i) sum.add(rows.v[i] * at_most(rows.y[i], rows.z[i], rows.off[i], 0));
    return (1 + 0x1p-50) * sum.value();
  }

private:
  static constexpr bool kCurved = requires(const With& with) { with.curvature(0.0, 0.0); };

  // A loss of y - z alone consists of sums and products, each off by u of itself: less than 8 u of y - z, in which it
  // is convex, and 16 u of the result.
  double at_most(double y, double z, double off, double d) const {
    if constexpr (requires { with_.at_most(y, z, off, d); }) return with_.at_most(y, z, off, d);
    const double error = off + 8 * 0x1p-53 * std::abs(y - z);
    return (1 + 16 * 0x1p-53) * std::max(with_.fenchel_young(y, z - error, d), with_.fenchel_young(y, z + error, d));
  }

  With with_;
};

template <class With>
std::unique_ptr<const RowLoss> made(With with) {
  return std::make_unique<RowLossOf<With>>(with);
}

} // namespace

std::unique_ptr<const RowLoss> row_loss(std::string_view word, double parameter, double scale) {
  if (word == "huber") return made(huber::With{.epsilon = parameter, .scale = scale});
  if (word == "quantile") return made(quantile::With{.q = parameter});
  if (word == "epsilon-insensitive") return made(epsilon_insensitive::With{.epsilon = parameter});
  if (word == "poisson") return made(poisson::With{});
  if (word == "gamma") return made(gamma::With{});
  if (word == "logistic") return made(logistic::With{});
  std::abort(); // no such word is a model of this kind
}

std::vector<Piece> pieces(std::string_view word, double parameter) {
  if (word == "quantile") return {{parameter - 1, parameter, 0}};
  if (word == "epsilon-insensitive") return {{0, 1, parameter}, {-1, 0, -parameter}};
  if (word == "huber") return {{-parameter, parameter, 0}};
  std::abort(); // the others are curved
}

} // namespace recta::loss
