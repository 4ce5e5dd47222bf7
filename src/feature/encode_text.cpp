// The terms of documents as features.
#include "feature/encode_task.hpp"

#include <algorithm>
#include <span>

namespace recta::feature {

// The terms of the rows, unless they are known.
Result<void> Encoder::read_texts(const EncodeTask& task) const {
  EncodedBlock& block = task.block;
  block.counted.resize(task.origin.terms ? 0 : binding_.texts.size());
  block.unknown = {};
  block.any_known.assign(task.origin.terms || binding_.texts.empty() ? 0 : at(task.count), false);
  std::vector<text::TermCount> counts;
  for (std::size_t t = 0; t < block.counted.size(); ++t) {
    const Column& column = task.column(binding_.texts[t].column);
    text::WorkerRows& rows = block.counted[t];
    rows.start.assign(1, 0);
    rows.counts.clear();
    for (Index i = task.first; i < task.first + task.count; ++i) {
      if (auto good = check_document(task.data, column, i, binding_.texts[t].reader.map().options); !good) return good;
      const text::TermReader& reader = binding_.texts[t].reader;
      const auto count = reader.read(document_of(column, i), block.term_scratch, counts);
      block.unknown.terms += count.occurrences;
      block.unknown.unknown += count.dropped;
      if (!counts.empty() || reader.map().is_sequence()) block.any_known[at(i - task.first)] = true;
      rows.counts.insert(rows.counts.end(), counts.begin(), counts.end());
      rows.start.push_back(std::ssize(rows.counts));
    }
  }
  block.unknown.documents = std::ssize(block.any_known);
  block.unknown.without_any_known = std::ranges::count(block.any_known, false);
  return {};
}

std::span<const text::TermCount> Encoder::counts_of_row(const EncodeTask& task, std::size_t t, Index i) const {
  const Index row = task.origin.first + i;
  const TextRows* const terms = task.origin.terms;
  const text::WorkerRows& rows = terms ? terms->texts[t][at(row / kTextRows)] : task.block.counted[t];
  const std::size_t place = at(terms ? row % kTextRows : i);
  return std::span(rows.counts).subspan(at(rows.start[place]), at(rows.start[place + 1] - rows.start[place]));
}

Index Encoder::count_terms(const EncodeTask& task) const {
  Index total = 0;
  for (std::size_t t = 0; t < first_term_.size(); ++t)
    for (Index i = 0; i < task.count; ++i) total += std::ssize(counts_of_row(task, t, i));
  return total;
}

void Encoder::append_terms(const EncodeTask& task, Index i, std::vector<Index>& features, Values& values) const {
  for (std::size_t t = 0; t < first_term_.size(); ++t) {
    const auto counts = counts_of_row(task, t, i);
    const std::size_t before = features.size();
    features.resize(before + counts.size());
    values.resize(before + counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k) features[before + k] = first_term_[t] + counts[k].term;
    text::weigh(counts, schema_->texts[t], values.data() + before);
  }
}

// The terms of a row behind what the block has. Those that buckets of either sign have made zero are left out.
void Encoder::put_terms(const EncodeTask& task, Index i) const {
  EncodedBlock& block = task.block;
  std::size_t end = block.x.size();
  append_terms(task, i, block.index, block.x);
  if (std::find(block.x.begin() + static_cast<std::ptrdiff_t>(end), block.x.end(), 0.0) == block.x.end()) return;
  for (std::size_t k = end; k < block.x.size(); ++k) {
    if (block.x[k] == 0) continue;
    block.index[end] = block.index[k];
    block.x[end++] = block.x[k];
  }
  block.index.resize(end);
  block.x.resize(end);
}

} // namespace recta::feature
