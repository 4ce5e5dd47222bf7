#include "certificate/kernel_ridge/certify.hpp"

#include "base/explained_share.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/kernel/definite.hpp"
#include "certificate/kernel/stated_kernel.hpp"
#include "certificate/kernel_ridge/left_out.hpp"
#include "certificate/verdict.hpp"
#include "kernel/expansion.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta::kernel_ridge {
namespace {

// What every row gives for one target, with weights that do not add up to one yet.
struct RowResult {
  double y = 0, residual = 0, e = 0, off = 0; // off: how far the exact e can be
  double product = 0, product_off = 0;        // alpha (K alpha)
};

// Summed over the targets.
struct Bounds {
  double objective = 0, null = 0; // null: at w = 0 with the best intercept
  double gap = 0, slack = 0;      // F - F* <= gap + slack
  double hidden = 0;              // the objective is off by no more
  double violation = 0;  // the largest root of sum_i s_i e_i^2 over the targets, for kernels that are indefinite
  bool same_rows = true; // the model's rows are those it says
  Figures figures{};
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
      ++out_.figures.count;
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

  Bounds take() {
    out_.same_rows = out_.same_rows && std::ssize(weight_) == count_;
    out_.figures.weight = total_weight_.value();
    for (Index t = 0; t < targets_; ++t) add_target(t);
    if (claimed_.left_out && out_.same_rows) leave_out();
    return std::move(out_);
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
      out.off = total_[at(t)] * error + sum.error + 0x1p-51 * std::abs(pull) +
                0x1p-52 * (std::abs(residual.hi) + std::abs(out.e));
      out.product = coefficient * sum.value;
      out.product_off = std::abs(coefficient) * out.off;
    }
    return known;
  }

  // The weighted mean of the target about its first value, which a target that does not vary equals exactly.
  double null_of(const std::vector<RowResult>& rows) const {
    CompensatedSum sum, squares;
    const double first = rows.empty() ? 0 : rows[0].y;
    for (std::size_t i = 0; i < rows.size(); ++i) sum.add_product(weight_[i] / out_.figures.weight, rows[i].y - first);
    const double mean = claimed_.intercept ? first + sum.value() : 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      squares.add_product(weight_[i] / out_.figures.weight, (rows[i].y - mean) * (rows[i].y - mean));
    return squares.value();
  }

  void add_target(Index t) {
    const std::vector<RowResult>& rows = results_[at(t)];
    const double m = claimed_.intercept ? claimed_.lambda * sum_[at(t)].value() : 0;
    const double m_off = claimed_.intercept ? claimed_.lambda * 0x1p-52 * total_[at(t)] : 0;
    CompensatedSum gap, mse, square, violation;
    double slack = 0, hidden = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double share = weight_[i] / out_.figures.weight, e = rows[i].e + m, off = rows[i].off + m_off;
      gap.add_product(share / 2 * e, e);
      violation.add_product(share * rows[i].e, rows[i].e);
      mse.add_product(share * rows[i].residual, rows[i].residual);
      square.add(rows[i].product);
      slack += share * (std::abs(e) * off + off * off / 2);
      hidden += share * (std::abs(rows[i].residual) + off / 2) * off + claimed_.lambda / 2 * rows[i].product_off;
    }
    const double all = std::abs(m) + m_off; // sum s d = 0 to rounding only
    slack += (2 * std::abs(m) * m_off + m_off * m_off) * longest_ / (2 * claimed_.lambda) + 0x1p-45 * gap.value();
    out_.gap += gap.value() + (all > 0 ? m * m * longest_ / (2 * claimed_.lambda) : 0);
    out_.slack += slack;
    out_.hidden += hidden;
    out_.violation = std::max(out_.violation, std::sqrt(std::max(0.0, violation.value())));
    const double null = null_of(rows);
    out_.figures.mse.push_back(mse.value());
    out_.figures.squared.push_back(square.value());
    out_.figures.r2.push_back(null > 0 ? explained_share(mse.value(), null) : kNaN);
    out_.objective += mse.value() / 2 + claimed_.lambda / 2 * square.value();
    out_.null += null / 2;
  }

  void leave_out() {
    std::vector<double> share;
    for (const double weight : weight_) share.push_back(weight / out_.figures.weight);
    const std::vector<double> divisor =
        left_out_divisors({claimed_.kernel, claimed_.points, share, claimed_.lambda, claimed_.intercept}, pool_);
    for (Index t = 0; t < targets_; ++t) {
      CompensatedSum sum;
      for (std::size_t i = 0; i < share.size(); ++i) {
        const double e = claimed_.alpha[at(t * count_) + i] / divisor[i];
        sum.add_product(share[i] * e, e);
      }
      out_.figures.left_out.push_back(sum.value());
    }
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
  Bounds out_;
};

Certificate certificate_of(const Bounds& bounds, bool definite, double tolerance) {
  Certificate out;
  out.objective = bounds.objective, out.null_objective = bounds.null;
  out.tolerance = tolerance;
  out.stop = "solved in closed form";
  out.passes = 4;
  if (!definite) {
    out.claim = Stationary{bounds.violation};
    const double size = std::sqrt(2 * bounds.null);
    out.verdict = verdict_of({.distance = bounds.violation, .limit = 1e-5 * size, .is_bound = false});
    out.conditions.emplace_back("the kernel is not known to be positive semidefinite: the objective need not be "
                                "convex, and this is a stationary point");
  } else {
    out.claim = DualityGap{bounds.objective, bounds.objective - bounds.gap, bounds.gap, false};
    // The gap is summed by itself. The objective, and with it the bound below it, may be less sure: numbers of a kernel
    // far larger than the scores cancel in it.
    out.slack = bounds.slack + (bounds.hidden > 1e-12 * bounds.objective ? bounds.hidden : 0);
    out.verdict = verdict_of(
        {.distance = bounds.gap, .slack = out.slack, .limit = tolerance * bounds.null, .forgiven = out.slack});
    if (out.verdict == Verdict::within_tolerance)
      out.conditions.emplace_back("the rounding of the check can cost as much as the tolerance");
  }
  if (!bounds.same_rows) contradict(out, "its rows are not those it was fitted to");
  return out;
}

} // namespace

Result<Judged> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch) {
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
  const auto definite = is_definite(claimed.kernel, source, pool);
  if (!definite) return std::unexpected(definite.error());
  Bounds bounds = judge.take();
  Certificate certificate = certificate_of(bounds, *definite, claimed.tolerance);
  return Judged{std::move(certificate), std::move(bounds.figures)};
}

void compare(const Stated& stated, const Claimed& claimed, Judged& judged) {
  Certificate& certificate = judged.certificate;
  const Figures& figures = judged.figures;
  Differences differences;
  const auto close = [&](const char* what, double one, double other, double size) {
    differences.compare(what, one, other, kStatedSums * size);
  };
  compare_kernels(stated.kernel, stated.kernel_asked, differences);
  close("lambda", stated.lambda, stated.lambda_asked, stated.lambda_asked);
  close("the objective", stated.objective, certificate.objective, std::abs(certificate.objective));
  const double size = 2 * certificate.null_objective;
  if (figures.mse.size() != stated.mse.size()) differences.add("it has another number of targets than the rows");
  for (std::size_t t = 0; t < stated.mse.size() && t < figures.mse.size(); ++t) {
    close("the mean squared error", stated.mse[t], figures.mse[t], std::max(size, figures.mse[t]));
    close("R^2", stated.r2[t], figures.r2[t], 1);
    close("|w|^2", stated.squared[t], figures.squared[t], std::max(std::abs(figures.squared[t]), size));
  }
  constexpr double kQuotients = 1e3; // a row that its own coefficient alone explains loses digits
  for (std::size_t t = 0; t < stated.left_out.size() && t < figures.left_out.size(); ++t)
    close("the error on rows left out", stated.left_out[t], figures.left_out[t],
          kQuotients * std::max(size, figures.left_out[t]));
  if (!claimed.intercept && std::ranges::any_of(claimed.b, [](double b) { return b != 0; }))
    differences.add("it has an intercept, and none was asked for");
  differences.refute(certificate);
}

} // namespace recta::kernel_ridge
