// Shared by the tests of kernels: random numbers, bits, and a fixture for every level that the machine has.
#pragma once

#include "base/simd/kernels.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <random>

namespace recta::simd {

using Numbers = std::vector<double>;

inline std::vector<std::uint64_t> bits(const Numbers& x) {
  std::vector<std::uint64_t> out;
  for (double v : x) out.push_back(std::bit_cast<std::uint64_t>(v));
  return out;
}
#define EXPECT_SAME_BITS(a, b) EXPECT_EQ(bits(a), bits(b))

inline Numbers normals(Index n, unsigned seed, double scale = 1) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Numbers out(n);
  for (double& v : out) v = normal(engine) * scale;
  return out;
}

class EveryLevel : public testing::TestWithParam<Level> {
protected:
  EveryLevel() : before_(level()) { EXPECT_TRUE(force(GetParam())); }
  ~EveryLevel() override { force(before_); }
  const Kernels& k_ = kernels();

private:
  Level before_;
};
} // namespace recta::simd
