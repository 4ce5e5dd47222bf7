#include "certificate/kernel_ridge/certify.hpp"

#include "base/explained_share.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "kernel/expansion.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta::kernel_ridge {
namespace {

// What every row gives for one target, with weights that do not add up to one yet.
struct RowResult {
  double y = 0, residual = 0, e = 0, off = 0, product = 0; // off: how far the exact e can be; product: alpha (K alpha)
};

class Judge {
public:
  Judge(const Claimed& claimed, Pool& pool)
      : claimed_(claimed), pool_(pool), count_(claimed.points.count()), targets_(std::ssize(claimed.b)),
        total_(at(targets_)), sum_(at(targets_)), results_(at(targets_)) {
    for (Index t = 0; t < targets_; ++t)
      for (Index k = 0; k < count_; ++k) {
        const double alpha = claimed.alpha[at(t * count_ + k)];
        total_[at(t)] += std::abs(alpha), sum_[at(t)].add(alpha);
      }
    for (Index k = 0; k < count_; ++k)
      longest_ = std::max(longest_, std::abs(claimed.points.own_value(claimed.kernel, k)));
  }

  void weigh(const Batch& batch) {
    for (const Index i : present_rows(batch)) {
      total_weight_.add(batch.weight.empty() ? 1 : batch.weight[at(i)]);
      ++out_.count;
    }
  }

  void see(const Batch& batch) {
    constexpr std::size_t kRows = 256;
    const std::vector<Index> present = present_rows(batch);
    std::vector<double> values(std::min(kRows, present.size()) * at(count_));
    for (std::size_t from = 0; from < present.size(); from += kRows) {
      keep_going();
      const std::size_t some = std::min(kRows, present.size() - from);
      const auto rows = std::span(present).subspan(from, some);
      kernel::Queries queries;
      for (const Index i : rows) std::visit([&](const auto& view) { claimed_.points.ask(view, i, queries); }, batch.x);
      claimed_.points.values(claimed_.kernel, queries, values.data(), count_, &pool_);
      const std::size_t begin = weight_.size();
      for (const Index i : rows) weight_.push_back(batch.weight.empty() ? 1 : batch.weight[at(i)]);
      for (auto& results : results_) results.resize(weight_.size());
      std::vector<char> same(some);
      pool_.run(static_cast<Index>(some), [&](Index q, int) {
        const Index i = rows[at(q)];
        same[at(q)] = look(batch, i, begin + at(q), queries, q, values.data() + q * count_) ? 1 : 0;
      });
      out_.same_rows = out_.same_rows && std::ranges::all_of(same, [](char one) { return one != 0; });
    }
  }

  Proof take() {
    out_.same_rows = out_.same_rows && std::ssize(weight_) == count_;
    out_.weight = total_weight_.value();
    for (Index t = 0; t < targets_; ++t) add_target(t);
    return out_;
  }

private:
  // `number`: among the rows with weight, which are those of the model one by one.
  bool look(const Batch& batch, Index i, std::size_t number, const kernel::Queries& queries, Index query,
            const double* values) {
    const bool known = number < claimed_.rows.size() && claimed_.rows[number] == batch.first_row + i &&
                       claimed_.points.is(static_cast<Index>(number), queries, query);
    const double share = weight_[number] / total_weight_.value();
    const double error = claimed_.points.error(claimed_.kernel, queries, query);
    for (Index t = 0; t < targets_; ++t) {
      const std::span alpha(claimed_.alpha.data() + t * count_, at(count_));
      const kernel::Expansion sum = kernel::expansion(alpha, values);
      const double y = element(batch.target, i, t), coefficient = known ? alpha[number] : 0;
      const double pull = claimed_.lambda * coefficient / share;
      const DoubleDouble residual = DoubleDouble(y) - DoubleDouble(claimed_.b[at(t)]) - DoubleDouble(sum.value);
      RowResult& out = results_[at(t)][number];
      out.y = y;
      out.residual = residual.hi;
      out.e = (residual - DoubleDouble(pull)).hi;
      out.off = total_[at(t)] * error + sum.error + claimed_.rounding * std::abs(coefficient) +
                0x1p-51 * std::abs(pull) + 0x1p-52 * (std::abs(residual.hi) + std::abs(out.e));
      out.product = coefficient * sum.value;
    }
    return known;
  }

  // The weighted mean of the target about its first value, which a target that does not vary equals exactly.
  double null_of(const std::vector<RowResult>& rows) const {
    CompensatedSum sum, squares;
    const double first = rows.empty() ? 0 : rows[0].y;
    for (std::size_t i = 0; i < rows.size(); ++i) sum.add_product(weight_[i] / out_.weight, rows[i].y - first);
    const double mean = claimed_.intercept ? first + sum.value() : 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      squares.add_product(weight_[i] / out_.weight, (rows[i].y - mean) * (rows[i].y - mean));
    return squares.value();
  }

  void add_target(Index t) {
    const std::vector<RowResult>& rows = results_[at(t)];
    const double m = claimed_.intercept ? claimed_.lambda * sum_[at(t)].value() : 0;
    const double m_off = claimed_.intercept ? claimed_.lambda * 0x1p-52 * total_[at(t)] : 0;
    CompensatedSum gap, mse, square, violation;
    double slack = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double share = weight_[i] / out_.weight, e = rows[i].e + m, off = rows[i].off + m_off;
      gap.add_product(share / 2 * e, e);
      violation.add_product(share * rows[i].e, rows[i].e);
      mse.add_product(share * rows[i].residual, rows[i].residual);
      square.add(rows[i].product);
      slack += share * (std::abs(e) * off + off * off / 2);
    }
    const double all = std::abs(m) + m_off; // sum s d = 0 to rounding only
    slack += (2 * std::abs(m) * m_off + m_off * m_off) * longest_ / (2 * claimed_.lambda) + 0x1p-45 * gap.value();
    double squares = 0;
    for (Index k = 0; k < count_; ++k)
      squares += claimed_.alpha[at(t * count_ + k)] * claimed_.alpha[at(t * count_ + k)];
    slack += claimed_.lambda / 2 * claimed_.rounding * squares;
    out_.gap += gap.value() + (all > 0 ? m * m * longest_ / (2 * claimed_.lambda) : 0);
    out_.slack += slack;
    out_.violation = std::max(out_.violation, std::sqrt(std::max(0.0, violation.value())));
    const double null = null_of(rows);
    out_.mse.push_back(mse.value());
    out_.squared.push_back(square.value());
    out_.r2.push_back(null > 0 ? explained_share(mse.value(), null) : kNaN);
    out_.objective += mse.value() / 2 + claimed_.lambda / 2 * square.value();
    out_.null += null / 2;
  }

  const Claimed& claimed_;
  Pool& pool_;
  Index count_, targets_;
  double longest_ = 0; // max k(x_i, x_i)
  std::vector<double> total_;
  std::vector<CompensatedSum> sum_;
  CompensatedSum total_weight_;
  std::vector<double> weight_;
  std::vector<std::vector<RowResult>> results_;
  Proof out_;
};

} // namespace

Result<Proof> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch) {
  const Listening listening(watch, "certifying");
  Judge judge(claimed, pool);
  const auto weighed = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    judge.weigh(batch);
    return {};
  });
  if (!weighed) return std::unexpected(weighed.error());
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    judge.see(batch);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return judge.take();
}

} // namespace recta::kernel_ridge
