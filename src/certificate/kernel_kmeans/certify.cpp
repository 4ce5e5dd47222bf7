#include "certificate/kernel_kmeans/certify.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta::kernel_kmeans {
namespace {

class Judge {
public:
  Judge(const Claimed& claimed, Pool& pool)
      : claimed_(claimed), pool_(pool), n_(claimed.points.count()), clusters_(std::ssize(claimed.square)) {
    out_.cluster_weight.assign(at(clusters_), 0.0);
    out_.cluster_cost.assign(at(clusters_), 0.0);
  }

  void weigh(const Batch& batch) {
    for (const Index i : present_rows(batch)) {
      const std::size_t number = weight_.size();
      weight_.push_back(batch.weight.empty() ? 1 : batch.weight[at(i)]);
      if (number < claimed_.of_row.size()) out_.cluster_weight[at(claimed_.of_row[number])] += weight_.back();
    }
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
      }
    }
  }

  Proof take() {
    CompensatedSum total;
    for (const double weight : weight_) total.add(weight);
    out_.weight = total.value();
    out_.count = std::ssize(weight_);
    out_.same_rows = out_.same_rows && out_.count == n_;
    if (!out_.same_rows) return out_;
    look_at_means();
    look_at_rows();
    return out_;
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
      larger(out_.shares, std::abs(claimed_.share[i] - share) / share);
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
    const double error = *std::ranges::max_element(error_);
    out_.slack = 4 * error + 64 * static_cast<double>(n_) * kUnit * 4 * largest_;
    std::vector<CompensatedSum> by_cluster(at(clusters_));
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const double self = claimed_.points.own_value(claimed_.kernel, static_cast<Index>(i)),
                   share = weight_[i] / out_.weight;
      const auto distance = [&](std::size_t c) { return self - 2 * inside_[i * at(clusters_) + c] + square_[c]; };
      const std::size_t mine = at(claimed_.of_row[i]);
      for (std::size_t c = 0; c < square_.size(); ++c)
        larger(out_.excess, std::max(0.0, distance(mine) - distance(c) - out_.slack));
      cost.add(share * distance(mine));
      by_cluster[mine].add(share * distance(mine));
      whole.add_product(share, self);
      for (std::size_t c = 0; c < square_.size(); ++c) // |mean of all|^2, by the means of the clusters
        means.add(share * (out_.cluster_weight[c] / out_.weight) * inside_[i * at(clusters_) + c]);
    }
    out_.cost = cost.value(), out_.null = whole.value() - means.value();
    for (std::size_t c = 0; c < by_cluster.size(); ++c) out_.cluster_cost[c] = by_cluster[c].value();
  }

  const Claimed& claimed_;
  Pool& pool_;
  Index n_, clusters_;
  std::vector<double> weight_, inside_, error_, square_;
  double largest_ = 0;
  Proof out_;
};

} // namespace

Result<Proof> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch) {
  const Listening listening(watch, "certifying");
  Judge judge(claimed, pool);
  for (const bool weighing : {true, false}) {
    const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
      weighing ? judge.weigh(batch) : judge.see(batch);
      return {};
    });
    if (!read) return std::unexpected(read.error());
  }
  return judge.take();
}

} // namespace recta::kernel_kmeans
