#include "evaluate/checkup/cost.hpp"

#include "base/blas.hpp"
#include "design/row_source.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <vector>

namespace recta::checkup {
namespace {

constexpr double kBandwidth = 4e9; // bytes a second, encoding included: what a plain machine reaches
constexpr double kStart = 3e-3;    // seconds: threads, schema, summary

// Flops a second of one core on the product that a fit spends its time in; about two milliseconds.
double measured_speed() {
  constexpr Index kColumns = 64, kRows = 512;
  const blas::SerialBlas serial;
  std::vector<double> x(kColumns * kRows, 0.5), c(kColumns * kColumns, 0);
  const auto start = std::chrono::steady_clock::now();
  double seconds = 0, flops = 0;
  do {
    blas::syrk(blas::Op::plain, kColumns, kRows, 1, {x.data(), kColumns}, 0, {c.data(), kColumns});
    flops += static_cast<double>(kColumns * kColumns * kRows);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } while (seconds < 2e-3);
  return flops / seconds;
}

} // namespace

Cost fit_cost(Index rows, Index features, Index targets, int threads) {
  const auto n = static_cast<double>(rows), p = static_cast<double>(features), cores = static_cast<double>(threads);
  const double d = std::min(n, p) + static_cast<double>(targets);
  const double flops = n * p * d + 10 * d * d * d;
  const double passes = 2 * 8 * n * (p + 1) / kBandwidth;
  Cost cost;
  cost.seconds = kStart + std::max(flops / (measured_speed() * cores), passes);
  cost.bytes = fit_bytes(rows, features, targets, threads);
  return cost;
}

std::uint64_t fit_bytes(Index rows, Index features, Index targets, int threads) {
  const auto p = static_cast<double>(features), cores = static_cast<double>(threads);
  const double d = static_cast<double>(std::min(rows, features) + targets);
  const Index block = block_rows(std::max<Index>(features, 1));
  const auto blocks = static_cast<std::uint64_t>(rows / block + 1);
  const double states = cores + static_cast<double>(std::bit_width(blocks));
  return static_cast<std::uint64_t>(16 * d * d * states + 8 * p * static_cast<double>(std::min(block, rows)) * cores);
}

} // namespace recta::checkup
