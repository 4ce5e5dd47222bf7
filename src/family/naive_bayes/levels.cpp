#include "family/naive_bayes/levels.hpp"

#include "base/numbers.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta::naive_bayes {

LevelsSeen::LevelsSeen(std::vector<Index> columns, Index most)
    : columns_(std::move(columns)), most_(most), seen_(columns_.size()) {}

void LevelsSeen::insert(Seen& seen, double x) const {
  const auto place = std::ranges::lower_bound(seen.others, x);
  if (place != seen.others.end() && *place == x) return;
  if (std::ssize(seen.others) >= most_) {
    seen.too_many = true;
    return;
  }
  seen.others.insert(place, x);
}

void LevelsSeen::add(Seen& seen, double x) const {
  if (x >= 0 && x < 256 && x == std::trunc(x))
    seen.small[static_cast<std::size_t>(x)] = true;
  else if (std::isfinite(x) && !seen.too_many)
    insert(seen, x);
}

void LevelsSeen::accumulate(const Batch& batch) {
  const auto there = [&](Index i) { return batch.weight.empty() || batch.weight[at(i)] > 0; };
  if (const auto* view = std::get_if<MatrixView>(&batch.x)) {
    for (Index i = 0; i < view->rows; ++i)
      for (std::size_t c = 0; c < columns_.size() && there(i); ++c) add(seen_[c], element(*view, i, columns_[c]));
    return;
  }
  const auto& view = std::get<SparseView>(batch.x);
  for (Index i = 0; i < view.rows; ++i) {
    if (!there(i)) continue;
    const SparseRow row = sparse_row(view, i);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      double x = 0;
      for (Index s = 0; s < row.count; ++s)
        if (row.column(s) == columns_[c]) x = row.value[s];
      add(seen_[c], x);
    }
  }
}

void LevelsSeen::merge(const LevelsSeen& other) {
  for (std::size_t c = 0; c < seen_.size(); ++c) {
    for (std::size_t v = 0; v < 256; ++v) seen_[c].small[v] = seen_[c].small[v] || other.seen_[c].small[v];
    for (const double x : other.seen_[c].others) insert(seen_[c], x);
    seen_[c].too_many = seen_[c].too_many || other.seen_[c].too_many;
  }
}

const LevelsSeen::Seen& LevelsSeen::of(Index column) const {
  return seen_[static_cast<std::size_t>(std::ranges::lower_bound(columns_, column) - columns_.begin())];
}

std::vector<double> LevelsSeen::levels(Index column) const {
  const Seen& seen = of(column);
  std::vector<double> out = seen.others;
  for (std::size_t v = 0; v < 256; ++v)
    if (seen.small[v]) out.push_back(static_cast<double>(v));
  std::ranges::sort(out);
  return out;
}

bool LevelsSeen::overflow(Index column) const {
  return of(column).too_many || std::ssize(levels(column)) > most_;
}

std::string LevelsSeen::to_bytes() const {
  StateWriter out("levl");
  out.put(most_);
  out.put(static_cast<Index>(columns_.size()));
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    out.put(columns_[c]);
    out.put(Index{seen_[c].too_many});
    const std::vector<double> all = levels(columns_[c]);
    out.put(static_cast<Index>(all.size()));
    out.put(all);
  }
  return out.take();
}

Result<LevelsSeen> LevelsSeen::from_bytes(std::string_view bytes) {
  StateReader in("levl", bytes);
  LevelsSeen out;
  out.most_ = in.index();
  for (Index left = in.index(); left > 0 && in.good(); --left) {
    out.columns_.push_back(in.index());
    Seen& seen = out.seen_.emplace_back();
    seen.too_many = in.index() != 0;
    for (const double x : in.numbers(in.index())) out.add(seen, x);
  }
  if (!in.done()) return damaged_state("values of columns");
  return out;
}

} // namespace recta::naive_bayes
