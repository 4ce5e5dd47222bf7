#include "certificate/svm/certify.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "certificate/svm/kernel_scores.hpp"
#include "certificate/svm/linear_sums.hpp"
#include "certificate/svm/nudge.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta::svm {
namespace {

class Judge {
public:
  Judge(const Claimed& claimed, const JudgedRows& rows, Pool& pool) : claimed_(claimed), rows_(rows), pool_(pool) {
    null_.terms = claimed.terms;
    null_.intercept = claimed.intercept;
    if (linear()) {
      weights_ = claimed.w;
      if (penalised_intercept()) weights_.push_back(claimed.b / claimed.intercept_scale);
      sums_ = LinearSums(linear_weights());
    }
  }

  // Rows of a machine with a kernel, which differs from other machines that are judged in the intercept alone.
  static void see_kernel(const Batch& batch, KernelScores& scores, std::span<Judge> judges) {
    keep_going();
    Judge& first = judges.front();
    std::vector<KernelRow> scored;
    for (const Index i : first.present_in(batch)) {
      const std::size_t place = first.next_;
      const double beta = first.coefficient(batch.first_row + i);
      scored.push_back({.i = i, .place = first.next_ > place ? static_cast<Index>(place) : -1, .beta = beta});
    }
    scores.score(batch, scored, [&](Index i, double z, double off) {
      return std::ranges::all_of(judges, [&](const Judge& one) { return one.is_free(batch.first_row + i, z, off); });
    });
    for (Judge& judge : judges) {
      judge.next_ = first.next_;
      judge.add_scored(batch.first_row, scored);
    }
  }

  // Several batches of a linear machine, in order, which are read side by side.
  void see_linear(std::span<const Batch> batches) {
    keep_going();
    std::vector<LinearBlock> blocks;
    for (const Batch& batch : batches) {
      std::vector<Index> present = present_in(batch);
      std::vector<double> beta;
      for (const Index i : present) beta.push_back(coefficient(batch.first_row + i));
      blocks.emplace_back(batch, std::move(present), std::move(beta));
    }
    run_listening(&pool_, std::ssize(blocks), [&](Index task, int) { blocks[at(task)].read(linear_weights()); });
    for (const LinearBlock& block : blocks) {
      sums_.add(block);
      longest_ = std::max(longest_, block.longest());
      for (std::size_t k = 0; k < block.present().size(); ++k)
        add(block.first_row() + block.present()[k], block.scores()[k], block.beta()[k]);
    }
  }

  Proof take() {
    close();
    if (!linear() || unscored_) return out_;
    return claimed_.penalty == Penalty::absolutes ? with_absolutes(nullptr) : with_squares(nullptr);
  }

  // The columns to be filled in another pass, if their rounding costs too much; see nudge.hpp.
  bool wants_nudge(const Proof& proof) {
    if (!linear() || outside_ || unscored_ || supporting_.size() != claimed_.rows.size()) return false;
    if (proof.gap + proof.slack <= claimed_.tolerance * proof.null) return false;
    claimed_.penalty == Penalty::absolutes ? choose_nearly_active() : choose_all(proof);
    active_.balanced = claimed_.intercept;
    const auto held = std::ranges::count(active_.held, true);
    const Index count = active_.count(), unknowns = active_.held.empty() ? count : held;
    return unknowns > 0 && unknowns <= kMostActive && count * std::ssize(claimed_.beta) <= kMostNumbers;
  }
  void collect(const Batch& batch) {
    keep_going();
    for (Index i = 0; i < batch.rows(); ++i) {
      const std::size_t k = active_.beta.size();
      if (k == claimed_.rows.size() || claimed_.rows[k] != batch.first_row + i) continue;
      active_.beta.push_back(claimed_.beta[k]);
      std::vector<double> x(weights_.size(), claimed_.intercept_scale);
      write_row(batch, i, std::span(x).first(claimed_.w.size()));
      for (const std::size_t j : nearly_active_) active_.x.push_back(x[j]);
    }
  }
  Proof nudged(const Proof& before) {
    if (active_.rows() != std::ssize(claimed_.rows)) return before;
    const auto nudge = nudge_to_constraints(active_, kMostNudge);
    if (!nudge) return before;
    const Proof after = !active_.held.empty() ? with_squares(&*nudge) : with_absolutes(&*nudge);
    return after.gap + after.slack < before.gap + before.slack ? after : before;
  }

private:
  static constexpr double kMostNudge = 1e-11; // of a coefficient
  static constexpr double kBelow = 0x1p-1060; // more than underflow takes from a term
  static constexpr Index kMostActive = 2000, kMostNumbers = 30'000'000;

  // A row with a coefficient.
  struct Supporting {
    double cost = 0, misfit = 0;
    bool fixed = false; // the coefficient is at the end of its box, or next to it
  };

  void choose_nearly_active() {
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      const double g = sums_.g(j).hi;
      if (std::abs(g) + kMostNudge * sums_.size(j) <= 1) continue;
      nearly_active_.push_back(j);
      active_.target.push_back(weights_[j] > 0 ? 1 : weights_[j] < 0 ? -1 : 0);
    }
  }
  // None, if the terms of the rows are more than the tolerance by themselves.
  void choose_all(const Proof& proof) {
    if (gap_.value() > claimed_.tolerance * proof.null) return;
    const double owed = claimed_.intercept ? imbalance() : 0; // made good, it moves g_j by as much of its terms
    const double share = 1e-4 * claimed_.tolerance * proof.null / static_cast<double>(weights_.size());
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      const double short_of = std::abs((DoubleDouble(weights_[j]) - sums_.g(j)).hi) + owed * sums_.size(j);
      nearly_active_.push_back(j);
      active_.held.push_back(short_of * short_of / 2 > share); // few can be held by few coefficients
    }
    active_.target = weights_;
    for (const Supporting& row : supporting_) active_.fixed.push_back(row.fixed);
  }

  void close() {
    out_.same_rows = out_.same_rows && next_ == claimed_.rows.size();
    out_.weight = weight_.value();
    out_.gap = gap_.value();
    out_.slack += 0x1p-50 * out_.gap; // the terms of FY, each rounded a few times, and their compensated sum
    out_.mass = positive_.value() + negative_.value();
    out_.longest = longest_of_features();
    out_.primal = loss_.value();
    out_.null = null_cost(null_);
    for (const double w : claimed_.w) out_.squared += w * w;
    if (!linear()) {
      out_.squared = std::max(0.0, squared_.value());
      out_.primal += out_.squared / 2;
      balance(out_, imbalance());
    }
    if (outside_ || unscored_) out_.gap = kInfinity;
    if (unscored_) out_.primal = kInfinity; // a score that is no number can hide any loss
  }

  bool linear() const { return !claimed_.w.empty(); }
  bool penalised_intercept() const { return claimed_.intercept_scale > 0; }
  LinearWeights linear_weights() const { return {claimed_.w, claimed_.b, claimed_.intercept_scale}; }

  std::vector<Index> present_in(const Batch& batch) const {
    std::vector<Index> out;
    for (Index i = 0; i < batch.rows(); ++i)
      if (rows_.weight[at(batch.first_row + i)] > 0) out.push_back(i);
    return out;
  }

  // The coefficient of the row of this number; rows come in ascending order.
  double coefficient(Index number) {
    if (next_ == claimed_.rows.size() || claimed_.rows[next_] != number) return 0;
    return claimed_.beta[next_++];
  }

  void add(Index number, RowScore score, double beta) {
    const double t = rows_.target[at(number)], v = rows_.weight[at(number)], cost = claimed_.cost * v;
    const RowTerms& terms = claimed_.terms;
    const double d = beta / cost;
    outside_ = outside_ || !(beta >= terms.low(t, cost) && beta <= terms.high(t, cost));
    unscored_ = unscored_ || !std::isfinite(score.z);
    gap_.add(cost * terms.fenchel_young(t, score.z, d));
    loss_.add(cost * terms.value(t, score.z));
    const double off = score_rounding(t, score);
    // A row that surely costs nothing has no rounding; below the doubles every term may have lost one of them.
    if (d != 0 || !(terms.beyond(t, score.z) + off <= 0))
      out_.slack += cost * off * terms.steepness(t, score.z, d, off) + (cost + 1) * kBelow;
    (beta > 0 ? positive_ : negative_).add(std::abs(beta));
    const double smooth = score.z - t + (squared(terms.loss) ? d : 0), tube = labelled(terms.loss) ? 0 : terms.epsilon;
    if (beta < terms.high(t, cost)) out_.violation = std::max(out_.violation, -(smooth + (beta >= 0 ? tube : -tube)));
    if (beta > terms.low(t, cost)) out_.violation = std::max(out_.violation, smooth + (beta > 0 ? tube : -tube));
    count(t, v);
    if (beta != 0) supporting_.push_back(supporting(t, score.z, d, cost, off));
    out_.right += labelled(terms.loss) && (score.z >= 0) == (t > 0) ? v : 0;
    // A prediction adds up the same values among those of other machines, in more blocks.
    if (!linear() && labelled(terms.loss) && t * score.z > 16 * off) out_.clear.push_back(number);
    out_.support += beta != 0 ? v : 0;
    out_.beyond += terms.beyond(t, score.z) > 1e-9 * (1 + std::abs(t)) + off ? v : 0; // beyond what rounding does
  }
  // A row without a coefficient that costs nothing has no part in any sum but these.
  void add_free(Index number) {
    const double t = rows_.target[at(number)], v = rows_.weight[at(number)];
    count(t, v);
    if (!labelled(claimed_.terms.loss)) return;
    out_.right += v;
    out_.clear.push_back(number);
  }
  void count(double t, double weight) {
    null_.target.push_back(t), null_.cost.push_back(claimed_.cost * weight);
    weight_.add(weight);
    ++out_.count;
  }

  // |dFY / dd| is the misfit: for the hinges it is the lack, less d if squared; for tubes at most |t - z| + epsilon.
  Supporting supporting(double t, double z, double d, double cost, double off) const {
    const RowTerms& terms = claimed_.terms;
    const double size = squared(terms.loss) ? std::abs(d) : 0;
    const double misfit =
        labelled(terms.loss) ? std::abs(size - terms.beyond(t, z)) : std::abs(t - z) + terms.epsilon + size;
    return {cost, misfit + off, !squared(terms.loss) && std::abs(d) > 1 - 4 * kMostNudge};
  }

  // 1 - t z, or t - z and its size less epsilon, are rounded once more: by so much.
  double score_rounding(double t, RowScore score) const {
    if (labelled(claimed_.terms.loss)) return score.off + std::abs(two_sum(1, -t * score.z).lo);
    const DoubleDouble r = two_sum(t, -score.z);
    return score.off + std::abs(r.lo) + std::abs(two_sum(std::abs(r.hi), -claimed_.terms.epsilon).lo);
  }

  // Rows are added up in their order.
  void add_scored(Index first_row, std::span<const KernelRow> rows) {
    for (const KernelRow& row : rows) {
      if (row.free) {
        add_free(first_row + row.i);
        continue;
      }
      const double z = row.z + claimed_.b;
      out_.same_rows = out_.same_rows && row.same;
      squared_.add_product(row.beta, z - claimed_.b);
      add(first_row + row.i, {z, row.off + std::abs(two_sum(row.z, claimed_.b).lo)}, row.beta);
    }
  }

  // A row without a coefficient costs nothing by more than any rounding.
  bool is_free(Index number, double score, double off) const {
    const double t = rows_.target[at(number)], z = score + claimed_.b;
    const RowScore with_intercept{z, off + std::abs(two_sum(score, claimed_.b).lo)};
    return claimed_.terms.beyond(t, z) + 2 * score_rounding(t, with_intercept) <= 0;
  }

  // 1/2 |w - sum beta x|^2.
  Proof with_squares(const Nudge* nudge) const {
    Proof out = out_;
    CompensatedSum square, residual;
    double slack = 0;
    for (std::size_t j = 0; j < sums_.columns(); ++j) {
      const DoubleDouble sum = nudge ? nudge->g[j] : sums_.g(j);
      const double short_of = (DoubleDouble(weights_[j]) - sum).hi, unit = nudge ? 2 * nudge->rounding : 0x1p-80;
      const double off = 0x1p-52 * std::abs(short_of) + unit * (sums_.size(j) + std::abs(weights_[j])) + rounding_of(j);
      residual.add_product(short_of, short_of);
      slack += off * (2 * std::abs(short_of) + off) + (weights_[j] != 0 || sum.hi != 0 ? kBelow : 0);
      square.add_product(weights_[j], weights_[j]);
    }
    out.primal += square.value() / 2;
    out.gap += residual.value() / 2;
    out.slack += slack / 2;
    balance(out, nudge ? imbalance(*nudge) : imbalance());
    if (nudge) out.gap += moved_cost(nudge->delta);
    return out;
  }

  // The weight of the intercept's column is a quotient.
  double rounding_of(std::size_t j) const { return j == claimed_.w.size() ? 0x1p-53 * std::abs(weights_[j]) : 0; }

  // sum_j (|w_j| - kappa w_j g_j), and beta within its constraints.
  Proof with_absolutes(const Nudge* nudge) const {
    Proof out = out_;
    const double eta = !claimed_.intercept ? 0 : nudge ? imbalance(*nudge) : imbalance();
    std::vector<double> g, off;
    double beyond = 0;
    for (std::size_t j = 0; j < sums_.columns(); ++j) {
      g.push_back(sums_.g(j).hi);
      off.push_back(0x1p-52 * std::abs(g[j]) + (0x1p-80 + eta + (nudge ? kMostNudge : 0)) * sums_.size(j));
    }
    for (std::size_t k = 0; nudge && k < nearly_active_.size(); ++k) {
      const std::size_t j = nearly_active_[k];
      g[j] = nudge->g[k].hi;
      off[j] = std::abs(nudge->g[k].lo) + (2 * nudge->rounding + eta) * sums_.size(j);
    }
    for (std::size_t j = 0; j < g.size(); ++j) beyond = std::max(beyond, (std::abs(g[j]) - 1) + off[j]);
    const double kappa = 1 / (1 + beyond);
    CompensatedSum absolutes, lacking;
    for (std::size_t j = 0; j < g.size(); ++j) {
      const double size = std::abs(weights_[j]);
      absolutes.add(size);
      lacking.add(std::max(0.0, size - kappa * g[j] * weights_[j]));
      out.slack += 0x1p-51 * size + size * off[j] + 2 * rounding_of(j);
    }
    out.gap = kappa * out.gap + (beyond * kappa + eta) * loss_.value() + lacking.value();
    if (nudge) out.gap += moved_cost(nudge->delta);
    out.primal += absolutes.value();
    return out;
  }
  // FY at d + e is at most `misfit` |e| + e^2 / 2 larger.
  double moved_cost(const std::vector<double>& delta) const {
    double sum = 0;
    for (std::size_t k = 0; k < delta.size(); ++k) {
      const Supporting& row = supporting_[k];
      const double e = std::abs(delta[k]) / row.cost;
      sum += row.cost * (row.misfit * e + e * e / 2);
    }
    return (1 + 0x1p-20) * sum; // sums of many terms, rounded
  }

  // What it costs that the coefficients add up to zero to rounding only.
  void balance(Proof& out, double eta) const {
    if (!claimed_.intercept) return;
    const double larger = std::max(positive_.value(), negative_.value()), moved = eta * larger * out.longest;
    // |r - m|^2 / 2 <= |r|^2 / 2 + |r| |m| + |m|^2 / 2, where r is what w lacks.
    const double lacking = linear() ? std::sqrt(2 * std::max(0.0, out.gap)) : 0;
    out.gap += eta * loss_.value() + moved * lacking + moved * moved / 2; // no rounding, if it is more than that
  }
  // eta: the share by which the larger of both sums is too large.
  double imbalance() const {
    const double a = positive_.value(), b = negative_.value(), larger = std::max(a, b);
    return larger > 0 ? (std::abs(a - b) + 0x1p-52 * larger) / larger : 0;
  }
  double imbalance(const Nudge& nudge) const {
    const double larger = (1 - kMostNudge) * std::max(positive_.value(), negative_.value());
    return larger > 0 ? std::abs(nudge.sum.hi) / larger + 4 * nudge.rounding : 0;
  }
  // The largest |phi(x)| of a row with a coefficient.
  double longest_of_features() const {
    if (linear()) return longest_;
    double most = 0;
    for (Index k = 0; k < claimed_.points->count(); ++k)
      most = std::max(most, std::abs(claimed_.points->own_value(*claimed_.kernel, k)));
    return std::sqrt(most);
  }

  const Claimed& claimed_;
  const JudgedRows& rows_;
  Pool& pool_;
  Proof out_;
  Problem null_;
  std::size_t next_ = 0;
  bool outside_ = false, unscored_ = false; // a coefficient beyond its box; a score that is no finite number
  double longest_ = 0;
  CompensatedSum gap_, loss_, squared_, positive_, negative_, weight_;
  LinearSums sums_;
  std::vector<double> weights_; // of all columns that are penalised
  std::vector<Supporting> supporting_;
  std::vector<std::size_t> nearly_active_;
  ActiveColumns active_; // these columns
};

} // namespace

Result<Proof> certify(const Claimed& claimed, const JudgedRows& rows, Pool& pool, const Watch& watch) {
  if (claimed.w.empty()) {
    auto proofs = certify(claimed, std::span(&claimed.b, 1), rows, pool, watch);
    return proofs ? Result<Proof>(std::move(proofs->front())) : std::unexpected(proofs.error());
  }
  const Listening listening(watch, "certifying");
  Judge judge(claimed, rows, pool);
  const auto read = for_each_run(rows.source, [&](std::span<const Batch> batches) { judge.see_linear(batches); });
  if (!read) return std::unexpected(read.error());
  Proof proof = judge.take(); // may list rows; moved out
  if (!judge.wants_nudge(proof)) return proof;
  const auto again = for_each_batch(rows.source, [&](const Batch& batch) -> Result<void> {
    judge.collect(batch);
    return {};
  });
  if (!again) return std::unexpected(again.error());
  return judge.nudged(proof);
}

Result<std::vector<Proof>> certify(const Claimed& claimed, std::span<const double> intercepts, const JudgedRows& rows,
                                   Pool& pool, const Watch& watch) {
  std::vector<Claimed> all(intercepts.size(), claimed);
  for (std::size_t k = 0; k < all.size(); ++k) all[k].b = intercepts[k];
  std::vector<Proof> out;
  if (!claimed.w.empty()) {
    for (const Claimed& one : all) {
      const auto proof = certify(one, rows, pool, watch);
      if (!proof) return std::unexpected(proof.error());
      out.push_back(*proof);
    }
    return out;
  }
  const Listening listening(watch, "certifying");
  std::vector<Judge> judges;
  for (const Claimed& one : all) judges.emplace_back(one, rows, pool);
  KernelScores scores(*claimed.kernel, *claimed.points, claimed.beta, pool);
  const auto read = for_each_batch(rows.source, [&](const Batch& batch) -> Result<void> {
    Judge::see_kernel(batch, scores, judges);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  for (Judge& judge : judges) out.push_back(judge.take());
  return out;
}

} // namespace recta::svm
