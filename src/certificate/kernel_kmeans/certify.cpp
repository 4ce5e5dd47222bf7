#include "certificate/kernel_kmeans/certify.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/kernel/stated_kernel.hpp"
#include "certificate/sentence.hpp"
#include "certificate/verdict.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_kmeans {
namespace {

struct Facts {
  double weight = 0;
  Index count = 0;
  bool same_rows = true;
  double cost = 0, null = 0;      // F with one mean for each cluster, and with one for all
  double computed = 0;            // the most by which a row is nearer to another mean, as computed
  double excess = 0;              // the same, rounding included; 0: it is shown that no row is
  double slack = 0;               // what rounding can do to a distance
  double shares = 0, squares = 0; // the largest errors of those of the model, over their size
  std::vector<double> cluster_weight, cluster_cost;
};

class Judge {
public:
  Judge(const Claimed& claimed, Pool& pool)
      : claimed_(claimed), pool_(pool), n_(claimed.points.count()), clusters_(std::ssize(claimed.square)),
        of_cluster_(claimed.square.size()) {
    out_.cluster_weight.assign(at(clusters_), 0.0);
    out_.cluster_cost.assign(at(clusters_), 0.0);
  }

  void weigh(const Batch& batch) {
    for (const Index i : present_rows(batch)) {
      const std::size_t number = weight_.size();
      weight_.push_back(batch.weight.empty() ? 1 : batch.weight[at(i)]);
      if (number < claimed_.of_row.size()) of_cluster_[at(claimed_.of_row[number])].add(weight_.back());
    }
    for (std::size_t c = 0; c < of_cluster_.size(); ++c) out_.cluster_weight[c] = of_cluster_[c].value();
  }

  // After all rows were weighed: their products with the means.
  void see(const Batch& batch) {
    constexpr std::size_t kRows = 256;
    const std::vector<Index> present = present_rows(batch);
    std::vector<double> values(std::min(kRows, present.size()) * at(n_));
    for (std::size_t from = 0; from < present.size(); from += kRows) {
      keep_going();
      const std::size_t some = std::min(kRows, present.size() - from), begin = error_.size();
      kernel::Queries queries;
      for (std::size_t q = 0; q < some; ++q)
        std::visit([&](const auto& view) { claimed_.points.ask(view, present[from + q], queries); }, batch.x);
      claimed_.points.values(claimed_.kernel, queries, values.data(), n_, &pool_);
      inside_.resize((begin + some) * at(clusters_));
      for (std::size_t q = 0; q < some; ++q) {
        const std::size_t number = begin + q;
        error_.push_back(claimed_.points.error(claimed_.kernel, queries, static_cast<Index>(q)));
        out_.same_rows = out_.same_rows && number < claimed_.rows.size() &&
                         claimed_.rows[number] == batch.first_row + present[from + q] &&
                         claimed_.points.is(static_cast<Index>(number), queries, static_cast<Index>(q));
        add(values.data() + q * at(n_), inside_.data() + number * at(clusters_));
        for (Index j = 0; j < n_; ++j) largest_ = std::max(largest_, std::abs(values[q * at(n_) + at(j)]));
      }
    }
  }

  Facts take() {
    CompensatedSum total;
    for (const double weight : weight_) total.add(weight);
    out_.weight = total.value();
    out_.count = std::ssize(weight_);
    out_.same_rows = out_.same_rows && out_.count == n_;
    if (out_.same_rows) {
      look_at_means();
      look_at_rows();
    }
    return std::move(out_);
  }

private:
  void add(const double* values, double* inside) const {
    std::vector<CompensatedSum> sums(at(clusters_));
    for (std::size_t j = 0; j < claimed_.of_row.size() && j < weight_.size(); ++j)
      sums[at(claimed_.of_row[j])].add_product(weight_[j] / out_.cluster_weight[at(claimed_.of_row[j])], values[j]);
    for (Index c = 0; c < clusters_; ++c) inside[c] = sums[at(c)].value();
  }

  static void larger(double& worst, double one) { worst = std::isnan(one) ? kInfinity : std::max(worst, one); }

  void look_at_means() {
    square_.assign(at(clusters_), 0.0);
    std::vector<CompensatedSum> squares(at(clusters_));
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const std::size_t c = at(claimed_.of_row[i]);
      const double share = weight_[i] / out_.cluster_weight[c];
      if (claimed_.share[i] != share) larger(out_.shares, std::abs(claimed_.share[i] - share) / share);
      squares[c].add_product(share, inside_[i * at(clusters_) + c]);
      largest_ = std::max(largest_, std::abs(claimed_.points.own_value(claimed_.kernel, static_cast<Index>(i))));
    }
    for (std::size_t c = 0; c < square_.size(); ++c) {
      square_[c] = squares[c].value();
      larger(out_.squares, std::abs(claimed_.square[c] - square_[c]) / largest_);
    }
  }

  void look_at_rows() {
    CompensatedSum cost, whole, means;
    out_.slack = slack();
    std::vector<CompensatedSum> by_cluster(at(clusters_));
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const double self = claimed_.points.own_value(claimed_.kernel, static_cast<Index>(i)),
                   share = weight_[i] / out_.weight;
      const auto distance = [&](std::size_t c) { return self - 2 * inside_[i * at(clusters_) + c] + square_[c]; };
      const std::size_t mine = at(claimed_.of_row[i]);
      for (std::size_t c = 0; c < square_.size(); ++c) {
        if (c == mine) continue;
        const double apart = distance(mine) - distance(c);
        larger(out_.computed, std::max(0.0, apart));
        if (!(apart < -out_.slack)) larger(out_.excess, std::max(0.0, apart) + out_.slack);
      }
      cost.add(share * distance(mine));
      by_cluster[mine].add(share * distance(mine));
      whole.add_product(share, self);
      for (std::size_t c = 0; c < square_.size(); ++c) // |mean of all|^2, by the means of the clusters
        means.add(share * (out_.cluster_weight[c] / out_.weight) * inside_[i * at(clusters_) + c]);
    }
    out_.cost = cost.value(), out_.null = whole.value() - means.value();
    for (std::size_t c = 0; c < by_cluster.size(); ++c) out_.cluster_cost[c] = by_cluster[c].value();
  }

  // With e what a value of the kernel can be off by and K the largest of them: shares have three roundings, so
  // <phi(x), m_c> is off by e + 5 u K, |m_c|^2 by e + 10 u K, and a difference of two distances by 6 e + 56 u K with
  // its own roundings. A distance itself is off by less than 8 e + 64 u K. The sums are compensated: n^2 u of their
  // last place.
  double slack() const {
    const double error = *std::ranges::max_element(error_), n = static_cast<double>(n_);
    return 8 * error + (64 + n * n * kUnit) * kUnit * largest_;
  }

  const Claimed& claimed_;
  Pool& pool_;
  Index n_, clusters_;
  std::vector<CompensatedSum> of_cluster_;
  std::vector<double> weight_, inside_, error_, square_;
  double largest_ = 0;
  Facts out_;
};

std::string text_of(const Facts& facts, const Verdict& verdict) {
  if (verdict == Verdict::proved) return "every row is nearest to the mean of its own cluster";
  if (verdict == Verdict::within_tolerance)
    return fmt::format("every row is nearest to the mean of its own cluster as computed, and with rounding the square "
                       "of its distance may be {} more than that to another mean",
                       at_most(facts.excess));
  return fmt::format(
      "not every row is nearest to the mean of its own cluster (the squares of one's distances differ by "
      "{:.2g})",
      facts.computed);
}

// A row about as near to another mean may belong to either: rounding larger than what lies between is no proof.
Certificate certificate_of(const Facts& facts, const Claimed& claimed) {
  constexpr double kTie = 1e-10; // of the cost with one mean for all: two means that are about as near
  Certificate out;
  out.objective = facts.cost, out.null_objective = facts.null;
  out.slack = facts.slack;
  out.stop = claimed.stop;
  out.passes = 3;
  out.verdict = verdict_of({.distance = facts.computed,
                            .slack = facts.excess > 0 ? facts.slack : 0,
                            .forgiven = std::max(facts.slack, kTie * facts.null),
                            .ended_early = claimed.ended_early,
                            .contradicted = !facts.same_rows});
  out.claim = Described{
      "fixed_point",
      fmt::format("{}, checked in a fresh pass over the rows; the cost {:.6g} is a fixed point of Lloyd's steps{}, and "
                  "other clusters may cost less",
                  text_of(facts, out.verdict), facts.cost,
                  out.verdict == Verdict::within_tolerance ? " but for rounding" : ""),
      {{"excess", facts.excess}}};
  if (!facts.same_rows) contradict(out, "its rows are not those it was fitted to");
  const double summed = static_cast<double>(facts.count + 8) * kUnit; // weights of a cluster, added up one by one
  if (facts.shares > summed) contradict(out, "the shares of its rows are not those of their weights");
  if (facts.squares > kStatedSums) contradict(out, "its means are not those of their rows");
  return out;
}

} // namespace

Result<Judged> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch) {
  const Listening listening(watch, "certifying");
  Judge judge(claimed, pool);
  for (const bool weighing : {true, false}) {
    const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
      weighing ? judge.weigh(batch) : judge.see(batch);
      return {};
    });
    if (!read) return std::unexpected(read.error());
  }
  Facts facts = judge.take();
  Certificate certificate = certificate_of(facts, claimed);
  return Judged{std::move(certificate), facts.weight, facts.count, std::move(facts.cluster_weight),
                std::move(facts.cluster_cost)};
}

void compare(const Stated& stated, Judged& judged) {
  const Certificate& certificate = judged.certificate;
  Differences differences;
  compare_kernels(stated.kernel, stated.kernel_asked, differences);
  const auto clusters = static_cast<double>(stated.weight.size());
  if (clusters != stated.clusters_asked)
    differences.add(fmt::format("it has {} clusters, and {} were asked for", clusters, stated.clusters_asked));
  const auto differ = [](double one, double other, double size) {
    return !(std::abs(one - other) <= kStatedSums * size);
  };
  const double cost = certificate.objective + certificate.slack;
  for (std::size_t c = 0; c < stated.weight.size(); ++c)
    if (differ(stated.weight[c], judged.cluster_weight[c], judged.weight) ||
        differ(stated.cost[c], judged.cluster_cost[c], cost))
      differences.add(fmt::format("the weight or the cost of cluster {} is not that of its rows", c + 1));
  if (differ(stated.objective, certificate.objective, cost))
    differences.add(fmt::format("the cost is {} in the file, {} by the rows", stated.objective, certificate.objective));
  differences.refute(judged.certificate);
}

} // namespace recta::kernel_kmeans
