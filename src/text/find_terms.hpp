// The terms of a document: words or characters, alone or in runs.
//
// Words are written into one buffer, folded, cut to stems, stop words left out. With a blank between them a run of n
// words is a piece of that buffer, and no term is ever copied.
#pragma once

#include "text/characters.hpp"
#include "text/term_table.hpp"

#include <recta/text.hpp>

#include <array>
#include <memory>

struct sb_stemmer;

namespace recta::text {

inline constexpr std::size_t kSpare = 32; // bytes behind the last term, so that a key can be read there

// The memory that one worker needs; its stemmer too, which only one thread may use at a time.
struct TermScratch {
  std::string folded, buffer;
  std::vector<std::size_t> begin, end; // of the words in the buffer; of characters: their beginnings, and the end
  std::vector<std::size_t> edges;      // of words of ASCII text
  std::shared_ptr<sb_stemmer> stemmer;
};

class TermFinder {
public:
  static Result<TermFinder> make(const TextOptions& options);

  // Calls take(term) for each term, in order: runs of one word first, then of two. The document is valid UTF-8; sixteen
  // bytes can be read at every term.
  template <class Take>
  void find(std::string_view document, TermScratch& scratch, const Take& take) const {
    switch (unit_) {
    case TermUnit::words:
      read_words(document, scratch);
      if (most_ > 1) close_gaps(scratch);
      return runs_of_words(scratch, take);
    case TermUnit::characters:
      read_characters(document, scratch);
      return runs_of_characters(scratch, 0, scratch.begin.size() - 1, take);
    case TermUnit::characters_in_words:
      read_characters(document, scratch);
      return runs_in_words(scratch, take);
    case TermUnit::graph_wl:
    case TermUnit::graph_shortest_path:
      read_graph(document, scratch);
      for (std::size_t i = 0; i < scratch.begin.size(); ++i) take(word(scratch, i));
      return;
    case TermUnit::sequence:
    case TermUnit::bytes:
      return; // it has no terms: see read_sequence()
    }
  }

  // The words of a document, which begin at scratch.begin and end at scratch.end in the buffer; anything may stand
  // between them.
  void read_words(std::string_view document, TermScratch& scratch) const;
  static std::string_view word(const TermScratch& scratch, std::size_t i) {
    return {scratch.buffer.data() + scratch.begin[i], scratch.end[i] - scratch.begin[i]};
  }

private:
  explicit TermFinder(const TextOptions& options);

  bool read_ascii(std::string_view document, TermScratch& scratch) const;                    // false: it is not ASCII
  bool read_unicode(std::string_view document, Folding folding, TermScratch& scratch) const; // false: fold it first
  // The word [begin, out) of the buffer is complete; returns where the next one begins.
  char* end_word(TermScratch& scratch, char* begin, char* out, Index length) const;
  char* kept_end(TermScratch& scratch, char* begin, char* out, Index length) const; // none: the word is left out
  static void close_gaps(TermScratch& scratch); // words follow each other with one blank between them
  char* cut_to_stem(TermScratch& scratch, char* begin, char* out) const;
  void read_characters(std::string_view document, TermScratch& scratch) const;
  void read_graph(std::string_view document, TermScratch& scratch) const;

  template <class Take>
  void runs_of_words(const TermScratch& scratch, const Take& take) const {
    const std::size_t words = scratch.begin.size();
    for (auto n = static_cast<std::size_t>(least_); n <= std::min(static_cast<std::size_t>(most_), words); ++n)
      for (std::size_t i = 0; i + n <= words; ++i)
        take(std::string_view(scratch.buffer.data() + scratch.begin[i], scratch.end[i + n - 1] - scratch.begin[i]));
  }
  template <class Take>
  void runs_of_characters(const TermScratch& scratch, std::size_t first, std::size_t last, const Take& take) const {
    for (auto n = static_cast<std::size_t>(least_); n <= std::min(static_cast<std::size_t>(most_), last - first); ++n)
      for (std::size_t i = first; i + n <= last; ++i) take(piece(scratch, i, i + n));
  }
  // Words with a blank at either end. A word that is shorter than a run is one run, once.
  template <class Take>
  void runs_in_words(const TermScratch& scratch, const Take& take) const {
    for (std::size_t w = 0; w < scratch.end.size(); w += 2) {
      const std::size_t first = scratch.end[w], last = scratch.end[w + 1];
      for (auto n = static_cast<std::size_t>(least_); n <= static_cast<std::size_t>(most_); ++n) {
        for (std::size_t i = first; i + n <= last; ++i) take(piece(scratch, i, i + n));
        if (n >= last - first) {
          if (n > last - first) take(piece(scratch, first, last));
          break;
        }
      }
    }
  }
  static std::string_view piece(const TermScratch& scratch, std::size_t i, std::size_t j) {
    return {scratch.buffer.data() + scratch.begin[i], scratch.begin[j] - scratch.begin[i]};
  }

  TermUnit unit_;
  Index least_, most_, shortest_, rounds_;
  TokenRule rule_;
  Folding folding_;
  TermTable stop_words_;
  std::string stemmer_;
  std::array<char, 256> ascii_{}; // what a character of a word is folded to; 0: it is none
};

} // namespace recta::text
