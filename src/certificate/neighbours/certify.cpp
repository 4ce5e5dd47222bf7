#include "certificate/neighbours/certify.hpp"

#include "certificate/verdict.hpp"
#include "stats/dense_copy.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::neighbours {
namespace {

constexpr Index kSample = 32; // training rows in the sample

// Compares the rows of a source with those remembered; `first_change` is the number of the first that is another.
class Comparison {
public:
  explicit Comparison(const Remembered& rows) : rows_(rows) {}

  void look_at(const Batch& batch) {
    copy_.take(batch);
    for (Index i = 0; i < batch.rows() && first_change_ < 0; ++i) {
      const double weight = batch.weight.empty() ? 1 : batch.weight[at(i)];
      if (!(weight > 0)) continue;
      if (!same(batch, i, weight)) first_change_ = batch.first_row + i;
      ++next_;
    }
  }
  bool complete() const { return next_ == std::ssize(rows_.number); }
  Index first_change() const { return first_change_; }

private:
  bool same(const Batch& batch, Index i, double weight) const {
    if (next_ >= std::ssize(rows_.number) || rows_.number[at(next_)] != batch.first_row + i) return false;
    if (weight != (rows_.weight.empty() ? 1 : rows_.weight[at(next_)])) return false;
    for (Index t = 0; t < rows_.targets; ++t)
      if (rows_.y[at(next_ * rows_.targets + t)] != element(batch.target, i, t)) return false;
    return std::equal(copy_.x.begin() + i * rows_.cols, copy_.x.begin() + (i + 1) * rows_.cols,
                      rows_.x.begin() + next_ * rows_.cols,
                      [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
  }

  const Remembered& rows_;
  DenseCopy copy_;
  Index next_ = 0, first_change_ = -1;
};

struct Sample {
  Index step = 1, rows = 0;
  std::vector<double> queries;
};

Sample sample_of(const Points& points) {
  Sample out;
  out.step = std::max<Index>(1, points.rows / kSample);
  for (Index i = 0; i < points.rows && out.rows < kSample; i += out.step, ++out.rows) {
    const double *row = points.row(i), *next = points.row((i + out.step) % points.rows);
    out.queries.insert(out.queries.end(), row, row + points.cols);
    for (Index j = 0; j < points.cols; ++j) out.queries.push_back(row[j] / 2 + next[j] / 2);
  }
  return out;
}

Index disagreements(const NeighbourClaim& claim, const Sample& sample, const Neighbourhoods& neighbours, Pool& pool) {
  const Index count = 2 * sample.rows;
  if (std::ssize(neighbours.start) != count + 1) return count;
  std::vector<std::uint8_t> differs(at(count));
  pool.run(count, [&](Index q, int) {
    const auto expected =
        by_definition(claim.metric, claim.points, claim.wanted, sample.queries.data() + q * claim.points.cols);
    const bool same = std::ranges::equal(neighbours.of(q), expected, [](const Neighbour& a, const Neighbour& b) {
      return a.row == b.row && a.distance == b.distance;
    });
    differs[at(q)] = same ? 0 : 1;
  });
  return std::ranges::count(differs, 1);
}

// The index of a claim is exact: it finds what comparing all rows finds.
bool check_exact(const NeighbourClaim& claim, const Finder& find, Pool& pool, Certificate& out) {
  const Sample sample = sample_of(claim.points);
  const Index differing = disagreements(claim, sample, find(sample.queries), pool);
  out.claim = Searched{2 * sample.rows * claim.points.rows};
  const std::string who =
      fmt::format("{} queries (row 1 and every {} after it, {} in all, and the points halfway to the next)",
                  2 * sample.rows, sample.step == 1 ? "row" : fmt::format("{} rows", sample.step), sample.rows);
  out.conditions.push_back(
      differing == 0 ? fmt::format("its index, {}, finds what comparing all rows finds, for {}", claim.index, who)
                     : fmt::format("its index, {}, finds other neighbours than comparing all rows for {} of {}",
                                   claim.index, differing, who));
  return differing == 0;
}

// Bounds are rounded down: what is claimed as a bound must be one as it is printed.
Described recall_claim(const NeighbourClaim& claim) {
  const Recall& recall = claim.recall;
  std::string text =
      fmt::format("its index, {}, is approximate: it finds {:.4g} of the true neighbours of {} training rows "
                  "{}, each without itself",
                  claim.index, recall.measured, recall.queries, recall.all ? "(all of them)" : "drawn by the seed");
  if (!recall.all)
    text += fmt::format(", so over all training rows its recall is at least {:.4f} with confidence {}",
                        std::floor(recall.at_least * 1e4) / 1e4, kRecallConfidence);
  return {"recall",
          std::move(text),
          {{"recall", recall.measured},
           {"at_least", recall.at_least},
           {"confidence", recall.all ? 1 : kRecallConfidence},
           {"queries", static_cast<double>(recall.queries)}}};
}

} // namespace

Result<Certificate> certify(const NeighbourClaim& claim, const Finder& find, RowSource& source, Pool& pool) {
  Comparison comparison(claim.rows);
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    comparison.look_at(batch);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  Certificate out;
  out.passes = 1;
  out.stop = "searched";
  const bool same = comparison.first_change() < 0 && comparison.complete();
  if (same)
    out.conditions.push_back(fmt::format("the {} rows it remembers are the training rows", claim.points.rows));
  else if (comparison.first_change() >= 0)
    out.conditions.push_back(fmt::format("it does not remember row {} as it is", comparison.first_change() + 1));
  else
    out.conditions.push_back("it remembers more rows than there are");
  Proof proof{.distance = 0, .is_bound = claim.recall.queries == 0, .contradicted = !same};
  if (!proof.is_bound)
    out.claim = recall_claim(claim);
  else if (!check_exact(claim, find, pool, out))
    proof.contradicted = true;
  out.verdict = verdict_of(proof);
  out.objective = out.null_objective = kNaN;
  return out;
}

} // namespace recta::neighbours
