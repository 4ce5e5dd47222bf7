// Any bytes are a model or an error with a reason. Each mutant is tried twice: as it is, where the checksum must find
// it, and with its checksum made right again, where only the reader stands between the bytes and the program.
#include "model/linear/body.hpp"
#include "model_file/example_model.hpp"
#include "model_file/json.hpp"
#include "model_file/tensor_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <random>

namespace recta {
namespace {

using testing::HasSubstr;

std::string reason(const std::string& bytes) {
  const auto model = Model::from_bytes(bytes, "m.recta");
  if (model) return "accepted";
  EXPECT_EQ(model.error().code, ErrorCode::bad_model_file);
  EXPECT_THAT(model.error().text(), HasSubstr("m.recta"));
  EXPECT_FALSE(model.error().what.empty());
  return model.error().text();
}

// A file with this header text and as many zero bytes of data, before the checksum.
std::string with_header(const std::string& header, std::size_t data) {
  std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return with_checksum(bytes + header + std::string(data + 32, '\0'));
}

std::string header_of(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  return bytes.substr(8, length);
}

// The example's file with one piece of its header exchanged for another.
std::string exchanged(const std::string& from, const std::string& to) {
  const std::string bytes = example_model().to_bytes();
  std::string header = header_of(bytes);
  const std::string data = bytes.substr(8 + header.size());
  const auto at = header.find(from);
  EXPECT_NE(at, header.npos) << from;
  header.replace(at, from.size(), to);
  std::uint64_t length = header.size();
  std::string start(8, '\0');
  std::memcpy(start.data(), &length, 8);
  return with_checksum(start + header + data);
}

TEST(HostileModelFile, IsRefusedWhereverItIsCut) {
  const std::string bytes = small_model().to_bytes();
  ASSERT_EQ(reason(bytes), "accepted");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_NE(reason(bytes.substr(0, size)), "accepted") << size;
    ASSERT_NE(reason(with_checksum(bytes.substr(0, size))), "accepted") << size;
  }
  EXPECT_NE(reason(bytes + '\0'), "accepted");
}

TEST(HostileModelFile, IsRefusedWhicheverByteIsFlipped) {
  std::string bytes = small_model().to_bytes();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char flip = static_cast<char>(1 << at % 8);
    bytes[at] ^= flip;
    ASSERT_NE(reason(bytes), "accepted") << at;
    bytes[at] ^= flip;
  }
}

TEST(HostileModelFile, IsReadOrRefusedWhenItsChecksumIsForged) {
  const std::string bytes = small_model().to_bytes();
  Index accepted = 0;
  for (std::size_t at = 0; at + 32 < bytes.size(); ++at)
    for (const char flip : {'\x01', '\x80'}) {
      std::string mutant = bytes;
      mutant[at] ^= flip;
      mutant = with_checksum(std::move(mutant));
      const auto model = Model::from_bytes(mutant, "m.recta");
      if (!model) continue;
      ++accepted;
      ASSERT_TRUE(Model::from_bytes(model->to_bytes(), "m.recta")) << at; // what was read is a model
    }
  EXPECT_GT(accepted, 0); // a digit of a coefficient, for one
}

TEST(HostileModelFile, IsReadOrRefusedAfterManyRandomChanges) {
  const std::string bytes = example_model().to_bytes();
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 500; ++trial) {
    std::string mutant = bytes;
    for (auto changes = random() % 8; changes-- > 0;) {
      const std::size_t at = random() % mutant.size(), count = random() % 16;
      switch (random() % 4) {
      case 0:
        mutant[at] = static_cast<char>(random());
        break;
      case 1:
        mutant.erase(at, count);
        break;
      case 2:
        mutant.insert(at, mutant.substr(random() % mutant.size(), count));
        break;
      default:
        mutant.replace(at, 1, std::string(1 + count % 3, '9'));
        break;
      }
      if (mutant.empty()) mutant.push_back('{');
    }
    const auto model = Model::from_bytes(with_checksum(mutant), "m.recta");
    if (!model) continue;
    ASSERT_TRUE(Model::from_bytes(model->to_bytes(), "m.recta"));
  }
}

TEST(HostileModelFile, MayNotClaimAHeaderLargerThanItself) {
  std::string bytes = example_model().to_bytes();
  for (const std::uint64_t length : {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{17} << 20}) {
    std::memcpy(bytes.data(), &length, 8);
    EXPECT_THAT(reason(bytes), HasSubstr("its header would have " + std::to_string(length) + " bytes"));
  }
  const std::uint64_t length = bytes.size() - 7;
  std::memcpy(bytes.data(), &length, 8);
  EXPECT_THAT(reason(bytes), HasSubstr("it ends inside its header"));
}

TEST(HostileModelFile, MayNotNameAKeyTwice) {
  EXPECT_THAT(reason(exchanged("{\"__metadata__\"", "{\"sha256\":1,\"__metadata__\"")),
              HasSubstr("the key \"sha256\" twice"));
  EXPECT_THAT(reason(exchanged("\\\"word\\\":", "\\\"format\\\":1,\\\"word\\\":")),
              HasSubstr("the key \"format\" twice"));
  EXPECT_THAT(reason(exchanged("\"dtype\":\"F64\"", "\"dtype\":\"F64\",\"dtype\":\"F64\"")),
              HasSubstr("the key \"dtype\" twice"));
}

TEST(HostileModelFile, MayNotNestDeeply) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THAT(reason(with_header(fmt::format("{{\"a\":{}}}", deep), 0)), HasSubstr("more than 32 levels"));
  EXPECT_THAT(reason(exchanged("\\\"word\\\":", "\\\"x\\\":" + deep + ",\\\"word\\\":")),
              HasSubstr("more than 32 levels"));
}

TEST(HostileModelFile, MayNotHoldEndlessValues) {
  std::string many = "{\"a\":[0";
  for (int i = 0; i < 200'000; ++i) many += ",0";
  EXPECT_THAT(reason(with_header(many + "]}", 0)), HasSubstr("more than 100000 values"));
}

TEST(HostileModelFile, MayNotPlaceTensorsOutsideOrOverOneAnother) {
  const auto tensor = [](const std::string& name, const std::string& shape, const std::string& offsets) {
    return fmt::format(R"("{}":{{"dtype":"F64","shape":{},"data_offsets":{}}})", name, shape, offsets);
  };
  const std::string sum = ",\"sha256\":{\"dtype\":\"U8\",\"shape\":[32],\"data_offsets\":[16,48]}}";
  const auto with = [&](const std::string& tensors) {
    return reason(with_header(fmt::format("{{{}{}", tensors, sum), 16));
  };
  EXPECT_THAT(with(tensor("a", "[2]", "[0,16]")), HasSubstr("no key \"recta\"")); // the frame itself is right
  EXPECT_THAT(with(tensor("a", "[2]", "[40,56]")), HasSubstr("\"a\" does not lie inside the file"));
  EXPECT_THAT(with(tensor("a", "[2]", "[16,0]")), HasSubstr("\"a\" does not lie inside the file"));
  EXPECT_THAT(with(tensor("a", "[2]", "[-16,0]")), HasSubstr("\"a\" does not lie inside the file"));
  EXPECT_THAT(with(tensor("a", "[2]", "[0,9223372036854775807]")), HasSubstr("\"a\" does not lie inside the file"));
  EXPECT_THAT(with(tensor("a", "[2]", "[0,18446744073709551615]")), HasSubstr("an integer beyond 2^63"));
  EXPECT_THAT(with(tensor("a", "[2]", "[0]")), HasSubstr("\"a\" does not lie inside the file"));
  EXPECT_THAT(with(tensor("a", "[3]", "[0,16]")), HasSubstr("a shape that does not fit its length"));
  EXPECT_THAT(with(tensor("a", "[-2]", "[0,16]")), HasSubstr("no valid shape"));
  EXPECT_THAT(with(tensor("a", "[2.0]", "[0,16]")), HasSubstr("no valid shape"));
  EXPECT_THAT(with(tensor("a", "[4611686018427387904,4611686018427387904]", "[0,16]")),
              HasSubstr("a shape that does not fit its length"));
  EXPECT_THAT(with(tensor("a", "[2]", "[0,16]") + "," + tensor("b", "[1]", "[8,16]")),
              HasSubstr("overlap or leave gaps"));
  EXPECT_THAT(with(tensor("a", "[1]", "[0,8]")), HasSubstr("overlap or leave gaps"));
}

TEST(HostileModelFile, MustHaveTheTypesAndShapesOfAModel) {
  EXPECT_THAT(reason(exchanged("\"dtype\":\"F64\"", "\"dtype\":\"F16\"")),
              HasSubstr("a type that model files do not use"));
  EXPECT_THAT(reason(exchanged("\"dtype\":\"F64\"", "\"dtype\":\"I64\"")), HasSubstr("has the wrong type"));
  EXPECT_THAT(reason(exchanged("\"shape\":[5,2]", "\"shape\":[2,5]")), HasSubstr("one row per feature"));
  EXPECT_THAT(reason(exchanged("\"targets.start\"", "\"targets.begin\"")), HasSubstr("\"targets\" is damaged"));
  EXPECT_THAT(reason(exchanged("\\\"sparse_cols\\\":0", "\\\"sparse_cols\\\":9223372036854775807")),
              HasSubstr("columns do not make the features"));
  EXPECT_THAT(reason(exchanged("\\\"sparse_cols\\\":0", "\\\"sparse_cols\\\":1")),
              HasSubstr("columns do not make the features"));
  EXPECT_THAT(reason(exchanged("\\\"rank\\\":4", "\\\"rank\\\":-4")), HasSubstr("summary.rank is negative"));
  EXPECT_THAT(reason(exchanged("\\\"rank\\\":4", "\\\"rink\\\":4")), HasSubstr("summary.rank is missing"));
  EXPECT_THAT(reason(exchanged("\\\"proved\\\"", "\\\"proven\\\"")), HasSubstr("\"proven\" for certificate.verdict"));
  EXPECT_THAT(reason(exchanged("\\\"ridge\\\"", "7")), HasSubstr("word is not text"));
  EXPECT_THAT(reason(exchanged("\\\"objective\\\":5.5", "\\\"objective\\\":1e999")), HasSubstr("no JSON at character"));
  EXPECT_THAT(reason(exchanged("gram-cholesky", "gram-\xff\xffolesky")), HasSubstr("no JSON at character"));
}

TEST(HostileModelFile, OfANewerVersionIsRefusedByBothNumbers) {
  EXPECT_THAT(
      reason(exchanged("\\\"format\\\":1", "\\\"format\\\":8")),
      HasSubstr("written in version 8 of the model format, and this Recta reads up to version 7; use a newer Recta"));
  EXPECT_THAT(reason(exchanged("\\\"format\\\":1", "\\\"format\\\":0")), HasSubstr("version 0"));
}

TEST(HostileModelFile, WithMembersNobodyKnowsIsReadAllTheSame) {
  EXPECT_EQ(reason(exchanged("\\\"word\\\":", "\\\"mood\\\":{\\\"a\\\":[1]},\\\"word\\\":")), "accepted");
  EXPECT_EQ(reason(exchanged("{\"__metadata__\":{", "{\"__metadata__\":{\"licence\":\"mine\",")), "accepted");
}

TEST(HostileModelFile, MayNotMakeNamesOutOfNothing) { // a long column name times its levels, a long name times targets
  Model model = example_model();
  model.schema.columns = {{"c", ColumnType::category, {}, {}, 0, false}};
  model.schema.columns[0].name.assign(1 << 16, 'x');
  for (int i = 0; i < 20'000; ++i) model.schema.columns[0].levels.push_back(std::to_string(i));
  own_linear(model).targets.resize(1);
  model.schema.targets.resize(1);
  own_linear(model).means.clear();
  own_linear(model).deviations.clear();
  own_linear(model).targets[0].coefficients.assign(20'000, example_coefficient("x", 1));
  EXPECT_THAT(reason(model.to_bytes()), HasSubstr("columns do not make the features"));

  model = example_model();
  own_linear(model).targets.resize(10'000);
  for (TargetFit& target : own_linear(model).targets) target.coefficients = {example_coefficient("x", 0)};
  own_linear(model).targets[0].coefficients[0].feature.assign(1 << 20, 'x');
  EXPECT_THAT(reason(model.to_bytes()), HasSubstr("feature names are too long"));
}

} // namespace
} // namespace recta
