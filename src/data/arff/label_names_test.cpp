#include <recta/dataset.hpp>

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<std::vector<std::string>> names_in(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("label_names_" + std::to_string(getpid()) + ".xml");
  std::ofstream(path) << text;
  auto names = read_label_names(path.string());
  std::filesystem::remove(path);
  return names;
}

TEST(LabelNames, AreReadInTheOrderOfTheFile) {
  const auto names = names_in("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- six -->\n"
                              "<labels xmlns=\"http://mulan.sourceforge.net/labels\">\n"
                              "<label name=\"Beach\"></label>\n<label name='Fall &amp; Foliage' />\n"
                              "<label name=\"kind\"><label name=\"of it &#x263A;\"/></label>\n</labels>\n");
  ASSERT_TRUE(names) << names.error().text();
  EXPECT_THAT(*names, ElementsAre("Beach", "Fall & Foliage", "kind", "of it \xE2\x98\xBA"));
}

TEST(LabelNames, RefuseWhatMulanDoesNotWrite) {
  EXPECT_THAT(names_in("").error().text(), HasSubstr("it names no labels"));
  EXPECT_THAT(names_in("<labels>\n<label/>").error().text(), HasSubstr(".xml:2: a label has no name"));
  EXPECT_THAT(names_in("<labels><label name=\"a\"/><label name=\"a\"/>").error().text(), HasSubstr("named twice"));
  EXPECT_THAT(names_in("<labels><label name=a>").error().text(), HasSubstr("no quotes"));
  EXPECT_THAT(names_in("<labels><label name=\"&nbsp;\">").error().text(), HasSubstr("is not a character"));
  EXPECT_THAT(names_in("<html>").error().text(), HasSubstr("<html> is not one of MULAN's tags"));
  EXPECT_THAT(names_in("<labels><label name=\"a\"").error().text(), HasSubstr("a tag does not end"));
  EXPECT_FALSE(read_label_names("there is no such file"));
}

} // namespace
} // namespace recta
