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

void Encoder::terms_of_row(const EncodeTask& task, Index i) const {
  EncodedBlock& block = task.block;
  block.terms.clear();
  block.term_values.clear();
  for (std::size_t t = 0; t < first_term_.size(); ++t) {
    const Index row = task.origin.first + i;
    const TextRows* const terms = task.origin.terms;
    const text::WorkerRows& rows = terms ? terms->texts[t][at(row / kTextRows)] : block.counted[t];
    const std::size_t place = at(terms ? row % kTextRows : i);
    const auto counts =
        std::span(rows.counts).subspan(at(rows.start[place]), at(rows.start[place + 1] - rows.start[place]));
    const std::size_t before = block.terms.size();
    for (const text::TermCount& entry : counts) block.terms.push_back(first_term_[t] + entry.term);
    block.term_values.resize(block.terms.size());
    text::weigh(counts, schema_->texts[t], block.term_values.data() + before);
  }
}

} // namespace recta::feature
