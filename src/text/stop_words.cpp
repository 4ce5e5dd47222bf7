// Words that say little about what a text is about: articles, pronouns, prepositions, auxiliary verbs.
#include <recta/text.hpp>

#include <fmt/format.h>

namespace recta {
namespace {

constexpr std::string_view kEnglish =
    "a about above after again against all am an and any are as at be because been before being below between both but "
    "by can could did do does doing down during each few for from further had has have having he her here hers herself "
    "him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only "
    "or "
    "other our ours ourselves out over own same she should so some such than that the their theirs them themselves "
    "then "
    "there these they this those through to too under until up very was we were what when where which while who whom "
    "why will with would you your yours yourself yourselves";

constexpr std::string_view kSpanish =
    "a al algo algunas algunos ante antes aquel aquella aquellas aquellos aquí así aun aunque bajo bien cada como con "
    "contra cual cuales cuando de del desde donde dos durante e el ella ellas ellos en entre era eran eres es esa esas "
    "ese eso esos esta estaba estaban estado están estar este esto estos estoy está fue fueron ha había han hasta hay "
    "he "
    "la las le les lo los me mi mis mucho muchos muy más mí ni no nos nosotras nosotros nuestra nuestras nuestro "
    "nuestros "
    "o os otra otras otro otros para pero poco por porque pues que quien quienes qué se sea ser si sido sin sobre son "
    "soy "
    "su sus suya suyo sí también tan tanto te tengo ti tiene tienen todo todos tu tus tuya tuyo tú un una unas uno "
    "unos "
    "vosotras vosotros vuestra vuestro y ya yo él";

constexpr std::string_view kRussian =
    "а без более больше будет будто бы был была были было быть в вам вас ведь весь вдруг во вот впрочем все всегда "
    "всего "
    "всех всю вы где да даже для до его ее ей ему если есть еще же за здесь и из или им иногда их к как какая какой "
    "когда "
    "конечно кто куда ли лучше между меня мне много может можно мой моя мы на над надо наконец нас не него нее ней "
    "нельзя "
    "нет ни нибудь никогда ним них ничего но ну о об один он она они опять от перед по под после потом потому почти "
    "при "
    "про раз разве с сам свою себе себя сейчас со совсем так такой там тебя тем теперь то тогда того тоже только том "
    "тот "
    "три тут ты у уж уже хорошо хоть чего чем через что чтоб чтобы чуть эти этого этой этом этот эту я";

} // namespace

Result<std::vector<std::string>> stop_words(const std::string& language) {
  const std::string_view text = language == "english"   ? kEnglish
                                : language == "spanish" ? kSpanish
                                : language == "russian" ? kRussian
                                                        : std::string_view();
  if (text.empty())
    return fail(ErrorCode::usage, "stop words", fmt::format("there is no list for \"{}\"", language),
                "name english, spanish or russian, or give a file with a word per line");
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

} // namespace recta
