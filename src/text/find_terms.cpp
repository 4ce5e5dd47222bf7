#include "text/find_terms.hpp"

#include "text/ascii_words.hpp"
#include "text/graph_terms.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <libstemmer.h>

namespace recta::text {
namespace {

char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool is_continuation(unsigned char byte) { // of a UTF-8 character
  return (byte & 0xC0) == 0x80;
}

bool in_word(Kind kind, TokenRule rule, bool started) {
  if (kind == Kind::word) return true;
  if (rule == TokenRule::word_characters) return kind == Kind::ideograph || kind == Kind::underscore;
  return kind == Kind::mark && started;
}

bool is_word(Kind kind, TokenRule rule) {
  return rule == TokenRule::unicode && (kind == Kind::ideograph || kind == Kind::emoji);
}

std::unexpected<Error> refuse_option(std::string_view option, const std::string& what, std::string_view advice) {
  return fail(ErrorCode::usage, fmt::format("text, {}", option), what, advice);
}

} // namespace

TermFinder::TermFinder(const TextOptions& options)
    : unit_(options.unit), least_(options.least_length), most_(options.most_length), shortest_(options.shortest_token),
      rounds_(options.rounds), rule_(options.tokens), folding_(options.folding), stemmer_(options.stemmer) {
  for (const std::string& word : options.stop_words) stop_words_.add(recta::folded(word, folding_));
  for (int c = 0; c < 128; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || (c == '_' && rule_ == TokenRule::word_characters))
      ascii_[static_cast<std::size_t>(c)] =
          folding_ == Folding::none ? static_cast<char>(c) : small_letter(static_cast<char>(c));
  }
}

Result<TermFinder> TermFinder::make(const TextOptions& options) {
  if (options.least_length < 1 || options.most_length < options.least_length)
    return refuse_option("length of terms", fmt::format("{} to {}", options.least_length, options.most_length),
                         "give whole numbers from 1 up, the smaller one first");
  if (options.shortest_token < 1)
    return refuse_option("shortest token", fmt::format("it is {}", options.shortest_token), "give 1 or more");
  if (!options.stemmer.empty() && std::ranges::count(stemmers(), options.stemmer) == 0) {
    std::string known;
    for (const std::string& language : stemmers()) known += (known.empty() ? "" : ", ") + language;
    return refuse_option("stemmer", fmt::format("there is none for \"{}\"", options.stemmer),
                         "the languages are " + known);
  }
  if (options.rounds < 0 || options.rounds > 100)
    return refuse_option("rounds", fmt::format("there are {}", options.rounds), "give 0 to 100");
  return TermFinder(options);
}

void TermFinder::read_graph(std::string_view document, TermScratch& scratch) const {
  read_graph_terms(document, unit_, rounds_, scratch);
}

void TermFinder::read_words(std::string_view document, TermScratch& scratch) const {
  scratch.begin.clear();
  scratch.end.clear();
  // A character is folded to one that has at most twice its bytes, and a word has a blank after it.
  const std::size_t room = 2 * document.size() + kSpare;
  if (scratch.buffer.size() < room) scratch.buffer.resize(room);
  if (read_ascii(document, scratch)) return;
  if (read_unicode(document, folding_, scratch)) return;
  scratch.folded = fold_unicode(document);
  scratch.begin.clear();
  scratch.end.clear();
  if (scratch.buffer.size() < 2 * scratch.folded.size() + kSpare)
    scratch.buffer.resize(2 * scratch.folded.size() + kSpare);
  read_unicode(scratch.folded, Folding::none, scratch);
}

bool TermFinder::read_ascii(std::string_view document, TermScratch& scratch) const {
  if (scratch.edges.size() < document.size() + 8) scratch.edges.resize(document.size() + 8);
  char* const base = scratch.buffer.data();
  const AsciiRule rule{.folds = folding_ != Folding::none, .underscore = rule_ == TokenRule::word_characters};
  const std::ptrdiff_t edges = find_ascii_words(document, rule, base, scratch.edges.data());
  if (edges < 0) return false;
  const std::size_t words = static_cast<std::size_t>(edges) / 2;
  scratch.begin.resize(words);
  scratch.end.resize(words);
  for (std::size_t i = 0; i < words; ++i) {
    scratch.begin[i] = scratch.edges[2 * i];
    scratch.end[i] = scratch.edges[2 * i + 1];
  }
  if (shortest_ == 1 && stop_words_.size() == 0 && stemmer_.empty()) return true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < words; ++i) {
    const std::size_t begin = scratch.begin[i], end = scratch.end[i];
    const char* const last = kept_end(scratch, base + begin, base + end, static_cast<Index>(end - begin));
    if (!last) continue;
    scratch.begin[kept] = begin;
    scratch.end[kept++] = static_cast<std::size_t>(last - base);
  }
  scratch.begin.resize(kept);
  scratch.end.resize(kept);
  return true;
}

void TermFinder::close_gaps(TermScratch& scratch) {
  char* const base = scratch.buffer.data();
  std::size_t next = 0; // never beyond the word it is for: at least one byte stands between two words
  for (std::size_t i = 0; i < scratch.begin.size(); ++i) {
    const std::size_t begin = scratch.begin[i], length = scratch.end[i] - begin;
    if (begin != next) std::memmove(base + next, base + begin, length);
    scratch.begin[i] = next;
    scratch.end[i] = next += length;
    base[next++] = ' ';
  }
}

bool TermFinder::read_unicode(std::string_view document, Folding folding, TermScratch& scratch) const {
  char* begin = scratch.buffer.data();
  char* out = begin;
  Index length = 0;
  const auto finish = [&] {
    if (length > 0) begin = out = end_word(scratch, begin, out, length);
    length = 0;
  };
  const char *at = document.data(), *const last = at + document.size();
  while (at != last) {
    const char32_t code = next_code(at);
    if (code < 0x80) {
      const char letter = ascii_[code];
      if (!letter) {
        finish();
        continue;
      }
      *out++ = folding == Folding::none ? static_cast<char>(code) : letter;
      ++length;
      continue;
    }
    const Character c = character(code);
    if (c.joins && folding == Folding::unicode) return false;
    const Kind kind = folding == Folding::unicode ? c.folded_kind : c.kind;
    const bool alone = is_word(kind, rule_);
    if (alone || !in_word(kind, rule_, length > 0)) finish();
    if (!alone && !in_word(kind, rule_, length > 0)) continue;
    out = put_code(out, folding == Folding::unicode ? c.folded : code);
    ++length;
    if (alone) finish();
  }
  finish();
  return true;
}

char* TermFinder::kept_end(TermScratch& scratch, char* begin, char* out, Index length) const {
  if (length < shortest_) return nullptr;
  if (stop_words_.size() > 0 && stop_words_.find(TermKey::padded({begin, out})) != TermTable::kNone) return nullptr;
  return stemmer_.empty() ? out : cut_to_stem(scratch, begin, out);
}

char* TermFinder::end_word(TermScratch& scratch, char* begin, char* out, Index length) const {
  out = kept_end(scratch, begin, out, length);
  if (!out) return begin;
  scratch.begin.push_back(static_cast<std::size_t>(begin - scratch.buffer.data()));
  scratch.end.push_back(static_cast<std::size_t>(out - scratch.buffer.data()));
  *out = ' ';
  return out + 1;
}

// A stem is not longer than its word, except by a letter in a few languages: it is cut off, whole characters of it.
char* TermFinder::cut_to_stem(TermScratch& scratch, char* begin, char* out) const {
  if (!scratch.stemmer)
    scratch.stemmer = {sb_stemmer_new(stemmer_.c_str(), "UTF_8"), [](sb_stemmer* made) { sb_stemmer_delete(made); }};
  const auto size = static_cast<int>(std::min<std::ptrdiff_t>(out - begin, 1 << 20));
  const sb_symbol* stem = sb_stemmer_stem(scratch.stemmer.get(), reinterpret_cast<const sb_symbol*>(begin), size);
  if (!stem || size != out - begin) return out; // no word is a megabyte long
  int length = sb_stemmer_length(scratch.stemmer.get());
  if (length > size)
    for (length = size; length > 0 && is_continuation(stem[length]);) --length;
  std::copy_n(stem, length, begin);
  return begin + length;
}

// Folds the document, makes one blank of several, and notes where its characters lie. In words: a blank stands at
// either end of each, and `end` has the numbers of its first character and of the one behind it.
void TermFinder::read_characters(std::string_view document, TermScratch& scratch) const {
  scratch.begin.clear();
  scratch.end.clear();
  scratch.folded = recta::folded(document, folding_);
  const std::string_view text = scratch.folded;
  if (scratch.buffer.size() < 3 * text.size() + kSpare) scratch.buffer.resize(3 * text.size() + kSpare);
  const bool words = unit_ == TermUnit::characters_in_words;
  char* const base = scratch.buffer.data();
  char* out = base;
  const auto put = [&](std::string_view bytes) {
    scratch.begin.push_back(static_cast<std::size_t>(out - base));
    out = std::copy(bytes.begin(), bytes.end(), out);
  };
  const auto end_of_word = [&] {
    if (scratch.end.size() % 2 == 0) return;
    put(" ");
    scratch.end.push_back(scratch.begin.size());
  };
  Index blanks = 0;
  std::string_view blank;
  const auto end_of_blanks = [&] { // a run of them is one; one by itself stays what it is
    if (!words && blanks > 0) put(blanks > 1 ? " " : blank);
    blanks = 0;
  };
  const char *at = text.data(), *const last = at + text.size();
  while (at != last) {
    const char* const from = at;
    const char32_t code = next_code(at);
    const std::string_view bytes(from, at);
    if (character(code).kind == Kind::blank) {
      if (words) end_of_word();
      ++blanks;
      blank = bytes;
      continue;
    }
    end_of_blanks();
    if (words && scratch.end.size() % 2 == 0) {
      scratch.end.push_back(scratch.begin.size());
      put(" ");
    }
    put(bytes);
  }
  end_of_blanks();
  end_of_word();
  scratch.begin.push_back(static_cast<std::size_t>(out - base));
}

} // namespace recta::text

namespace recta {

std::vector<std::string> stemmers() {
  std::vector<std::string> languages;
  for (const char** language = sb_stemmer_list(); *language; ++language) languages.emplace_back(*language);
  return languages;
}

} // namespace recta
