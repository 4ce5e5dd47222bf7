#include "certificate/svm/kernel_scores.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace recta::svm {

KernelScores::KernelScores(const kernel::Kernel& kernel, const kernel::Points& points, std::span<const double> beta,
                           Pool& pool)
    : kernel_(kernel), points_(points), beta_(beta), pool_(pool) {
  constexpr Index kFewest = 2 * kernel::kExpansionBlock; // points whose own sums are worth a way of their own
  for (const double one : beta) mass_ += std::abs(one);
  if (points.count() >= kFewest && !points.of_texts() && !kernel.by_place())
    own_sums_ = points.own_expansions(kernel, beta, pool);
  if (kernel::NearSums::suited(kernel, points))
    near_sums_ = std::make_unique<kernel::NearSums>(kernel, points, beta, pool);
}

void KernelScores::score(const Batch& batch, std::span<KernelRow> rows, const IsFree& is_free) {
  std::vector<KernelRow*> supporting, others, left;
  for (KernelRow& row : rows) {
    const bool supports = row.place >= 0;
    (supports && !own_sums_.empty() ? supporting : !supports && near_sums_ ? others : left).push_back(&row);
  }
  each_tile(supporting, [&](Rows some) { recall(batch, some); });
  each_tile(others, [&](Rows some) { look_from_afar(batch, some, is_free); });
  std::ranges::copy_if(supporting, std::back_inserter(left), [](const KernelRow* row) { return !row->same; });
  std::ranges::copy_if(others, std::back_inserter(left), [](const KernelRow* row) { return !row->free; });
  if (2 * std::ranges::count_if(others, &KernelRow::free) < std::ssize(others)) near_sums_.reset(); // it does not pay
  each_tile(left, [&](Rows some) { expand(batch, some); });
}

void KernelScores::each_tile(Rows rows, const std::function<void(Rows)>& use) {
  constexpr std::size_t tile = kernel::Points::kQueriesTogether;
  run_listening(&pool_, static_cast<Index>((rows.size() + tile - 1) / tile), [&](Index task, int) {
    const std::size_t from = at(task) * tile;
    use(rows.subspan(from, std::min(tile, rows.size() - from)));
  });
}

kernel::Queries KernelScores::queries_of(const Batch& batch, Rows rows) const {
  kernel::Queries out;
  points_.expect(std::ssize(rows), out);
  for (const KernelRow* const row : rows)
    std::visit([&](const auto& view) { points_.ask(view, row->i, out); }, batch.x);
  return out;
}

// The sum of a support vector is known, if the row is that vector.
void KernelScores::recall(const Batch& batch, Rows rows) const {
  const kernel::Queries queries = queries_of(batch, rows);
  for (std::size_t k = 0; k < rows.size(); ++k)
    take(own_sums_[at(rows[k]->place)], queries, static_cast<Index>(k), *rows[k]);
}

void KernelScores::look_from_afar(const Batch& batch, Rows rows, const IsFree& is_free) const {
  const std::vector<kernel::Expansion> sums = near_sums_->expansions(queries_of(batch, rows));
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k]->free = is_free(rows[k]->i, sums[k].value, sums[k].error);
}

void KernelScores::expand(const Batch& batch, Rows rows) const {
  const kernel::Queries queries = queries_of(batch, rows);
  const auto sums = points_.expansions(kernel_, queries, beta_);
  for (std::size_t k = 0; k < rows.size(); ++k) take(sums[k], queries, static_cast<Index>(k), *rows[k]);
}

void KernelScores::take(const kernel::Expansion& sum, const kernel::Queries& queries, Index query,
                        KernelRow& row) const {
  if (row.place >= 0) row.same = points_.is(row.place, queries, query);
  row.z = sum.value;
  row.off = kernel::error_of_values(sum, mass_, points_.error(kernel_, queries, query),
                                    points_.relative_error(kernel_, queries, query)) +
            sum.error;
}

} // namespace recta::svm
