#include "certificate/kernel_pca/certify.hpp"

#include "base/blas.hpp"
#include "base/large_memory.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "base/transpose.hpp"
#include "certificate/kernel/stated_kernel.hpp"
#include "certificate/sentence.hpp"
#include "certificate/verdict.hpp"
#include "stats/rows.hpp"

#include <recta/dataset.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace recta::kernel_pca {
namespace {

struct Facts {
  double weight = 0;
  Index count = 0;
  bool same_rows = true;
  double residual = 0;  // the largest, over the largest variance
  double slack = 0;     // what rounding can have done to it
  double total = 0;     // the trace of A, as the rows give it
  double other = 0;     // no direction beside those of the model has more variance; infinite: not shown
  double constants = 0; // the largest error of b and of the trace, over their size
};

class Judge {
public:
  Judge(const Claimed& claimed, Pool& pool)
      : claimed_(claimed), pool_(pool), n_(claimed.points.count()), components_(std::ssize(claimed.variance)) {}

  void see(const Batch& batch) {
    for (const Index i : present_rows(batch)) {
      const std::size_t number = weight_.size();
      weight_.push_back(batch.weight.empty() ? 1 : batch.weight[at(i)]);
      kernel::Queries query;
      std::visit([&](const auto& view) { claimed_.points.ask(view, i, query); }, batch.x);
      out_.same_rows = out_.same_rows && number < claimed_.rows.size() &&
                       claimed_.rows[number] == batch.first_row + i &&
                       claimed_.points.is(static_cast<Index>(number), query, 0);
      if (claimed_.points.of_texts()) { // how far they can be off is known with the values
        text_values_.resize(at(n_));
        claimed_.points.values(claimed_.kernel, query, text_values_.data(), n_);
      }
      error_.push_back(claimed_.points.error(claimed_.kernel, query, 0));
      relative_error_.push_back(claimed_.points.relative_error(claimed_.kernel, query, 0));
    }
  }

  Facts take() {
    out_.count = std::ssize(weight_);
    CompensatedSum total;
    for (const double weight : weight_) total.add(weight);
    out_.weight = total.value();
    out_.same_rows = out_.same_rows && out_.count == n_;
    if (!out_.same_rows) return out_;
    const blas::SerialBlas serial;
    write_matrix();
    look_at_vectors();
    look_beside();
    return out_;
  }

private:
  void write_matrix() {
    const LargePages pages(LargePages::room(at(n_ * n_) * sizeof(double)));
    a_.resize(at(n_ * n_));
    claimed_.points.upper_triangle(claimed_.kernel, a_.data(), &pool_);
    for (const double weight : weight_) root_.push_back(std::sqrt(weight / out_.weight));
    mirror_upper(a_.data(), n_, pool_);
    std::vector<double> mean(at(n_)), share;
    for (const double root : root_) share.push_back(root * root);
    pool_.run(n_, [&](Index j, int) { mean[at(j)] = blas::dot(n_, share.data(), a_.data() + j * n_); });
    off_ = rounding_of_matrix(share);
    const double middle = blas::dot(n_, share.data(), mean.data());
    pool_.run(n_, [&](Index j, int) {
      for (Index i = 0; i < n_; ++i)
        a_[at(j * n_ + i)] = root_[at(i)] * root_[at(j)] * (a_[at(j * n_ + i)] - mean[at(i)] - mean[at(j)] + middle);
    });
    CompensatedSum trace;
    for (Index j = 0; j < n_; ++j) trace.add(a_[at(j * n_ + j)]);
    out_.total = trace.value();
    constant(out_.total, claimed_.total, std::abs(out_.total) + off_);
    for (Index c = 0; c < components_; ++c) {
      CompensatedSum sum, size;
      for (Index i = 0; i < n_; ++i) {
        sum.add_product(claimed_.alpha[at(c * n_ + i)], mean[at(i)]);
        size.add(std::abs(claimed_.alpha[at(c * n_ + i)] * mean[at(i)]));
      }
      constant(-sum.value(), claimed_.b[at(c)], size.value() + std::sqrt(claimed_.variance[at(c)]));
    }
  }
  // |A - exact|, by squares of its numbers: sum s_i s_j e_ij^2 of the kernel's values, which Q does not make longer,
  // and what rounding does to shares, means and differences. With k_i = sum_j s_j |k_ij| a mean is off by (n + 2) u
  // k_i.
  double rounding_of_matrix(const std::vector<double>& share) {
    constexpr double kLost = 1e-300; // of exponentials that have lost their digits
    std::vector<double> errors(at(n_)), squares(at(n_)), sizes(at(n_));
    pool_.run(n_, [&](Index j, int) {
      const double* const column = a_.data() + j * n_;
      double error = 0, square = 0, size = 0;
      for (Index i = 0; i < n_; ++i) {
        const double value = std::abs(column[i]), relative = relative_error_[at(j)] * value;
        const double off = std::isfinite(relative) ? std::min(error_[at(j)], relative + kLost) : error_[at(j)];
        error += share[at(i)] * off * off, square += share[at(i)] * value * value, size += share[at(i)] * value;
      }
      errors[at(j)] = share[at(j)] * error, squares[at(j)] = share[at(j)] * square;
      sizes[at(j)] = share[at(j)] * size * size;
    });
    constexpr double kSummed = 1e-9; // more than 2 n u: sums of n sums of n terms, none below zero
    const auto root_of = [](const std::vector<double>& terms) {
      return std::sqrt(std::accumulate(terms.begin(), terms.end(), 0.0)) * (1 + kSummed);
    };
    const double n = static_cast<double>(n_);
    return root_of(errors) + (4 * n + 64) * kUnit * root_of(sizes) + 32 * kUnit * root_of(squares);
  }
  void constant(double computed, double stated, double size) {
    const double apart = std::abs(computed - stated) / (size > 0 ? size : 1);
    out_.constants = std::isnan(apart) ? kInfinity : std::max(out_.constants, apart);
  }

  void look_at_vectors() {
    const Index k = components_;
    u_.resize(at(n_ * k));
    for (Index c = 0; c < k; ++c)
      for (Index i = 0; i < n_; ++i)
        u_[at(c * n_ + i)] = std::sqrt(claimed_.variance[at(c)]) / root_[at(i)] * claimed_.alpha[at(c * n_ + i)];
    std::vector<double> product(at(n_ * k)), inside(at(k * k));
    by_columns([&](Index first, Index some) { // of A, which are its rows
      blas::gemm(1, blas::transposed({a_.data() + first * n_, n_, some}), {u_.data(), n_, k}, 0,
                 {product.data() + first, some, k, n_});
    });
    blas::gemm(1, blas::transposed({u_.data(), n_, k}), {u_.data(), n_, k}, 0, {inside.data(), k});
    const double first = claimed_.variance[0];
    const auto look = [&](double one) { out_.residual = std::isnan(one) ? kInfinity : std::max(out_.residual, one); };
    for (Index c = 0; c < k; ++c) {
      CompensatedSum square;
      for (Index i = 0; i < n_; ++i) {
        const double r = product[at(c * n_ + i)] - claimed_.variance[at(c)] * u_[at(c * n_ + i)];
        square.add_product(r, r);
      }
      look(std::sqrt(square.value()) / first);
      for (Index d = 0; d < k; ++d) look(std::abs(inside[at(c * k + d)] - (c == d ? 1 : 0)));
      if (c > 0 && !(claimed_.variance[at(c)] <= claimed_.variance[at(c - 1)])) look(kInfinity);
    }
    out_.slack = (off_ + static_cast<double>(n_ + 16) * kUnit * first) / first + static_cast<double>(n_ + 16) * kUnit;
  }

  // What the components leave of A is within `off_` of its exact eigenvalues.
  void look_beside() {
    const Index k = components_;
    const double least = claimed_.variance.back();
    std::vector<double> scaled = u_;
    for (Index c = 0; c < k; ++c)
      for (Index i = 0; i < n_; ++i) scaled[at(c * n_ + i)] *= claimed_.variance[at(c)];
    std::vector<double> squares(at(n_));
    by_columns([&](Index first, Index some) {
      blas::gemm(-1, {scaled.data(), n_, k}, blas::transposed({u_.data() + first, some, k, n_}), 1,
                 {a_.data() + first * n_, n_, some});
      for (Index j = first; j < first + some; ++j)
        squares[at(j)] = blas::dot(n_, a_.data() + j * n_, a_.data() + j * n_);
    });
    const double n = static_cast<double>(n_);
    if (n_ > kMostFactored) {
      CompensatedSum square;
      for (const double one : squares) square.add(one);
      out_.other = std::sqrt(square.value()) * (1 + (n + 16) * kUnit) + off_; // squares: sums of n products each
      return;
    }
    // A factor of B + E with |E| <= (n + 2)^2 u |B|: rounding of the factorisation (Higham 2002, theorem 10.5).
    const double rounding = 8 * n * kUnit * claimed_.variance[0] + off_;
    constexpr double kAbove = 1e-9; // any mu shows that `other` is a bound; a factor needs a little room
    const double mu = least * (1 + kAbove) + rounding;
    for (double& entry : a_) entry = -entry;
    for (Index j = 0; j < n_; ++j) a_[at(j * n_ + j)] += mu;
    announce("the directions beside the components", n * n * n / 3);
    out_.other = blas::potrf({a_.data(), n_}) == 0 ? mu + rounding : kInfinity;
  }

  // work(first, some) for all columns, some at a time: as many whatever the threads.
  void by_columns(const std::function<void(Index first, Index some)>& work) {
    constexpr Index kTogether = 256;
    pool_.run((n_ + kTogether - 1) / kTogether, [&](Index chunk, int) {
      const Index first = chunk * kTogether;
      work(first, std::min(kTogether, n_ - first));
    });
  }

  const Claimed& claimed_;
  Pool& pool_;
  Index n_, components_;
  std::vector<double> weight_, root_, u_, text_values_, error_, relative_error_; // errors: by row
  Values a_;
  double off_ = 0;
  Facts out_;
};

double carried_by(const Claimed& claimed) {
  return std::accumulate(claimed.variance.begin(), claimed.variance.end(), 0.0);
}

std::string text_of(const Claimed& claimed, const Facts& facts, bool largest) {
  const std::size_t components = claimed.variance.size();
  return fmt::format(
      "{} of the kernel about its mean {} to {} of the largest eigenvalue (tolerance {:.2g}); checked with the matrix "
      "of a fresh pass over the rows{}",
      components == 1 ? "the component is an eigenvector"
                      : fmt::format("the {} components are eigenvectors", components),
      components == 1 ? "and holds" : "and hold", at_most(facts.residual + facts.slack), claimed.tolerance,
      largest ? "; no direction beside them has more variance than the last of them" : "");
}

Certificate certificate_of(const Claimed& claimed, const Facts& facts) {
  Certificate out;
  const double least = claimed.variance.back(), first = claimed.variance[0], tolerance = claimed.tolerance;
  out.objective = facts.total - carried_by(claimed), out.null_objective = facts.total;
  out.tolerance = tolerance, out.slack = facts.slack;
  out.stop = "solved in closed form";
  out.passes = 3;
  const bool same_constants = facts.constants <= kStatedSums, exceeded = std::isinf(facts.other);
  const bool right = facts.same_rows && facts.residual <= tolerance && same_constants;
  constexpr double kAlike = 1e-6; // variances that are nearer than this are alike
  const bool largest = facts.other <= least * (1 + kAlike) + facts.slack * first;
  out.claim = Described{"eigenvectors",
                        text_of(claimed, facts, largest),
                        {{"residual", facts.residual + facts.slack},
                         {"other_variance", facts.other},
                         {"shown_largest", largest ? 1.0 : 0.0}}};
  out.verdict = verdict_of({.distance = facts.residual,
                            .slack = facts.slack,
                            .limit = tolerance,
                            .is_bound = largest,
                            .contradicted = !facts.same_rows || !same_constants || exceeded});
  if (right && facts.residual + facts.slack > tolerance)
    out.conditions.push_back(
        fmt::format("as computed they hold to {:.2g}, and rounding may hide the rest", facts.residual));
  if (right && !largest)
    out.conditions.push_back(
        exceeded ? "a direction beside them has more variance than the last of them"
                 : fmt::format("that no direction beside them has more variance than the last, {:.6g}, is not shown: "
                               "by the squares that are left it has at most {:.6g}",
                               least, facts.other));
  if (!facts.same_rows) out.conditions.emplace_back("its rows are not those it was fitted to");
  if (!same_constants) out.conditions.emplace_back("its constants are not those of its rows");
  return out;
}

} // namespace

Result<Judged> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch) {
  const Listening listening(watch, "certifying");
  Judge judge(claimed, pool);
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    judge.see(batch);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  const Facts facts = judge.take();
  return Judged{certificate_of(claimed, facts), facts.weight, facts.count};
}

void compare(const Stated& stated, const Claimed& claimed, Judged& judged) {
  constexpr double kShares = 1e-12; // of a share that is reached to rounding
  Differences differences;
  compare_kernels(stated.kernel, stated.kernel_asked, differences);
  const double carried = carried_by(claimed), total = judged.certificate.null_objective, requested = stated.components;
  const auto count = static_cast<double>(claimed.variance.size());
  const bool all = total - carried <= kStatedSums * total;
  const bool enough = carried >= requested * total * (1 - kShares);
  const bool meant = requested >= 1 ? count == requested || (count < requested && all)
                                    : enough && carried - claimed.variance.back() < requested * total;
  if (!meant) differences.add(fmt::format("it has {} components, and {} were requested", count, requested));
  differences.refute(judged.certificate);
}

} // namespace recta::kernel_pca
