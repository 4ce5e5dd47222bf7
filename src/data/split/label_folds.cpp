#include "data/split/label_folds.hpp"

#include "base/numbers.hpp"
#include "base/random.hpp"
#include "data/split/row_hash.hpp"

#include <algorithm>

namespace recta {
namespace {

class LabelDealer {
public:
  LabelDealer(const SplitRows& rows, const std::vector<double>& shares, std::uint64_t seed)
      : rows_(rows), random_(seed), having_(at(rows.labels)), left_(at(rows.labels)), demand_(shares.size()),
        row_demand_(shares.size()), out_(at(rows.rows), -1) {
    for (const Index row : rows_by_hash(rows.rows, seed))
      if (rows.used.empty() || rows.used[at(row)]) order_.push_back(row);
    for (const Index row : order_)
      for (std::size_t label = 0; label < having_.size(); ++label)
        if (has(row, label)) having_[label].push_back(row);
    for (std::size_t label = 0; label < having_.size(); ++label) left_[label] = std::ssize(having_[label]);
    for (std::size_t part = 0; part < shares.size(); ++part) {
      for (const Index count : left_) demand_[part].push_back(shares[part] * static_cast<double>(count));
      row_demand_[part] = shares[part] * static_cast<double>(order_.size());
    }
  }

  std::vector<std::int32_t> run() {
    for (std::size_t label = rarest(); label < having_.size(); label = rarest())
      for (const Index row : having_[label])
        if (out_[at(row)] < 0)
          give(row, most_wanted([&](std::size_t part) { return std::pair(demand_[part][label], row_demand_[part]); }));
    for (const Index row : order_)
      if (out_[at(row)] < 0) give(row, most_wanted([&](std::size_t part) { return row_demand_[part]; }));
    return std::move(out_);
  }

private:
  bool has(Index row, std::size_t label) const { return rows_.members[at(row) * having_.size() + label] != 0; }

  // The label with the fewest rows that are in no part yet, the first of several; their number if there is none.
  std::size_t rarest() const {
    std::size_t out = left_.size();
    for (std::size_t label = 0; label < left_.size(); ++label)
      if (left_[label] > 0 && (out == left_.size() || left_[label] < left_[out])) out = label;
    return out;
  }

  template <class Wish>
  std::size_t most_wanted(const Wish& wish) {
    std::vector<std::size_t> best{0};
    for (std::size_t part = 1; part < demand_.size(); ++part) {
      if (wish(part) < wish(best[0])) continue;
      if (wish(part) > wish(best[0])) best.clear();
      best.push_back(part);
    }
    return best.size() == 1 ? best[0] : best[random_.below(best.size())];
  }

  void give(Index row, std::size_t part) {
    out_[at(row)] = static_cast<std::int32_t>(part);
    --row_demand_[part];
    for (std::size_t label = 0; label < having_.size(); ++label) {
      if (!has(row, label)) continue;
      --left_[label];
      --demand_[part][label];
    }
  }

  const SplitRows& rows_;
  Random random_;
  std::vector<Index> order_{};              // of the used rows, drawn by the seed
  std::vector<std::vector<Index>> having_;  // rows of every label, in that order
  std::vector<Index> left_;                 // those of them that are in no part yet
  std::vector<std::vector<double>> demand_; // by part and label
  std::vector<double> row_demand_;          // by part
  std::vector<std::int32_t> out_;
};

} // namespace

std::vector<std::int32_t> label_folds(const SplitRows& rows, const std::vector<double>& shares, std::uint64_t seed) {
  return LabelDealer(rows, shares, seed).run();
}

} // namespace recta
