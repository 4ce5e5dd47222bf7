#include <recta/evaluate.hpp>

#include <gmock/gmock.h>

namespace recta {
namespace {

TEST(Machine, KnowsItself) {
  const Machine here = machine();
  EXPECT_FALSE(here.version.empty());
  EXPECT_THAT(here.compiler, testing::AnyOf(testing::StartsWith("g++ "), testing::StartsWith("clang ")));
  EXPECT_FALSE(here.architecture.empty());
  EXPECT_THAT(here.blas, testing::HasSubstr("OpenBLAS"));
  EXPECT_THAT(here.simd_levels, testing::Contains(here.simd));
  EXPECT_GE(here.cores, 1);
  EXPECT_GT(here.memory, 0u);
  EXPECT_GE(here.memory, here.memory_free);
}

} // namespace
} // namespace recta
