#include "base/large_memory.hpp"

#include <recta/dataset.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

namespace recta {
namespace {

std::vector<Values> columns(std::size_t count, std::size_t rows) {
  const LargePages pages(count * LargePages::room(rows * sizeof(double)));
  std::vector<Values> made(count);
  for (std::size_t j = 0; j < count; ++j) {
    made[j].resize(rows);
    for (std::size_t i = 0; i < rows; ++i) made[j][i] = static_cast<double>(j * rows + i);
  }
  return made;
}

void expect_intact(const Values& column, std::size_t j, std::size_t rows) {
  ASSERT_EQ(column.size(), rows);
  for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(column[i], static_cast<double>(j * rows + i)) << j;
}

TEST(LargePages, ColumnsOutliveWhatTheyWereCutFromAndEachOther) {
  constexpr std::size_t kRows = 60'001, kCount = 20;
  auto made = columns(kCount, kRows);
  for (std::size_t j = 0; j < kCount; j += 2) made[j] = Values();
  for (std::size_t j = 1; j < kCount; j += 2) expect_intact(made[j], j, kRows);
  Values last = std::move(made.back());
  made.clear();
  expect_intact(last, kCount - 1, kRows);
  std::thread([&] { last = Values(); }).join(); // freed elsewhere than allocated
  EXPECT_TRUE(last.empty());
}

TEST(LargePages, WhatDoesNotFitComesFromTheHeap) {
  const LargePages pages(std::size_t{4} << 20);
  Values large(std::size_t{1} << 20, 1.0), small(10, 2.0), fits(std::size_t{1} << 16, 3.0);
  large.push_back(4);
  EXPECT_EQ(large[(1 << 20) - 1], 1);
  EXPECT_EQ(large.back(), 4);
  EXPECT_EQ(small[9], 2);
  EXPECT_EQ(fits.back(), 3);
}

TEST(LargePages, LargeArraysBeginWithALineOfTheCache) {
  for (const std::size_t size : {2048U, 100'000U, 1'000'001U})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Values(size).data()) % 64, 0) << size;
  for (const Values& column : columns(5, 70'003)) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(column.data()) % 64, 0);
}

TEST(LargePages, OneInsideAnotherTakesItsPlaceForAWhile) {
  const LargePages outer(std::size_t{8} << 20);
  Values before(100'000, 1.0), inside;
  {
    const LargePages inner(std::size_t{4} << 20);
    inside.assign(100'000, 2.0);
  }
  Values after(100'000, 3.0);
  EXPECT_EQ(before.back() + inside.back() + after.back(), 6);
}

TEST(LargePages, TooLargeAnArrayIsRefused) {
  EXPECT_THROW(allocate_large(SIZE_MAX - 10), std::bad_alloc);
}

} // namespace
} // namespace recta
