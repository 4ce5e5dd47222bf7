#include "certificate/kernel_pca/certify.hpp"

#include "base/blas.hpp"
#include "base/large_memory.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "base/transpose.hpp"
#include "stats/rows.hpp"

#include <recta/dataset.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace recta::kernel_pca {
namespace {

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
      if (number < claimed_.rows.size()) error_ = std::max(error_, claimed_.points.error(claimed_.kernel, query, 0));
    }
  }

  Proof take() {
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
    std::vector<double> mean(at(n_)), most(at(n_)), share;
    for (const double root : root_) share.push_back(root * root);
    pool_.run(n_, [&](Index j, int) {
      const double* const column = a_.data() + j * n_;
      mean[at(j)] = blas::dot(n_, share.data(), column);
      for (Index i = 0; i < n_; ++i) most[at(j)] = std::max(most[at(j)], std::abs(column[i]));
    });
    const double largest = std::ranges::max(most);
    const double middle = blas::dot(n_, share.data(), mean.data());
    pool_.run(n_, [&](Index j, int) {
      for (Index i = 0; i < n_; ++i)
        a_[at(j * n_ + i)] = root_[at(i)] * root_[at(j)] * (a_[at(j * n_ + i)] - mean[at(i)] - mean[at(j)] + middle);
    });
    CompensatedSum trace;
    for (Index j = 0; j < n_; ++j) trace.add(a_[at(j * n_ + j)]);
    out_.total = trace.value();
    // |A - exact| is at most the sum of the shares, 1, times what each value can be off: by the kernel, and by rounding
    // in the sums of n products.
    off_ = 4 * error_ + static_cast<double>(n_ + 16) * kUnit * 4 * largest;
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
      blas::gemm(blas::Op::transposed, blas::Op::plain, some, k, n_, 1, {a_.data() + first * n_, n_}, {u_.data(), n_},
                 0, {product.data() + first, n_});
    });
    blas::gemm(blas::Op::transposed, blas::Op::plain, k, k, n_, 1, {u_.data(), n_}, {u_.data(), n_}, 0,
               {inside.data(), k});
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
      blas::gemm(blas::Op::plain, blas::Op::transposed, n_, some, k, -1, {scaled.data(), n_}, {u_.data() + first, n_},
                 1, {a_.data() + first * n_, n_});
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
    const double mu = least * (1 + 1e-9) + rounding;
    for (double& entry : a_) entry = -entry;
    for (Index j = 0; j < n_; ++j) a_[at(j * n_ + j)] += mu;
    announce("the directions beside the components", n * n * n / 3);
    out_.other = blas::potrf(n_, {a_.data(), n_}) == 0 ? mu + rounding : kInfinity;
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
  std::vector<double> weight_, root_, u_, text_values_;
  Values a_;
  double error_ = 0, off_ = 0;
  Proof out_;
};

} // namespace

Result<Proof> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch) {
  const Listening listening(watch, "certifying");
  Judge judge(claimed, pool);
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    judge.see(batch);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return judge.take();
}

} // namespace recta::kernel_pca
