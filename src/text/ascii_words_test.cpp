// Words of ASCII text against a loop over its characters.
#include "text/ascii_words.hpp"

#include <recta/text.hpp>

#include <cctype>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace recta::text {
namespace {

struct Words {
  std::string folded;
  std::vector<std::size_t> edges;
  bool operator==(const Words&) const = default;
};

Words found(const std::string& text, AsciiRule rule) {
  Words out{std::string(text.size() + 8, '#'), std::vector<std::size_t>(text.size() + 8)};
  const std::ptrdiff_t edges = find_ascii_words(text, rule, out.folded.data(), out.edges.data());
  EXPECT_GE(edges, 0);
  out.folded.resize(text.size());
  out.edges.resize(static_cast<std::size_t>(edges));
  return out;
}

Words by_characters(const std::string& text, AsciiRule rule) {
  Words out;
  bool inside = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool in_word = i < text.size() && (std::isalnum(text[i]) || (rule.underscore && text[i] == '_'));
    if (in_word != inside) out.edges.push_back(i);
    inside = in_word;
    if (i < text.size()) out.folded += static_cast<char>(rule.folds ? std::tolower(text[i]) : text[i]);
  }
  return out;
}

TEST(AsciiWords, AreThoseOfALoopOverCharactersAtEveryLength) {
  std::mt19937 random(5);
  for (std::size_t length = 0; length < 300; ++length)
    for (const AsciiRule rule : {AsciiRule{}, AsciiRule{.folds = true}, AsciiRule{.folds = true, .underscore = true}}) {
      std::string any, words; // any bytes, and those at the borders of what is in a word
      for (std::size_t i = 0; i < length; ++i) {
        any += static_cast<char>(random() % 128);
        words += "/09:@AZ[_`az{ "[random() % 14];
      }
      for (const std::string& text : {any, words, std::string(length, 'x')})
        ASSERT_EQ(found(text, rule), by_characters(text, rule)) << text;
    }
}

TEST(AsciiWords, AreNotLookedForInOtherText) {
  for (std::size_t length = 1; length < 150; ++length)
    for (std::size_t place = 0; place < length; ++place) {
      std::string text(length, 'a'), room(length + 8, ' ');
      text[place] = '\xC3';
      std::vector<std::size_t> edges(length + 8);
      ASSERT_EQ(find_ascii_words(text, {}, room.data(), edges.data()), -1) << length << " " << place;
    }
}

// A letter beyond ASCII sends the whole document the other way, to the same words.
TEST(AsciiWords, AndRunsOfThemAreThoseOfOtherText) {
  const std::string text = "It's  NOT, --a-- \"cat_nap\"\n\n42nd\tStreets, running!";
  for (TextOptions options :
       {TextOptions{}, TextOptions{.least_length = 2, .most_length = 3}, TextOptions{.shortest_token = 3},
        TextOptions{.tokens = TokenRule::word_characters}, TextOptions{.most_length = 2, .stop_words = {"a", "not"}},
        TextOptions{.most_length = 3, .stemmer = "english"}, TextOptions{.folding = Folding::none}}) {
    auto expected = terms_of("é " + text, options).value();
    std::erase_if(expected, [](const std::string& term) { return term.starts_with("é"); });
    EXPECT_EQ(terms_of(text, options).value(), expected);
    EXPECT_THAT(expected, testing::Not(testing::IsEmpty()));
  }
}

} // namespace
} // namespace recta::text
