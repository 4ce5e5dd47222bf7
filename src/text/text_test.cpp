#include "text/characters.hpp"
#include "text/murmur.hpp"

#include <recta/text.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace recta {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Terms = std::vector<std::string>;

Terms terms(std::string_view document, const TextOptions& options = {}) {
  const auto found = terms_of(document, options);
  EXPECT_TRUE(found) << found.error().text();
  return found ? *found : Terms{};
}

LearnedText learned(const std::vector<std::string_view>& documents, const TextOptions& options = {}, int threads = 1) {
  auto made = learn_terms(documents, options, threads);
  EXPECT_TRUE(made) << made.error().text();
  return made ? *std::move(made) : LearnedText{};
}

std::string refusal(const std::vector<std::string_view>& documents, const TextOptions& options = {}) {
  const auto made = learn_terms(documents, options, 1);
  EXPECT_FALSE(made);
  return made ? "" : made.error().text();
}

// Row i as numbers, one per term.
std::vector<double> row(const TermRows& rows, Index terms, std::size_t i) {
  std::vector<double> out(static_cast<std::size_t>(terms), 0.0);
  for (Index k = rows.start[i]; k < rows.start[i + 1]; ++k)
    out[static_cast<std::size_t>(rows.term[static_cast<std::size_t>(k)])] = rows.value[static_cast<std::size_t>(k)];
  return out;
}

std::string utf8(const std::vector<char32_t>& codes) {
  std::string out(4 * codes.size(), ' ');
  char* end = out.data();
  for (const char32_t code : codes) end = text::put_code(end, code);
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

TEST(Text, WordsOfManyScripts) {
  EXPECT_THAT(terms("Free entry, call NOW! It's 2-for-1"),
              ElementsAre("free", "entry", "call", "now", "it", "s", "2", "for", "1"));
  EXPECT_THAT(terms("¿Qué? ¡El MEJOR guión!"), ElementsAre("qué", "el", "mejor", "guión"));
  EXPECT_THAT(terms("Съешь ЕЩЁ этих мягких"), ElementsAre("съешь", "ещё", "этих", "мягких"));
  EXPECT_THAT(terms("我喜欢猫 cats"), ElementsAre("我", "喜", "欢", "猫", "cats"));
  EXPECT_THAT(terms("カタカナ と ひら"), ElementsAre("カタカナ", "と", "ひ", "ら"));
  EXPECT_THAT(terms("مرحبا، العالم!"), ElementsAre("مرحبا", "العالم"));
  EXPECT_THAT(terms("नमस्ते दुनिया"), ElementsAre("नमस्ते", "दुनिया")); // vowel signs are marks, and stay in the word
  EXPECT_THAT(terms("good🙂bad 👍🏽"), ElementsAre("good", "🙂", "bad", "👍"));
  EXPECT_THAT(terms("STRASSE straße"), ElementsAre("strasse", "strasse"));
}

TEST(Text, CombiningMarksAndWideLettersAreFolded) {
  EXPECT_EQ(terms("guio\xCC\x81n"), terms("guión"));         // o and a combining acute
  EXPECT_EQ(terms("ＦＵＬＬ ﬁne"), terms("full fine"));      // wide letters, a ligature
  EXPECT_EQ(terms("co\xC2\xADoperate"), terms("cooperate")); // a soft hyphen
  EXPECT_EQ(terms("❤\xEF\xB8\x8F"), terms("❤"));             // a variation selector
}

TEST(Text, IsEmptyOrBlankWithoutAnyTerm) {
  EXPECT_THAT(terms(""), IsEmpty());
  EXPECT_THAT(terms(" \t\n ... ---"), IsEmpty());
  EXPECT_THAT(terms("", {.unit = TermUnit::characters}), IsEmpty());
  EXPECT_THAT(terms("  ", {.unit = TermUnit::characters_in_words}), IsEmpty());
}

// The reader folds character by character where it may; folding the whole text first must give the same words.
TEST(Text, FoldingByCharactersIsFoldingTheText) {
  for (char32_t code = 1; code < 0x30000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    for (const char32_t beside : {char32_t{'c'}, char32_t{0x301}}) { // an acute is folded with the whole text
      const std::string document = utf8({'A', code, 'b', ' ', 0x416, code, beside, ' ', code});
      const std::string whole = folded(document, Folding::unicode);
      ASSERT_EQ(terms(document), terms(whole, {.folding = Folding::none})) << std::hex << static_cast<unsigned>(code);
    }
  }
}

TEST(Text, WordCharactersAreThoseOfScikitLearn) {
  const TextOptions options{.tokens = TokenRule::word_characters, .shortest_token = 2, .folding = Folding::ascii};
  EXPECT_THAT(terms("I can't snake_case 我喜欢 a1 É_b", options),
              ElementsAre("can", "snake_case", "我喜欢", "a1", "É_b"));
}

TEST(Text, RunsOfWordsAreJoinedByABlank) {
  EXPECT_THAT(terms("To be, or not", {.least_length = 1, .most_length = 2}),
              ElementsAre("to", "be", "or", "not", "to be", "be or", "or not"));
  EXPECT_THAT(terms("one", {.least_length = 2, .most_length = 3}), IsEmpty());
}

TEST(Text, RunsOfCharactersKeepBlanks) {
  EXPECT_THAT(terms("a \n b", {.unit = TermUnit::characters, .least_length = 2, .most_length = 2}),
              ElementsAre("a ", " b"));
  EXPECT_THAT(terms("ñu", {.unit = TermUnit::characters, .least_length = 1, .most_length = 2}),
              ElementsAre("ñ", "u", "ñu"));
  EXPECT_THAT(terms("ab c", {.unit = TermUnit::characters_in_words, .least_length = 2, .most_length = 4}),
              ElementsAre(" a", "ab", "b ", " ab", "ab ", " ab ", " c", "c ", " c "));
}

TEST(Text, StopWordsAreLeftOutBeforeRunsAreMade) {
  const auto english = stop_words("english");
  ASSERT_TRUE(english);
  EXPECT_THAT(terms("The end of the world", {.least_length = 2, .most_length = 2, .stop_words = *english}),
              ElementsAre("end world"));
  EXPECT_TRUE(stop_words("spanish"));
  EXPECT_TRUE(stop_words("russian"));
  EXPECT_THAT(stop_words("latin").error().text(), HasSubstr("english, spanish or russian"));
}

TEST(Text, StemsAreThoseOfSnowball) {
  EXPECT_THAT(terms("running runs", {.stemmer = "english"}), ElementsAre("run", "run"));
  EXPECT_THAT(terms("кошками кошка", {.stemmer = "russian"}), ElementsAre("кошк", "кошк"));
  EXPECT_THAT(refusal({"a"}, {.stemmer = "klingon"}), HasSubstr("there is none for \"klingon\""));
}

TEST(Text, AStemThatIsLongerThanItsWordIsCutBetweenCharacters) {
  EXPECT_THAT(terms("aga öge daga", {.stemmer = "turkish"}), ElementsAre("ag", "ög", "dag")); // agı, ögü, dagı
}

TEST(Text, CountsAreSortedByTerm) {
  const auto made = learned({"b a b", "", "c"});
  EXPECT_THAT(made.map.terms(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(made.rows.start, ElementsAre(0, 2, 2, 3));
  EXPECT_THAT(made.rows.term, ElementsAre(0, 1, 2));
  EXPECT_THAT(made.rows.value, ElementsAre(1, 2, 1));
  EXPECT_EQ(made.rows.empty, 1);
}

// The worked example W6 of the courses.
TEST(Text, AGivenVocabularyKeepsItsOrder) {
  const TextOptions options{.vocabulary = {"de", "es", "no", "buena", "mejor", "patética", "guión"}};
  const auto made = learned({"el mejor guión", "no es buena", "de lo mejor"}, options);
  EXPECT_EQ(made.map.terms(), options.vocabulary);
  EXPECT_THAT(row(made.rows, 7, 0), ElementsAre(0, 0, 0, 0, 1, 0, 1));
  EXPECT_THAT(row(made.rows, 7, 1), ElementsAre(0, 1, 1, 1, 0, 0, 0));
  EXPECT_THAT(row(made.rows, 7, 2), ElementsAre(1, 0, 0, 0, 1, 0, 0));
  EXPECT_EQ(made.rows.dropped, 2); // el, lo
  EXPECT_EQ(made.rows.occurrences, 9);
  EXPECT_THAT(refusal({"a"}, {.vocabulary = {"Mejor", "mejor"}}),
              HasSubstr("term 2, \"mejor\", is the same as term 1, \"Mejor\""));
}

TEST(Text, UnknownTermsAreDroppedAndCounted) {
  const auto made = learned({"a b", "b c"});
  const auto rows = count_terms(made.map, std::vector<std::string_view>{"b x y b", "z", ""}, 2);
  ASSERT_TRUE(rows);
  EXPECT_THAT(row(*rows, 3, 0), ElementsAre(0, 2, 0));
  EXPECT_EQ(rows->occurrences, 5);
  EXPECT_EQ(rows->dropped, 3);
  EXPECT_EQ(rows->empty, 2);
}

TEST(Text, BoundsOfDocumentFrequencyChooseTheTerms) {
  const std::vector<std::string_view> documents{"a b c", "a b", "a", "a a d d d d"};
  EXPECT_THAT(learned(documents, {.least_documents = {2, false}}).map.terms(), ElementsAre("a", "b"));
  EXPECT_THAT(learned(documents, {.most_documents = {0.5, true}}).map.terms(), ElementsAre("b", "c", "d"));
  EXPECT_THAT(learned(documents, {.most_documents = {1, false}}).map.terms(), ElementsAre("c", "d"));
  EXPECT_THAT(learned(documents, {.most_terms = 2}).map.terms(), ElementsAre("a", "d"));
  EXPECT_THAT(learned(documents, {.most_terms = 1, .vocabulary = {"c", "a"}}).map.terms(), ElementsAre("c", "a"));
  EXPECT_THAT(refusal(documents, {.least_documents = {5, false}}), HasSubstr("no term is left"));
  EXPECT_THAT(refusal(documents, {.least_documents = {1.5, false}}), HasSubstr("whole number of documents"));
  EXPECT_THAT(refusal({"", "..."}), HasSubstr("no document has a term"));
}

TEST(Text, ValuesAndNormsByTheirFormulas) {
  const std::vector<std::string_view> documents{"a a b", "a c", "a"};
  const auto sublinear = learned(documents, {.value = TermValue::sublinear});
  EXPECT_THAT(row(sublinear.rows, 3, 0), ElementsAre(1 + std::log(2.0), 1, 0));
  EXPECT_THAT(row(learned(documents, {.value = TermValue::binary}).rows, 3, 0), ElementsAre(1, 1, 0));
  EXPECT_THAT(row(learned(documents, {.norm = TextNorm::l1}).rows, 3, 0), ElementsAre(2.0 / 3, 1.0 / 3, 0));
  const auto idf = learned(documents, {.idf = true, .norm = TextNorm::l2});
  const double of_a = 1, of_b = 1 + std::log(4.0 / 2.0);
  EXPECT_THAT(idf.map.idf, ElementsAre(of_a, of_b, of_b));
  const double length = std::sqrt(4 * of_a * of_a + of_b * of_b);
  EXPECT_THAT(row(idf.rows, 3, 0), ElementsAre(2 * of_a / length, of_b / length, 0));
  const auto plain = learned(documents, {.idf = true, .smooth_idf = false});
  EXPECT_THAT(plain.map.idf, ElementsAre(1, 1 + std::log(3.0), 1 + std::log(3.0)));
  EXPECT_THAT(refusal(documents, {.idf = true, .smooth_idf = false, .vocabulary = {"x"}}),
              HasSubstr("no document has the term \"x\""));
}

TEST(Text, HashesAreThoseOfMurmur3) { // the values of sklearn.utils.murmurhash3_32
  EXPECT_EQ(static_cast<std::int32_t>(text::murmur("foo")), -156908512);
  EXPECT_EQ(text::murmur(""), 0u);
}

TEST(Text, BucketsSayWhichTermsMetInThem) {
  const auto made = learned({"a b c d", "a b"}, {.buckets = 2});
  EXPECT_EQ(made.map.features(), 2);
  EXPECT_GE(made.map.collisions, 3); // four terms in two buckets
  const auto sum = row(made.rows, 2, 0);
  EXPECT_EQ(sum[0] + sum[1], 4);
  const auto again = count_terms(made.map, std::vector<std::string_view>{"a b c d", "a b"}, 1);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->term, made.rows.term);
  EXPECT_EQ(again->value, made.rows.value);
  EXPECT_THAT(refusal({"a"}, {.idf = true, .buckets = 8}), HasSubstr("no document frequency of their own"));
}

TEST(Text, SignedBucketsAddUpWithTheirSigns) {
  const TextOptions options{.buckets = 16, .signed_buckets = true};
  const std::vector<std::string_view> documents{"one two three four five six", "two two six"};
  const auto made = learned(documents, options);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    std::vector<double> expected(16, 0.0);
    for (const std::string& term : terms(documents[i])) {
      const text::Bucket bucket = text::bucket_of(term, 16);
      expected[bucket.number] += bucket.negative ? -1 : 1;
    }
    EXPECT_EQ(row(made.rows, 16, i), expected);
  }
}

// An independent count: words cut at blanks, sorted by a map.
TEST(Text, CountsAreThoseOfASlowCountAtAnyNumberOfThreads) {
  std::mt19937 random(7);
  std::vector<std::string> documents(1500);
  for (std::string& document : documents)
    for (unsigned k = random() % 120; k > 0; --k)
      document += "w" + std::to_string(random() % (1 + random() % 5000)) + " ";
  const std::vector<std::string_view> views(documents.begin(), documents.end());
  std::map<std::string, Index> frequency;
  std::vector<std::map<std::string, double>> counts(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (std::size_t at = 0; at < documents[i].size(); at = documents[i].find(' ', at) + 1)
      ++counts[i][documents[i].substr(at, documents[i].find(' ', at) - at)];
    for (const auto& [word, count] : counts[i]) ++frequency[word];
  }
  std::vector<std::string> kept;
  for (const auto& [word, documents_with] : frequency)
    if (documents_with >= 3) kept.push_back(word);
  for (const int threads : {1, 2, 5}) {
    const auto made = learned(views, {.least_documents = {3, false}, .idf = true, .norm = TextNorm::l2}, threads);
    const auto one = learned(views, {.least_documents = {3, false}, .idf = true, .norm = TextNorm::l2}, 1);
    EXPECT_EQ(made.map.terms(), kept);
    EXPECT_EQ(made.rows.value, one.rows.value);
    EXPECT_EQ(made.rows.term, one.rows.term);
    EXPECT_EQ(made.map.idf, one.map.idf);
    const auto plain = learned(views, {.least_documents = {3, false}}, threads);
    for (std::size_t i = 0; i < documents.size(); ++i)
      for (Index k = plain.rows.start[i]; k < plain.rows.start[i + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        ASSERT_EQ(plain.rows.value[at], counts[i][kept[static_cast<std::size_t>(plain.rows.term[at])]]);
      }
  }
}

// Runs are known by the numbers of their words; spelled out, they are the terms of the document. Words that begin alike
// put the blank between words to the test: "a b" comes before "aa".
TEST(Text, RunsOfWordsAreThoseOfASlowCountAtAnyNumberOfThreads) {
  std::mt19937 random(11);
  const Terms words = {"a", "aa", "aab", "b", "ba", "é", "été", "z9", "中", "я"};
  std::vector<std::string> documents(700);
  for (std::string& document : documents)
    for (unsigned word = random() % 12; word > 0; --word) document += words[random() % words.size()] + " ";
  const std::vector<std::string_view> views(documents.begin(), documents.end());
  for (const auto& [least, most] : {std::pair{1, 2}, {2, 2}, {1, 4}, {3, 3}}) {
    const TextOptions options{.least_length = least, .most_length = most, .least_documents = {2}};
    std::map<std::string, std::pair<Index, Index>> counted; // documents and occurrences
    for (const std::string& document : documents) {
      std::map<std::string, Index> here;
      for (const std::string& term : terms(document, options)) ++here[term];
      for (const auto& [term, count] : here) {
        ++counted[term].first;
        counted[term].second += count;
      }
    }
    Terms expected;
    for (const auto& [term, count] : counted)
      if (count.first >= 2) expected.push_back(term);
    const LearnedText one = learned(views, options, 1);
    EXPECT_EQ(one.map.terms(), expected);
    const auto again = count_terms(one.map, views, 1); // by the spelled terms
    ASSERT_TRUE(again);
    for (const int threads : {1, 2, 5}) {
      const LearnedText made = learned(views, options, threads);
      EXPECT_EQ(made.map.terms(), expected);
      EXPECT_EQ(made.rows.start, again->start);
      EXPECT_EQ(made.rows.term, again->term);
      EXPECT_EQ(made.rows.value, again->value);
      EXPECT_EQ(made.rows.dropped, again->dropped);
    }
    // The five most frequent; of equal ones those that come first by text.
    TextOptions few = options;
    few.most_terms = 5;
    Terms frequent = expected;
    std::ranges::sort(frequent, {}, [&](const std::string& term) { return std::pair(-counted[term].second, term); });
    frequent.resize(5);
    std::ranges::sort(frequent);
    for (const int threads : {1, 3}) EXPECT_EQ(learned(views, few, threads).map.terms(), frequent);
  }
}

TEST(Text, InvalidUtf8IsNamedWithItsByte) {
  EXPECT_THAT(refusal({"good", "caf\xE9 noir"}), HasSubstr("document 2: byte 4 of the text, 0xe9, is not UTF-8"));
  EXPECT_THAT(terms_of("\xFF").error().text(), HasSubstr("byte 1"));
}

TEST(Text, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_THAT(refusal({"a"}, {.least_length = 2, .most_length = 1}), HasSubstr("2 to 1"));
  EXPECT_THAT(refusal({"a"}, {.shortest_token = 0}), HasSubstr("shortest token"));
  EXPECT_THAT(refusal({"a"}, {.buckets = -1}), HasSubstr("buckets"));
  EXPECT_THAT(refusal({"a"}, {.value = TermValue::sublinear, .buckets = 4, .signed_buckets = true}),
              HasSubstr("no logarithm"));
}

TEST(Text, ALongDocumentIsOneRow) {
  std::string document;
  for (int k = 0; k < 1 << 20; ++k) document += k % 2 ? "odd " : "even ";
  const auto made = learned({document});
  EXPECT_THAT(made.map.terms(), ElementsAre("even", "odd"));
  EXPECT_THAT(made.rows.value, ElementsAre(1 << 19, 1 << 19));
}

TEST(SlowText, ADocumentOfAHundredMegabytesIsRead) {
  std::string document;
  while (document.size() < 100'000'000) document += "Длинный документ with many words 我们 ";
  const auto made = learned({document});
  EXPECT_EQ(made.map.features(), 7);
  EXPECT_EQ(made.rows.occurrences % 7, 0);
}

// A path of a carbon between two others, one of them without a label.
TEST(GraphTerms, AreLabelsOfRoundsAndPathsBetweenThem) {
  TextOptions wl{.unit = TermUnit::graph_wl};
  wl.rounds = 1;
  EXPECT_THAT(terms("a-b;b-c;b:C;a:N", wl), UnorderedElementsAre("0:N", "0:C", "0:", "1:(N,C)", "1:(C,,N)", "1:(,C)"));
  const TextOptions paths{.unit = TermUnit::graph_shortest_path};
  EXPECT_THAT(terms("a-b;b-c;b:C;a:N", paths), UnorderedElementsAre("(C,N):1", "(,C):1", "(,N):2"));
  EXPECT_THAT(terms("a;b:x(y", wl), UnorderedElementsAre("0:", "0:x\\(y", "1:()", "1:(x\\(y)"));
  EXPECT_THAT(terms("a-b", wl), ElementsAre("0:", "0:", "1:(,)", "1:(,)")) << "not that of a node alone";
  wl.rounds = 0;
  EXPECT_THAT(terms("a b\nb c\n", wl), ElementsAre("0:", "0:", "0:"));
}

// A hundred neighbours make a name longer than is written out.
TEST(GraphTerms, AreDigestsWhereNamesAreLong) {
  std::string star, other;
  for (int k = 0; k < 100; ++k) star += "h-" + std::to_string(k) + ";", other += std::to_string(k) + "-x;";
  TextOptions wl{.unit = TermUnit::graph_wl};
  wl.rounds = 2;
  Terms one = terms(star, wl), two = terms(other, wl);
  std::ranges::sort(one), std::ranges::sort(two);
  EXPECT_EQ(one, two) << "the same graph with its nodes in another order";
  EXPECT_TRUE(std::ranges::all_of(one, [](const std::string& term) { return term.size() <= 62; }));
}

TEST(GraphTerms, OfWhatIsNoGraphAreRefused) {
  TextOptions wl{.unit = TermUnit::graph_wl};
  EXPECT_THAT(refusal({"a-b", "a-b-c"}, wl), HasSubstr("document 2: part 1 of the graph is not an edge"));
  wl.rounds = 101;
  EXPECT_THAT(refusal({"a-b"}, wl), HasSubstr("rounds"));
  wl.rounds = 1, wl.stemmer = "english";
  EXPECT_THAT(refusal({"a-b"}, wl), HasSubstr("not made of words"));
  EXPECT_FALSE(terms_of("a-b-c", {.unit = TermUnit::graph_shortest_path}));
}

} // namespace
} // namespace recta
