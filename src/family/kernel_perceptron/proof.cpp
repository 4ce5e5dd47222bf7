#include "family/kernel_perceptron/proof.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "kernel/expansion.hpp"

#include <algorithm>
#include <cmath>

namespace recta::kernel_perceptron {
namespace {

class Judge {
public:
  Judge(const PerceptronBody& body, const Part& part, const KernelData::Side& side, Pool& pool)
      : body_(body), part_(part), side_(side), pool_(pool), points_(body.points_of(part)) {
    for (const double beta : part.beta) total_ += std::abs(beta);
    for (const Index k : part.support) rows_.push_back(body.learned().vectors.rows[at(k)]);
    out_.least = out_.nearest = kInfinity;
  }

  void see(const Batch& batch) {
    constexpr std::size_t kRows = 256;
    std::vector<Index> present;
    for (Index i = 0; i < batch.rows(); ++i)
      if (side_.weight[at(batch.first_row + i)] > 0) present.push_back(i);
    const Index count = points_.count();
    std::vector<double> values(std::min(kRows, present.size()) * at(count));
    for (std::size_t from = 0; from < present.size(); from += kRows) {
      keep_going();
      const std::size_t some = std::min(kRows, present.size() - from);
      kernel::Queries queries;
      for (std::size_t q = 0; q < some; ++q)
        std::visit([&](const auto& view) { points_.ask(view, present[from + q], queries); }, batch.x);
      points_.values(body_.kernel(), queries, values.data(), count, &pool_);
      for (std::size_t q = 0; q < some; ++q)
        add(batch.first_row + present[from + q], queries, static_cast<Index>(q), values.data() + q * at(count));
    }
  }

  Proof take(double longest) {
    const double square = squared_.value() + squared_off_;
    out_.same_rows = out_.same_rows && next_ == rows_.size();
    out_.norm = square > 0 ? std::sqrt(square) * (1 + 0x1p-50) : 0;
    out_.radius = std::sqrt(longest + (body_.learned().intercept ? 1 : 0));
    out_.separates = out_.count > 0 && out_.least > 0 && out_.norm > 0;
    return out_;
  }

private:
  void add(Index number, const kernel::Queries& queries, Index query, const double* values) {
    const kernel::Expansion sum = kernel::expansion(part_.beta, values);
    const double z = sum.value + part_.b, y = side_.target[at(number)];
    const double off = total_ * points_.error(body_.kernel(), queries, query) + sum.error + 0x1p-52 * std::abs(z) +
                       0x1p-52 * std::abs(part_.b);
    out_.nearest = std::min(out_.nearest, y * z);
    out_.least = std::min(out_.least, y * z - off);
    out_.wrong += (z >= 0) == (y > 0) ? 0 : 1;
    ++out_.count;
    if (next_ == rows_.size() || rows_[next_] != number) return;
    out_.same_rows = out_.same_rows && points_.is(static_cast<Index>(next_), queries, query);
    const double beta = part_.beta[next_++];
    squared_.add_product(beta, z);
    squared_off_ += std::abs(beta) * (off + 0x1p-52 * std::abs(z));
  }

  const PerceptronBody& body_;
  const Part& part_;
  const KernelData::Side& side_;
  Pool& pool_;
  kernel::Points points_;
  std::vector<Index> rows_;
  std::size_t next_ = 0;
  double total_ = 0, squared_off_ = 0;
  CompensatedSum squared_;
  Proof out_;
};

} // namespace

Result<Proof> prove(const PerceptronBody& body, const Part& part, const KernelData& data, const KernelData::Side& side,
                    Pool& pool, const Watch& watch) {
  const Listening listening(watch, "certifying");
  Judge judge(body, part, side, pool);
  if (auto again = data.held->rewind(); !again) return std::unexpected(again.error());
  const auto read = for_each_batch(*data.held, [&](const Batch& batch) -> Result<void> {
    judge.see(batch);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  const kernel::Points all = data.points(side.present, body.kernel());
  double longest = 0;
  for (Index k = 0; k < all.count(); ++k) longest = std::max(longest, all.own_value(body.kernel(), k));
  return judge.take(longest);
}

} // namespace recta::kernel_perceptron
