#include "text/join_terms.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <type_traits>

namespace recta::text {
namespace {

constexpr Index kShards = 64;

std::uint64_t hash_of_key(const TermKey& key) {
  return key.hash();
}
std::uint64_t hash_of_key(Run run) {
  return RunTable::hash(run);
}

// The terms of a worker dealt to shards: those of shard s from first[s] on. Whatever joining wants of a term stands
// beside it, so that a shard is read from one end to the other.
template <class Key>
struct Dealt {
  struct Term {
    std::uint32_t local = 0, number = 0; // number: in its shard
    std::uint64_t hash = 0, occurrences = 0;
    Key key{};
    std::uint32_t documents = 0;
  };
  std::vector<Term> terms;
  std::array<std::size_t, kShards + 1> first{};

  std::span<Term> of_shard(Index s) { return std::span(terms).subspan(first[at(s)], first[at(s) + 1] - first[at(s)]); }
};

template <class Key, class KeyOf, class TallyOf>
Dealt<Key> deal(const std::vector<std::uint32_t>& list, const KeyOf& key_of, const TallyOf& tally_of) {
  Dealt<Key> dealt;
  std::vector<std::uint64_t> hashes(list.size());
  const auto shard = [](std::uint64_t hash) { return hash >> 58; }; // the slots of a table go by the lowest bits
  for (std::size_t i = 0; i < list.size(); ++i) {
    hashes[i] = hash_of_key(key_of(list[i]));
    ++dealt.first[shard(hashes[i]) + 1];
  }
  for (std::size_t s = 1; s < dealt.first.size(); ++s) dealt.first[s] += dealt.first[s - 1];
  dealt.terms.resize(list.size());
  std::array<std::size_t, kShards + 1> next = dealt.first;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Tally& tally = tally_of(list[i]);
    dealt.terms[next[shard(hashes[i])]++] = {list[i],        0, hashes[i], tally.occurrences, key_of(list[i]),
                                             tally.documents};
  }
  return dealt;
}

// Pieces are sorted by themselves and then merged two by two.
template <class T, class Less>
void sort_all(std::vector<T>& items, const Less& less, Pool& pool) {
  constexpr std::size_t kPieces = 16, kFew = 1 << 14;
  if (items.size() < kFew) {
    std::ranges::sort(items, less);
    return;
  }
  const auto cut = [&](std::size_t piece) {
    return static_cast<std::ptrdiff_t>(std::min(piece, kPieces) * items.size() / kPieces);
  };
  pool.run(kPieces, [&](Index piece, int) {
    std::ranges::sort(items.begin() + cut(at(piece)), items.begin() + cut(at(piece) + 1), less);
  });
  std::vector<T> other(items.size());
  for (std::size_t width = 1; width < kPieces; width *= 2) {
    pool.run(static_cast<Index>(kPieces / (2 * width)), [&](Index pair, int) {
      const std::size_t first = at(pair) * 2 * width;
      const auto begin = items.begin() + cut(first), middle = items.begin() + cut(first + width),
                 end = items.begin() + cut(first + 2 * width);
      std::merge(begin, middle, middle, end, other.begin() + cut(first), less);
    });
    items.swap(other);
  }
}

std::uint64_t in_order(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word = word << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
  return word;
}

// The first bytes of a term stand beside its number, so that the terms themselves are rarely looked at.
void sort_strings(const std::vector<std::string_view>& texts, std::vector<std::uint32_t>& numbers, Pool& pool) {
  struct Key {
    std::uint64_t first = 0, second = 0;
    std::uint32_t number = 0;
  };
  std::vector<Key> keys(numbers.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view text = texts[numbers[i]];
    keys[i] = {in_order(text), in_order(text.substr(std::min<std::size_t>(8, text.size()))), numbers[i]};
  }
  const auto less = [&](const Key& a, const Key& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second != b.second) return a.second < b.second;
    return texts[a.number] < texts[b.number];
  };
  sort_all(keys, less, pool);
  std::ranges::transform(keys, numbers.begin(), &Key::number);
}

// A run of words by the places of its first two in the order of all words; 0: it has no second one.
struct RunKey {
  std::uint32_t first = 0, second = 0, term = 0;
};

// A counting sort, which leaves what is equal in its order.
void sort_by_place(std::vector<RunKey>& keys, std::uint32_t RunKey::* place, std::size_t places) {
  std::vector<std::uint32_t> start(places + 1);
  for (const RunKey& key : keys) ++start[key.*place + 1];
  for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
  std::vector<RunKey> sorted(keys.size());
  for (const RunKey& key : keys) sorted[start[key.*place]++] = key;
  keys.swap(sorted);
}

// Calls work(keys) for all neighbours that have the same first two words.
template <class Work>
void for_each_equal(std::vector<RunKey>& keys, Pool& pool, const Work& work) {
  std::vector<std::span<RunKey>> groups;
  for (std::size_t from = 0, end = 0; from < keys.size(); from = end) {
    while (end < keys.size() && keys[end].first == keys[from].first && keys[end].second == keys[from].second) ++end;
    if (end - from > 1) groups.push_back(std::span(keys).subspan(from, end - from));
  }
  pool.run(std::ssize(groups), [&](Index group, int) { work(groups[at(group)]); });
}

} // namespace

// `lists`: numbers of each worker. Numbers of all go on from those there are; returns the keys of the new ones.
template <class Table, class KeyOf, class TallyOf>
auto JoinedTerms::join(const std::vector<std::vector<std::uint32_t>>& lists, const KeyOf& key_of,
                       const TallyOf& tally_of, std::vector<std::vector<std::uint32_t>>& numbers, Pool& pool) {
  using Key = std::decay_t<decltype(key_of(std::size_t{}, std::uint32_t{}))>;
  std::vector<Dealt<Key>> dealt(lists.size());
  pool.run(std::ssize(lists), [&](Index w, int) {
    dealt[at(w)] = deal<Key>(
        lists[at(w)], [&](std::uint32_t number) { return key_of(at(w), number); },
        [&](std::uint32_t number) -> const Tally& { return tally_of(at(w), number); });
  });
  struct Shard {
    std::vector<Key> keys;
    std::vector<Tally> tallies;
    std::uint32_t first = 0;
  };
  std::vector<Shard> shards(kShards);
  pool.run(kShards, [&](Index s, int) {
    Shard& shard = shards[at(s)];
    Table table;
    for (Dealt<Key>& worker : dealt)
      for (auto& term : worker.of_shard(s)) {
        term.number = table.add(term.key, term.hash);
        if (term.number == shard.keys.size()) {
          shard.keys.push_back(term.key);
          shard.tallies.emplace_back();
        }
        shard.tallies[term.number].documents += term.documents;
        shard.tallies[term.number].occurrences += term.occurrences;
      }
  });
  const std::uint32_t before = size();
  std::uint32_t next = before;
  for (Shard& shard : shards) {
    shard.first = next;
    next += static_cast<std::uint32_t>(shard.keys.size());
  }
  std::vector<Key> new_keys(next - before);
  documents_.resize(next);
  occurrences_.resize(next);
  pool.run(kShards, [&](Index s, int) {
    const Shard& shard = shards[at(s)];
    std::ranges::copy(shard.keys, new_keys.begin() + (shard.first - before));
    for (std::size_t k = 0; k < shard.tallies.size(); ++k) {
      documents_[shard.first + k] = shard.tallies[k].documents;
      occurrences_[shard.first + k] = shard.tallies[k].occurrences;
    }
    for (std::size_t w = 0; w < dealt.size(); ++w)
      for (const auto& term : dealt[w].of_shard(s)) numbers[w][term.local] = shard.first + term.number;
  });
  return new_keys;
}

JoinedTerms::JoinedTerms(const std::vector<WorkerTerms>& workers, bool same_words, Pool& pool)
    : workers_(workers), words_of_(workers.size()), runs_of_(workers.size()) {
  for (std::size_t w = 0; w < workers.size(); ++w) {
    words_of_[w].resize(workers[w].words.size());
    runs_of_[w].resize(workers[w].runs.size());
  }
  if (same_words || workers.size() == 1) {
    for (std::size_t w = 0; w < workers.size(); ++w) take_words(w);
  } else {
    join_words(pool);
  }
  if (workers.size() == 1) {
    take_runs();
  } else {
    join_runs(pool);
  }
}

// The numbers of the worker are those of all.
void JoinedTerms::take_words(std::size_t w) {
  const WorkerTerms& worker = workers_[w];
  documents_.resize(worker.words.size());
  occurrences_.resize(worker.words.size());
  if (w == 0)
    for (std::uint32_t word = 0; word < worker.words.size(); ++word) words_.push_back(worker.words[word]);
  std::iota(words_of_[w].begin(), words_of_[w].end(), 0U);
  for (std::uint32_t word = 0; word < worker.words.size(); ++word) {
    documents_[word] += worker.of_words[word].documents;
    occurrences_[word] += worker.of_words[word].occurrences;
  }
}

void JoinedTerms::join_words(Pool& pool) {
  std::vector<std::vector<std::uint32_t>> lists(workers_.size());
  for (std::size_t w = 0; w < lists.size(); ++w) {
    lists[w].resize(workers_[w].words.size());
    std::iota(lists[w].begin(), lists[w].end(), 0U);
  }
  const auto words = join<TermTable>(
      lists, [&](std::size_t w, std::uint32_t word) { return TermKey(workers_[w].words[word]); },
      [&](std::size_t w, std::uint32_t word) -> const Tally& { return workers_[w].of_words[word]; }, words_of_, pool);
  words_.reserve(words.size());
  for (const TermKey& word : words) words_.push_back(word.text);
}

Run JoinedTerms::translated(std::size_t w, Run run) const {
  const bool longer = (run.prefix & kIsRun) != 0;
  return {longer ? runs_of_[w][run.prefix & ~kIsRun] : words_of_[w][run.prefix], words_of_[w][run.word]};
}

void JoinedTerms::take_runs() {
  const WorkerTerms& worker = workers_[0];
  std::iota(runs_of_[0].begin(), runs_of_[0].end(), worker.words.size());
  runs_.reserve(worker.runs.size());
  documents_.reserve(worker.words.size() + worker.runs.size());
  occurrences_.reserve(worker.words.size() + worker.runs.size());
  for (std::uint32_t run = 0; run < worker.runs.size(); ++run) {
    runs_.push_back(translated(0, worker.runs[run]));
    documents_.push_back(worker.of_runs[run].documents);
    occurrences_.push_back(worker.of_runs[run].occurrences);
  }
}

// Length by length, as the numbers of all of a run's parts must be known.
void JoinedTerms::join_runs(Pool& pool) {
  std::vector<std::vector<std::vector<std::uint32_t>>> by_length(workers_.size()); // of each worker
  pool.run(std::ssize(workers_), [&](Index w, int) {
    const RunTable& runs = workers_[at(w)].runs;
    std::vector<std::uint32_t> length(runs.size());
    for (std::uint32_t run = 0; run < runs.size(); ++run) {
      const std::uint32_t prefix = runs[run].prefix;
      length[run] = prefix & kIsRun ? length[prefix & ~kIsRun] + 1 : 0;
      if (length[run] >= by_length[at(w)].size()) by_length[at(w)].emplace_back();
      by_length[at(w)][length[run]].push_back(run);
    }
  });
  std::size_t lengths = 0;
  for (const auto& of_worker : by_length) lengths = std::max(lengths, of_worker.size());
  for (std::size_t length = 0; length < lengths; ++length) {
    std::vector<std::vector<std::uint32_t>> lists(workers_.size());
    for (std::size_t w = 0; w < lists.size(); ++w)
      if (length < by_length[w].size()) lists[w] = std::move(by_length[w][length]);
    const auto runs = join<RunTable>(
        lists, [&](std::size_t w, std::uint32_t run) { return translated(w, workers_[w].runs[run]); },
        [&](std::size_t w, std::uint32_t run) -> const Tally& { return workers_[w].of_runs[run]; }, runs_of_, pool);
    runs_.insert(runs_.end(), runs.begin(), runs.end());
  }
}

std::size_t JoinedTerms::length(std::uint32_t term) const {
  std::size_t length = 0;
  for (; is_run(term); term = parts(term).prefix) length += 1 + words_[parts(term).word].size();
  return length + words_[term].size();
}

void JoinedTerms::append_text(std::uint32_t term, std::string& text) const {
  if (!is_run(term)) {
    text.append(words_[term]);
    return;
  }
  append_text(parts(term).prefix, text);
  text.append(1, ' ').append(words_[parts(term).word]);
}

std::string JoinedTerms::text(std::uint32_t term) const {
  std::string text;
  text.reserve(length(term));
  append_text(term, text);
  return text;
}

// A blank comes before every character of a word, so that runs are in the order of their first words by text, then of
// their second ones: places of words in their order stand for the words.
void JoinedTerms::sort_by_text(std::vector<std::uint32_t>& terms, Pool& pool) const {
  if (runs_.empty()) return sort_strings(words_, terms, pool);
  std::vector<std::uint32_t> sorted(words_.size()), place(words_.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  sort_strings(words_, sorted, pool);
  for (std::uint32_t k = 0; k < sorted.size(); ++k) place[sorted[k]] = k + 1; // 0: the run has ended
  const auto places_of = [&](std::uint32_t term, std::vector<std::uint32_t>& places) {
    places.clear();
    for (; is_run(term); term = parts(term).prefix) places.push_back(place[parts(term).word]);
    places.push_back(place[term]);
    std::ranges::reverse(places);
  };
  std::vector<RunKey> keys(terms.size());
  constexpr Index kPiece = 1 << 14;
  pool.run((std::ssize(terms) + kPiece - 1) / kPiece, [&](Index piece, int) {
    std::vector<std::uint32_t> places;
    for (Index i = piece * kPiece; i < std::min(std::ssize(terms), (piece + 1) * kPiece); ++i) {
      places_of(terms[at(i)], places);
      keys[at(i)] = {places[0], places.size() > 1 ? places[1] : 0, terms[at(i)]};
    }
  });
  sort_by_place(keys, &RunKey::second, words_.size() + 1);
  sort_by_place(keys, &RunKey::first, words_.size() + 1);
  for_each_equal(keys, pool, [&](std::span<RunKey> longer) { // runs of three words and more
    std::vector<std::uint32_t> of_a, of_b;
    std::ranges::sort(longer, [&](const RunKey& a, const RunKey& b) {
      places_of(a.term, of_a);
      places_of(b.term, of_b);
      return of_a < of_b;
    });
  });
  std::ranges::transform(keys, terms.begin(), &RunKey::term);
}

} // namespace recta::text
