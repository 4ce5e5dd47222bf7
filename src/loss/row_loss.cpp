#include "loss/row_loss.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "loss/all_losses.hpp"

#include <algorithm>
#include <cmath>
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

// Calls look.operator()<L>() for the loss of the word.
template <class... Ls>
void look_up(List<Ls...>, std::string_view word, auto&& look) {
  const auto try_one = [&]<class L>() {
    if constexpr (LossOfRows<L>)
      if (L::kWord == word) look.template operator()<L>();
  };
  (try_one.template operator()<Ls>(), ...);
}

template <class L>
LossModel described() {
  using With = L::Parameterised;
  LossModel out = L::model();
  out.word = L::kWord;
  out.labels = on_labels<L>();
  if (out.labels) out.at_margin = [](double margin) { return L::value(1, margin); };
  out.bounded = SmoothLoss<L>;
  if constexpr (requires { With::kLogLink; }) out.log_link = With::kLogLink;
  if constexpr (!CurvedLoss<L>) out.pieces = std::ssize(With{}.pieces());
  return out;
}

template <class... Ls>
std::vector<LossModel> all_described(List<Ls...>) {
  std::vector<LossModel> out;
  const auto describe = [&]<class L>() {
    if constexpr (FittedLoss<L>) out.push_back(described<L>());
  };
  (describe.template operator()<Ls>(), ...);
  std::ranges::sort(out, {},
                    [](const LossModel& model) { return std::pair(model.place, std::string_view(model.word)); });
  return out;
}

template <class... Ls>
std::vector<std::string> listed(List<Ls...>, bool labels) {
  std::vector<std::string> out;
  const auto look = [&]<class L>() {
    if constexpr (LossOfRows<L> && CurvedLoss<L>)
      if (on_labels<L>() == labels && !RowLossOf<typename L::Parameterised>({}).log_link()) out.emplace_back(L::kWord);
  };
  (look.template operator()<Ls>(), ...);
  return out;
}

double number_of(const Params& params, const std::string& name) {
  const auto entry = params.find(name);
  const double* value = entry == params.end() ? nullptr : std::get_if<double>(&entry->second);
  return value ? *value : kNaN;
}

} // namespace

bool LossModel::fits_scale(const Params& params) const {
  return unscaled && std::isnan(number_of(params, unscaled->parameter.name));
}

double LossModel::parameter_of(const Params& params) const {
  if (!parameter) return 0;
  return number_of(params, unscaled && !fits_scale(params) ? unscaled->parameter.name : parameter->name);
}

const std::vector<LossModel>& loss_models() {
  static const std::vector<LossModel> all = all_described(AllLosses{});
  return all;
}

const LossModel* loss_model(std::string_view word) {
  const auto model = std::ranges::find(loss_models(), word, &LossModel::word);
  return model == loss_models().end() ? nullptr : &*model;
}

std::unique_ptr<const RowLoss> row_loss(std::string_view word, double parameter, double scale) {
  std::unique_ptr<const RowLoss> out;
  look_up(AllLosses{}, word, [&]<class L>() {
    using With = L::Parameterised;
    out = std::make_unique<RowLossOf<With>>(with<With>(parameter, scale));
  });
  if (!out) std::abort(); // no such word is a loss of this kind
  return out;
}

std::vector<std::string> losses_of_scores(bool labels) {
  return listed(AllLosses{}, labels);
}

std::vector<Piece> pieces(std::string_view word, double parameter) {
  std::vector<Piece> out;
  look_up(AllLosses{}, word, [&]<class L>() {
    using With = L::Parameterised;
    if constexpr (requires { With{}.pieces(); }) out = with<With>(parameter, 1).pieces();
  });
  if (out.empty()) std::abort(); // it is curved
  return out;
}

} // namespace recta::loss
