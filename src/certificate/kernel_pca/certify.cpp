#include "certificate/kernel_pca/certify.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

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
    a_.resize(at(n_ * n_));
    claimed_.points.upper_triangle(claimed_.kernel, a_.data(), &pool_);
    for (const double weight : weight_) root_.push_back(std::sqrt(weight / out_.weight));
    std::vector<double> mean(at(n_));
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i <= j; ++i) a_[at(i * n_ + j)] = a_[at(j * n_ + i)];
    double middle = 0, largest = 0;
    for (Index j = 0; j < n_; ++j) {
      CompensatedSum sum;
      for (Index i = 0; i < n_; ++i) sum.add_product(root_[at(i)] * root_[at(i)], a_[at(j * n_ + i)]);
      mean[at(j)] = sum.value();
      largest = std::max(largest, std::abs(a_[at(j * n_ + j)]));
    }
    for (Index j = 0; j < n_; ++j) middle += root_[at(j)] * root_[at(j)] * mean[at(j)];
    CompensatedSum trace;
    for (Index j = 0; j < n_; ++j) {
      for (Index i = 0; i < n_; ++i)
        a_[at(j * n_ + i)] = root_[at(i)] * root_[at(j)] * (a_[at(j * n_ + i)] - mean[at(i)] - mean[at(j)] + middle);
      trace.add(a_[at(j * n_ + j)]);
    }
    out_.total = trace.value();
    // |A - exact| is at most the sum of the shares, 1, times what each value can be off.
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
    blas::gemm(blas::Op::plain, blas::Op::plain, n_, k, n_, 1, {a_.data(), n_}, {u_.data(), n_}, 0,
               {product.data(), n_});
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
    blas::gemm(blas::Op::plain, blas::Op::transposed, n_, n_, k, -1, {scaled.data(), n_}, {u_.data(), n_}, 1,
               {a_.data(), n_});
    if (n_ > kMostFactored) {
      CompensatedSum square;
      for (const double entry : a_) square.add_product(entry, entry);
      out_.other = std::sqrt(square.value()) + off_;
      return;
    }
    // A factor of B + E with |E| <= (n + 2)^2 u |B|: rounding of the factorisation (Higham 2002, theorem 10.5).
    const double n = static_cast<double>(n_);
    const double rounding = 8 * n * kUnit * claimed_.variance[0] + off_;
    const double mu = least * (1 + 1e-9) + rounding;
    for (double& entry : a_) entry = -entry;
    for (Index j = 0; j < n_; ++j) a_[at(j * n_ + j)] += mu;
    announce("the directions beside the components", n * n * n / 3);
    out_.other = blas::potrf(n_, {a_.data(), n_}) == 0 ? mu + rounding : kInfinity;
  }

  const Claimed& claimed_;
  Pool& pool_;
  Index n_, components_;
  std::vector<double> weight_, root_, a_, u_, text_values_;
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
