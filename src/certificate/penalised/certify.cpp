#include "certificate/penalised/certify.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/verdict.hpp"
#include "objective/penalised/mean_loss.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta::penalised {
namespace {

using Numbers = std::vector<double>;

// Calls use(column, number) for the numbers of a row that are not zero.
template <class Use>
void each_number(const Batch& batch, Index i, const Use& use) {
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    for (Index j = 0; j < dense->cols; ++j)
      if (const double x = element(*dense, i, j); x != 0) use(j, x);
    return;
  }
  const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
  for (Index s = 0; s < row.count; ++s) use(row.column(s), row.value[s]);
}

class Judge {
public:
  explicit Judge(const Claimed& claimed) : claimed_(claimed), u_(claimed.w.size()), absolute_(claimed.w.size()) {}

  void score(const Batch& batch) {
    for (const Index i : present_rows(batch)) {
      CompensatedSum z;
      double products = 0;
      each_number(batch, i, [&](Index j, double x) {
        z.add_product(x, claimed_.w[at(j)]);
        products += std::abs(x * claimed_.w[at(j)]);
      });
      z.add(claimed_.b);
      weight_.push_back(batch.weight.empty() ? 1 : batch.weight[at(i)]);
      y_.push_back(element(batch.target, i, 0));
      z_.push_back(z.value());
      const double off = 0x1p-52 * std::abs(z.value()) + 0x1p-64 * (products + std::abs(claimed_.b));
      off_.push_back(products == 0 ? 0 : off); // b alone is not rounded
    }
  }

  // Between the passes: the dual point.
  void choose_dual() {
    CompensatedSum total;
    for (const double weight : weight_) total.add(weight);
    checked_.weight = total.value(), checked_.rows = std::ssize(weight_);
    for (double& weight : weight_) weight /= checked_.weight;
    targets_.emplace(Targets{claimed_.loss, y_, weight_});
    Numbers slope, curvature;
    checked_.mean_loss = mean_loss(*targets_, z_, &slope, &curvature);
    double most = -1;
    for (std::size_t i = 0; i < z_.size(); ++i) {
      d_.push_back(claimed_.loss.nearest(y_[i], -slope[i]));
      if (weight_[i] * curvature[i] > most) most = weight_[i] * curvature[i], mover_ = i;
    }
    if (claimed_.intercept) balance();
  }

  void combine(const Batch& batch) {
    for (const Index i : present_rows(batch)) {
      const double by = weight_[row_] * d_[row_];
      each_number(batch, i, [&](Index j, double x) {
        u_[at(j)].add_product(by, x);
        absolute_[at(j)] += std::abs(by * x);
        if (row_ == mover_) mover_row_.emplace_back(j, std::abs(x));
      });
      ++row_;
    }
  }

  Checked take() {
    Numbers u, off, move(d_.size());
    for (std::size_t j = 0; j < u_.size(); ++j) u.push_back(u_[j].value()), off.push_back(0x1p-50 * absolute_[j]);
    if (claimed_.intercept && !d_.empty()) move[mover_] = lacking();
    for (const auto& [j, x] : mover_row_) off[at(j)] += weight_[mover_] * move[mover_] * x;
    const double size = claimed_.penalty.reach(u, off) * (1 - 0x1p-40);
    for (std::size_t j = 0; j < u.size(); ++j) u[j] *= size, off[j] *= size;
    for (std::size_t i = 0; i < d_.size(); ++i)
      d_[i] = claimed_.loss.nearest(y_[i], size * d_[i]), move[i] *= size * (1 + 0x1p-40);
    add_losses(move);
    add_penalty(u, off);
    add_figures();
    checked_.certificate = written();
    return checked_;
  }

private:
  void balance() {
    CompensatedSum up, down;
    for (std::size_t i = 0; i < d_.size(); ++i) (d_[i] > 0 ? up : down).add_product(weight_[i], std::abs(d_[i]));
    const double most = std::max(up.value(), down.value());
    if (!(most > 0)) return;
    const double up_by = std::min(1.0, down.value() / up.value()), down_by = std::min(1.0, up.value() / down.value());
    for (double& dual : d_) dual *= dual > 0 ? up_by : down_by;
  }

  // How far the dual of the row that makes up for the rest has to move for sum_i s_i d_i = 0 to hold exactly, also
  // after all d_i are multiplied by one number and rounded.
  double lacking() const {
    CompensatedSum sum;
    double size = 0;
    for (std::size_t i = 0; i < d_.size(); ++i)
      sum.add_product(weight_[i], d_[i]), size += weight_[i] * std::abs(d_[i]);
    return (std::abs(sum.value()) + 0x1p-52 * size) / weight_[mover_] * (1 + 0x1p-50);
  }

  void add_losses(const Numbers& move) {
    Numbers gap(d_.size()), worst(d_.size());
    claimed_.loss.gaps({std::ssize(d_), y_.data(), z_.data(), weight_.data(), off_.data()}, d_.data(), move.data(),
                       gap.data(), worst.data());
    CompensatedSum sum, most;
    for (std::size_t i = 0; i < d_.size(); ++i)
      sum.add_product(weight_[i], gap[i]), most.add_product(weight_[i], worst[i]);
    gap_ += sum.value();
    slack_ += std::max(0.0, most.value() * (1 + 0x1p-48) - sum.value());
  }

  void add_penalty(const Numbers& u, const Numbers& off) {
    const double value = claimed_.penalty.value(claimed_.w), conjugate = claimed_.penalty.conjugate(u, off);
    CompensatedSum product;
    double size = std::abs(value) + std::abs(conjugate), moved = 0;
    for (std::size_t j = 0; j < u.size(); ++j) {
      product.add_product(u[j], claimed_.w[j]);
      size += std::abs(u[j] * claimed_.w[j]), moved += off[j] * std::abs(claimed_.w[j]);
    }
    objective_ = checked_.mean_loss + value;
    gap_ += std::max(0.0, value + conjugate - product.value());
    slack_ += moved + 0x1p-46 * size;
  }

  void add_figures() {
    CompensatedSum squares, right, mean, spread;
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double weight = weight_[i] * checked_.weight;
      squares.add_product(weight * (y_[i] - z_[i]), y_[i] - z_[i]);
      mean.add_product(weight_[i], y_[i]);
      if ((z_[i] >= 0) == (y_[i] > 0)) right.add(weight);
    }
    const double middle = claimed_.intercept ? mean.value() : 0;
    for (std::size_t i = 0; i < y_.size(); ++i)
      spread.add_product(weight_[i] * checked_.weight * (y_[i] - middle), y_[i] - middle);
    checked_.squares = squares.value(), checked_.right = right.value(), checked_.spread = spread.value();
    Numbers nothing(z_.size());
    if (claimed_.intercept) std::ranges::fill(nothing, best_intercept(*targets_, nothing, 0));
    checked_.null = mean_loss(*targets_, nothing);
  }

  Certificate written() const {
    Certificate out;
    out.objective = objective_, out.null_objective = checked_.null;
    out.tolerance = claimed_.tolerance, out.slack = slack_;
    out.claim = DualityGap{objective_, objective_ - gap_, gap_, false};
    const bool bounded = std::isfinite(slack_);
    out.verdict = verdict_of({.distance = bounded ? gap_ : kInfinity,
                              .slack = slack_,
                              .limit = claimed_.tolerance * checked_.null,
                              .forgiven = bounded ? slack_ : 0});
    if (out.verdict == Verdict::within_tolerance)
      out.conditions.emplace_back("the rounding of the check can cost as much as the tolerance");
    return out;
  }

  const Claimed& claimed_;
  std::optional<Targets> targets_;
  Numbers weight_, y_, z_, off_, d_; // weights are shares after choose_dual()
  std::vector<CompensatedSum> u_;
  Numbers absolute_;
  std::size_t row_ = 0, mover_ = 0;
  std::vector<std::pair<Index, double>> mover_row_; // its absolute numbers
  Checked checked_;
  double objective_ = 0, gap_ = 0, slack_ = 0; // F - F* <= gap + slack
};

} // namespace

Result<Checked> certify(const Claimed& claimed, RowSource& source, const Watch& watch) {
  const Listening listening(watch, "certifying");
  Judge judge(claimed);
  const auto read = [&](auto use) {
    return for_each_batch(source, [&](const Batch& batch) -> Result<void> {
      keep_going();
      use(batch);
      return {};
    });
  };
  if (auto done = read([&](const Batch& batch) { judge.score(batch); }); !done) return std::unexpected(done.error());
  judge.choose_dual();
  if (auto done = read([&](const Batch& batch) { judge.combine(batch); }); !done) return std::unexpected(done.error());
  return judge.take();
}

} // namespace recta::penalised
