// Counts of terms, and how they are added to those of another learner.
#include "text/learn_terms.hpp"

#include <numeric>

namespace recta::text {

CountedTerms TermLearner::counted(bool only_kept, Pool& pool) const {
  CountedTerms out{.documents = taught()};
  if (sequences()) return out;
  const bool given = !options_.vocabulary.empty();
  const JoinedTerms all(terms_, given, pool);
  std::vector<std::uint32_t> terms(all.size());
  std::iota(terms.begin(), terms.end(), 0U);
  if (only_kept && !given && options_.buckets == 0) terms = kept(all, taught(), pool);
  std::erase_if(terms, [&](std::uint32_t term) { return all.documents(term) == 0; });
  all.sort_by_text(terms, pool);
  for (const std::uint32_t term : terms)
    out.terms.push_back(
        {all.text(term), static_cast<Index>(all.documents(term)), static_cast<Index>(all.occurrences(term))});
  return out;
}

// A run of words is a term like any other here: it was spelled out.
bool TermLearner::add(const CountedTerms& counted) {
  WorkerTerms& own = terms_.front();
  for (const CountedTerms::Term& one : counted.terms) {
    const TermKey term(one.text);
    const std::uint32_t number = number_of(own, term, term.hash());
    if (number == TermTable::kNone) return false;
    own.of_words[number].documents += static_cast<std::uint32_t>(one.documents);
    own.of_words[number].occurrences += static_cast<std::uint64_t>(one.occurrences);
  }
  workers_.front().taught += counted.documents;
  return true;
}

} // namespace recta::text
