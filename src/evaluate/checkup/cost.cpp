#include "evaluate/checkup/cost.hpp"

#include "base/blas.hpp"
#include "design/row_source.hpp"
#include "solver/choose.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <vector>

namespace recta::checkup {
namespace {

constexpr double kBandwidth = 4e9; // bytes per second, encoding included: what a plain machine reaches
constexpr double kStart = 3e-3;    // seconds: threads, schema, summary

// Flops per second of one core on the product that a fit spends its time in; about two milliseconds.
double measured_speed() {
  constexpr Index kColumns = 64, kRows = 512;
  const blas::SerialBlas serial;
  std::vector<double> x(kColumns * kRows, 0.5), c(kColumns * kColumns, 0);
  const auto start = std::chrono::steady_clock::now();
  double seconds = 0, flops = 0;
  do {
    blas::syrk(1, {x.data(), kColumns, kRows}, 0, {c.data(), kColumns});
    flops += static_cast<double>(kColumns * kColumns * kRows);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } while (seconds < 2e-3);
  return flops / seconds;
}

// Two products per step, X v and X'u: about a hundred steps for columns that are not nearly dependent, and the passes
// of the proof. The numbers of a sparse row come with their column and are met in no order.
constexpr double kProducts = 200, kStoredBytes = 64, kColumnBytes = 512, kRowBytes = 64;
constexpr double kVectorBytes = 32; // per product: read and written of the vectors with one number per column or row

Cost iteration_cost(const FitShape& shape, int threads) {
  const auto n = static_cast<double>(shape.rows), p = static_cast<double>(shape.features);
  const auto stored = static_cast<double>(shape.stored), cores = static_cast<double>(threads);
  const double bytes = stored * (shape.sparse ? kStoredBytes : sizeof(double));
  const double block = std::min(n, static_cast<double>(block_rows(std::max<Index>(shape.features, 1))));
  Cost cost;
  cost.seconds = kStart + kProducts * (bytes + kVectorBytes * (n + p)) / kBandwidth;
  cost.bytes = static_cast<std::uint64_t>(kColumnBytes * p + kRowBytes * n + 16 * stored / n * block * cores);
  return cost;
}

} // namespace

Cost fit_cost(const FitShape& shape, int threads) {
  const auto& [rows, features, targets, stored, sparse] = shape;
  const std::string solver = choose_solver({.rows = rows, .cols = features, .sparse = sparse}).solver;
  if (solver == "lsmr") return iteration_cost(shape, threads);
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
