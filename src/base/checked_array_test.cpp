#include "base/checked_array.hpp"
#include "base/guard.hpp"

#include <gmock/gmock.h>
#include <numeric>

namespace recta {
namespace {

using ::testing::HasSubstr;

// Numbers 0, 1, 2, ... as the bytes of a file, with digests taken before the file is damaged.
struct File {
  std::vector<Index> numbers = std::vector<Index>(3000);
  std::string digests;

  File() {
    std::iota(numbers.begin(), numbers.end(), Index{0});
    digests = CheckedPieces::digests_of(bytes());
  }
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Index)};
  }
  CheckedArray<Index> array(CheckedPieces::Values values = {}) const {
    const Error damaged = fail(ErrorCode::bad_model_file, "m.recta", "damaged").error();
    return CheckedArray<Index>(
        std::make_shared<const CheckedPieces>(bytes(), digests, damaged, std::move(values), nullptr));
  }
};

std::string text_of(const std::function<void()>& reading) {
  const auto done = guarded("test", "", [&]() -> Result<void> {
    reading();
    return {};
  });
  return done ? "read" : done.error().text();
}

TEST(CheckedArray, IsReadWhereItIsWholeAndRefusedWhereItIsNot) {
  File file;
  file.numbers[1600] = 7; // in piece 3 of 0 to 5, which has the numbers from 1536 to 2047
  const auto array = file.array();
  EXPECT_EQ(array.size(), 3000U);
  for (const std::size_t i : {0U, 1535U, 2048U, 2999U}) EXPECT_EQ(array[i], static_cast<Index>(i));
  for (const std::size_t i : {1536U, 1600U, 2047U})
    EXPECT_THAT(text_of([&] { (void)array[i]; }), HasSubstr("m.recta: damaged")) << i;
  EXPECT_EQ(text_of([&] { (void)array.from(1000, 536); }), "read");
  EXPECT_THAT(text_of([&] { (void)array.from(1000, 537); }), HasSubstr("damaged"));
  EXPECT_EQ(text_of([&] { (void)array.from(3000, 0); }), "read");
  EXPECT_THAT(text_of([&] { (void)array.all(); }), HasSubstr("damaged"));
  EXPECT_THAT(text_of([&] { (void)array.copy(); }), HasSubstr("damaged")); // and is not forgotten
}

TEST(CheckedArray, RefusesValuesOfAnotherKindWhateverTheirDigests) {
  const File file;
  const auto below = [](Index limit) {
    return CheckedPieces::Values{[limit](std::string_view piece, std::size_t first) {
                                   const auto* numbers = reinterpret_cast<const Index*>(piece.data());
                                   EXPECT_EQ(numbers[0], static_cast<Index>(first / sizeof(Index)));
                                   return std::ranges::all_of(std::span(numbers, piece.size() / sizeof(Index)),
                                                              [&](Index x) { return x < limit; });
                                 },
                                 fail(ErrorCode::bad_model_file, "m.recta", "too large").error()};
  };
  EXPECT_EQ(file.array(below(3000)).copy(), file.numbers);
  const auto array = file.array(below(2999));
  EXPECT_EQ(array[2559], 2559);
  EXPECT_THAT(text_of([&] { (void)array[2560]; }), HasSubstr("m.recta: too large"));
}

TEST(CheckedArray, InMemoryIsSharedByItsCopies) {
  const CheckedArray<double> one(std::vector<double>{1, 2, 3});
  const CheckedArray<double> other = one;
  EXPECT_EQ(other.view().address(), one.view().address());
  EXPECT_EQ(other, one);
  EXPECT_NE(other, CheckedArray<double>(std::vector<double>{1, 2, 4}));
  EXPECT_EQ(std::accumulate(other.begin(), other.end(), 0.0), 6);
  EXPECT_TRUE(CheckedArray<double>().empty());
  EXPECT_TRUE(CheckedArray<double>().all().empty());
}

TEST(CheckedArray, IsComparedToTheBit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using Array = CheckedArray<double>;
  EXPECT_TRUE(Array(std::vector{1.0, nan}) == Array(std::vector{1.0, nan}));
  EXPECT_FALSE(Array(std::vector{1.0, nan}) == Array(std::vector{1.0, 2.0}));
  EXPECT_FALSE(Array(std::vector{1.0}) == Array(std::vector{1.0, 2.0}));
  EXPECT_TRUE(Array() == Array());
}

} // namespace
} // namespace recta
