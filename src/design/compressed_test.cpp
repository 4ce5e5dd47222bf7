#include "design/compressed.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace recta {
namespace {

TEST(Compressed, indices_that_make_no_matrix_are_refused) {
  const std::vector<double> value(4, 1.0);
  const auto text = [&](std::vector<std::int32_t> start, std::vector<std::int32_t> index) {
    const SparseView x = {2, 3, start.data(), index.data(), value.data(), IndexWidth::bits32};
    const Result<void> result = check_sparse(x, "x");
    return result ? "" : result.error().where + ": " + result.error().what;
  };
  EXPECT_EQ(text({0, 2, 4}, {0, 2, 0, 1}), "");
  EXPECT_EQ(text({1, 2, 4}, {0, 2, 0, 1}), "x, row 1: its first number is at 1, not at 0");
  EXPECT_EQ(text({0, 2, 1}, {0, 2, 0, 1}), "x, row 2: it ends at 1 before it begins at 2");
  EXPECT_EQ(text({0, 2, 4}, {0, 3, 0, 1}), "x, row 1: index 3 is not in 0 .. 2");
  EXPECT_EQ(text({0, 2, 4}, {0, -1, 0, 1}), "x, row 1: index -1 is not in 0 .. 2");
  EXPECT_EQ(text({0, 2, 4}, {0, 2, 1, 1}), "x, row 2: index 1 comes after 1");
}

} // namespace
} // namespace recta
