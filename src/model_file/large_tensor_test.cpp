// Tensors with digests of their own: what a mapped file is checked for at once, and what when it is read.
#include "base/guard.hpp"
#include "model_file/field_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <utility>

namespace recta {
namespace {

using testing::HasSubstr;

constexpr std::size_t kMany = 200'000;

struct File {
  std::vector<double> large = std::vector<double>(kMany);
  std::vector<std::uint32_t> links = std::vector<std::uint32_t>(300'000, 7);
  std::string bytes;

  File() {
    std::iota(large.begin(), large.end(), 1.0);
    TensorWriter out;
    out.add_large<std::uint32_t>("links", links, {std::ssize(links)});
    out.add_large<double>("large", large, {std::ssize(large)});
    out.add_large<double>("small", std::vector<double>{1, 2}, {2});
    bytes = out.finish("{}");
  }
  // Parses the bytes as those of a mapped file.
  Result<TensorFile> mapped(const std::string& some) const {
    return TensorFile::parse(some, "m.recta", std::shared_ptr<const void>(&some, [](const void*) {}));
  }
  std::size_t begin(const char* name) const {
    return static_cast<std::size_t>(TensorFile::parse(bytes, "m")->tensors.find(name)->second.bytes.data() -
                                    bytes.data());
  }
  std::string with(const std::string& text, const std::string& other) const {
    std::string out = bytes;
    out.replace(out.find(text), text.size(), other);
    return out;
  }
};

std::string reading(const TensorFile& file, std::size_t at) {
  FieldReader in(file, "m.recta");
  const auto array = in.large_doubles("large");
  if (!in.ok()) return in.error().error().text();
  const auto done = guarded("", "", [&]() -> Result<void> {
    EXPECT_EQ(array[at], static_cast<double>(at + 1));
    return {};
  });
  return done ? "read" : done.error().text();
}

TEST(LargeTensors, HaveADigestPerPieceAndSmallOnesNone) {
  const File file;
  const auto parsed = TensorFile::parse(file.bytes, "m.recta");
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_EQ(parsed->tensors.find("large")->second.digests.size(), 32U * 391); // 1,600,000 bytes
  EXPECT_EQ(parsed->tensors.find("large.sha256")->second.shape, (std::vector<Index>{391, 32}));
  EXPECT_TRUE(parsed->tensors.find("small")->second.digests.empty());
  EXPECT_FALSE(parsed->tensors.contains("small.sha256"));
  EXPECT_EQ(file.begin("large") % 8, 0U);
  EXPECT_EQ(file.begin("links") % 4, 0U);
  EXPECT_LT(file.begin("large"), file.begin("links")); // numbers of 8 bytes come first
}

TEST(LargeTensors, AreReadFromAMappedFileAndCopiedFromOther) {
  const File file;
  const auto mapped = file.mapped(file.bytes), whole = TensorFile::parse(file.bytes, "m.recta");
  ASSERT_TRUE(mapped && whole);
  for (const auto* one : {&*mapped, &*whole}) {
    FieldReader in(*one, "m.recta");
    const auto array = in.large_doubles("large");
    EXPECT_EQ(array.copy(), file.large);
    EXPECT_EQ(array.view().in_file(), one == &*mapped);
    EXPECT_FALSE(in.large_doubles("small").view().in_file());
    EXPECT_EQ(in.large_numbers("links", {[](auto, std::size_t) { return true; }, ""}).copy(), file.links);
    EXPECT_TRUE(in.large_doubles("absent").empty());
    EXPECT_TRUE(in.ok());
    (void)in.large_counts("large", 5);
    EXPECT_THAT(in.error().error().text(), HasSubstr("tensor \"large\" has the wrong type"));
  }
}

TEST(LargeTensors, OfAMappedFileAreCheckedWhereTheyAreRead) {
  File file;
  const std::string sound = file.bytes;
  file.bytes[file.begin("large") + 5 * 4096 + 17] ^= 1; // numbers 2560 to 3071
  const auto mapped = file.mapped(file.bytes);
  ASSERT_TRUE(mapped) << mapped.error().text();
  EXPECT_EQ(reading(*mapped, 2559), "read");
  EXPECT_THAT(reading(*mapped, 2560), HasSubstr("m.recta: damaged model file: the bytes of its tensor \"large\" do not "
                                                "have the checksums it states; fit the model again"));
  EXPECT_EQ(reading(*mapped, 3072), "read");
  EXPECT_THAT(TensorFile::parse(file.bytes, "m.recta").error().text(),
              HasSubstr("its bytes do not have the checksum it states"));
}

TEST(LargeTensors, OfAMappedFileLeaveEverythingElseToBeCheckedAtOnce) {
  const File file;
  const std::size_t data = file.begin("large");
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, data - 1, file.begin("small"),
                               file.begin("large.sha256") + 40, file.begin("sha256.rest")}) {
    std::string damaged = file.bytes;
    damaged[at] ^= 1;
    EXPECT_FALSE(file.mapped(damaged)) << at;
  }
}

TEST(LargeTensors, OfBytesThatWereJustMadeAreCheckedForTheirValuesAtOnceAndNotCopied) {
  const std::vector<double> good(kMany, 1);
  std::vector<double> bad = good;
  bad[150'000] = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>* values : {&good, &std::as_const(bad)}) {
    TensorWriter out;
    out.add_large<double>("large", *values, {std::ssize(*values)});
    const auto bytes = std::make_shared<const std::string>(out.finish("{}"));
    const auto parsed = TensorFile::parse(*bytes, "m.recta", bytes, Checksums::just_computed);
    ASSERT_TRUE(parsed) << parsed.error().text();
    FieldReader in(*parsed, "m.recta");
    const auto array = in.large_doubles("large");
    EXPECT_EQ(in.ok(), values == &good);
    if (!in.ok()) continue;
    EXPECT_EQ(array.copy(), good);
    EXPECT_FALSE(array.view().in_file());
    EXPECT_EQ(static_cast<const void*>(array.all().data()), parsed->tensors.find("large")->second.bytes.data());
  }
}

TEST(LargeTensors, HaveDigestsThatFitThem) {
  const File file;
  EXPECT_THAT(file.mapped(file.with("\"large.sha256\"", "\"larje.sha256\"")).error().text(),
              HasSubstr("\"larje.sha256\" does not have one digest per piece of a tensor"));
  EXPECT_THAT(file.mapped(file.with("\"links.sha256\"", "\"small.sha256\"")).error().text(),
              HasSubstr("\"small.sha256\" does not have one digest per piece of a tensor"));
  EXPECT_THAT(file.mapped(file.with("\"sha256.rest\"", "\"sha256.test\"")).error().text(),
              HasSubstr("its bytes do not have the checksum it states")); // without it the whole is checked
}

} // namespace
} // namespace recta
