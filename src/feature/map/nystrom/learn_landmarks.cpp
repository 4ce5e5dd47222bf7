#include "base/blas.hpp"
#include "base/random.hpp"
#include "base/simd/kernels.hpp"
#include "base/transpose.hpp"
#include "feature/map/nystrom/nystrom.hpp"
#include "kernel/points.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::feature::nystrom {
namespace {

// Landmarks among points: each is drawn with the chance of what those before it leave of its k(x, x).
std::vector<Index> pivots(const kernel::Kernel& kernel, const kernel::Points& points, Index landmarks,
                          std::uint64_t seed, Pool& pool) {
  const Index n = points.count();
  std::vector<double> left, column(at(n)), inside(at(n)), factor(at(n * landmarks));
  for (Index i = 0; i < n; ++i) left.push_back(points.own_value(kernel, i));
  const std::vector<double> whole = left;
  std::vector<Index> out;
  Random random(seed, 0);
  while (std::ssize(out) < landmarks) {
    double total = 0;
    for (const double rest : left) total += rest;
    if (!(total > 0)) break;
    double place = random.uniform() * total;
    Index pivot = 0;
    while (pivot + 1 < n && (place -= left[at(pivot)]) >= 0) ++pivot;
    if (!(left[at(pivot)] > 0)) continue;
    const auto k = std::ssize(out);
    points.values_of(kernel, {&pivot, 1}, column.data(), n, &pool);
    constexpr Index kRows = 512;
    pool.run((n + kRows - 1) / kRows, [&](Index chunk, int) {
      const Index first = chunk * kRows, held = std::min(kRows, n - first);
      const MatrixView some{factor.data() + first * landmarks, held, k, landmarks, 1, Scalar::float64, nullptr};
      simd::kernels().row_dots(some, factor.data() + pivot * landmarks, inside.data() + first);
    });
    const double at_pivot = column[at(pivot)] - inside[at(pivot)];
    // A point within rounding of those before it would make their matrix singular.
    if (!(at_pivot > 1e-10 * whole[at(pivot)])) {
      left[at(pivot)] = 0;
      continue;
    }
    const double root = std::sqrt(at_pivot);
    for (Index i = 0; i < n; ++i) {
      const double entry = (column[at(i)] - inside[at(i)]) / root;
      factor[at(i * landmarks + k)] = entry;
      left[at(i)] = left[at(i)] - entry * entry > 1e-13 * whole[at(i)] ? left[at(i)] - entry * entry : 0;
    }
    left[at(pivot)] = 0;
    out.push_back(pivot);
  }
  return out;
}

// L^-1 by row, LL' the kernel matrix of the points.
Result<std::vector<double>> inverse_root(const kernel::Kernel& kernel, const kernel::Points& points,
                                         const std::string& source, Pool& pool) {
  const Index m = points.count();
  std::vector<double> l(at(m * m)), out(at(m * m));
  std::vector<Index> all;
  for (Index k = 0; k < m; ++k) all.push_back(k);
  points.values_of(kernel, all, l.data(), m, &pool);
  const blas::SerialBlas serial;
  if (blas::potrf({l.data(), m}) != 0)
    return fail(ErrorCode::bad_data, source, "the landmarks of nystrom cannot be told apart",
                "ask for fewer, or give another gamma");
  if (blas::trtri(blas::Triangle::lower, {l.data(), m}) != 0)
    return fail(ErrorCode::bad_data, source, "the landmarks of nystrom cannot be told apart", "ask for fewer");
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j <= i; ++j) out[at(i * m + j)] = l[at(j * m + i)];
  return out;
}

// k(x, x), and what the features keep of it: a pair per row. The features themselves go to `made`, by row, if not null.
Result<void> pairs_of(const Map& map, const kernel::Kernel& kernel, const Batch& batch, double* out, double* made) {
  constexpr Index kTogether = 256; // their features stay in the cache
  const auto& x = std::get<MatrixView>(batch.x);
  const Index p = x.cols, count = map.count();
  std::vector<double> columns(at(kTogether * p)), features(at(kTogether * count)), row(at(p));
  kernel::Points points(p);
  for (Index first = 0; first < x.rows; first += kTogether, out += 2 * kTogether) {
    const Index n = std::min(kTogether, x.rows - first);
    MapRows some{{}, n, batch.weight.empty() ? nullptr : batch.weight.data() + first};
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i) columns[at(j * n + i)] = element(x, first + i, j);
      some.inputs.push_back(columns.data() + j * n);
    }
    if (const auto done = map.evaluate(some, features.data(), nullptr); !done)
      return fail(ErrorCode::bad_data, "nystrom", done.error().what, done.error().advice);
    if (made) write_by_row(features.data(), n, count, made + first * count);
    for (Index i = 0; i < n; ++i) {
      if (some.absent(i)) continue;
      for (Index j = 0; j < p; ++j) row[at(j)] = columns[at(j * n + i)];
      points.add(row.data());
      out[2 * i] = points.own_value(kernel, points.count() - 1);
    }
    for (Index c = 0; c < count; ++c) // absent rows have zeros
      for (Index i = 0; i < n; ++i) out[2 * i + 1] += features[at(c * n + i)] * features[at(c * n + i)];
  }
  return {};
}

Result<double> kept_share(const Map& map, const kernel::Kernel& kernel, Index rows, const LearningRows& from) {
  std::vector<double> pairs(at(2 * rows));
  if (from.features) from.features->resize(at(rows * map.count()));
  const auto score = [&](const Batch& batch, double* out) {
    const Index first_row = (out - pairs.data()) / 2;
    return pairs_of(map, kernel, batch, out, from.features ? from.features->data() + first_row * map.count() : nullptr);
  };
  if (auto done = from.each_row(2, score, pairs.data()); !done) return std::unexpected(done.error());
  double whole = 0, kept = 0;
  for (std::size_t i = 0; i < pairs.size(); i += 2) whole += pairs[i], kept += pairs[i + 1];
  return std::min(1.0, kept / whole);
}

// |k(x, z_j)| is at most sqrt(k(x, x) k(z_j, z_j)), so that a sum of m + p terms for each feature rounds the features
// of x, whose squares are at most k(x, x), by (m + p) u sqrt(k(x, x)) times the lengths of their rows of L^-1, beside
// these.
double rounding_of_share(const Call& call, const std::vector<double>& learned, const kernel::Kernel& kernel) {
  const Index p = std::ssize(call.columns), m = static_cast<Index>(call.numbers.at(0));
  const double *const centre = learned.data() + 2, *const landmarks = centre + p, *const root = landmarks + m * p;
  kernel::Points points(p, false, kernel.centred() ? std::vector<double>(centre, landmarks) : std::vector<double>{});
  for (Index k = 0; k < m; ++k) points.add(landmarks + k * p);
  double squares = 0;
  for (Index k = 0; k < m; ++k) {
    double length = 0;
    for (Index j = 0; j <= k; ++j) length += std::abs(root[k * m + j]) * std::sqrt(points.own_value(kernel, j));
    squares += length * length;
  }
  return 4 * static_cast<double>(m + p) * kUnit * std::sqrt(squares);
}

} // namespace

Result<void> learn_landmarks(FeatureMap& map, Call call, const LearningRows& from) {
  constexpr Index kDrawn = 10; // rows to choose each landmark from
  const Index columns = std::ssize(call.columns), landmarks = static_cast<Index>(call.numbers.at(0));
  Sample sample(kDrawn * landmarks, columns, seed_of(call));
  if (auto done = sample.gather(from); !done) return done;
  kernel::Settings settings = kernel_of(call);
  if (std::isnan(settings.gamma)) settings.gamma = sample.gamma();
  const auto kernel = kernel::make_kernel(settings);
  const std::vector<double> x = sample.numbers();
  const Index drawn = std::ssize(x) / columns;
  if (kernel->from_zero_up() && std::ranges::any_of(x, [](double value) { return value < 0; }))
    return fail(ErrorCode::bad_data, from.source,
                fmt::format("the kernel {} takes no number below zero", settings.word), "choose another kernel");
  Landmarks out;
  out.gamma = settings.gamma;
  out.centre.assign(at(columns), 0.0);
  for (Index i = 0; i < drawn; ++i)
    for (Index j = 0; j < columns; ++j) out.centre[at(j)] += x[at(i * columns + j)] / static_cast<double>(drawn);
  const auto about = kernel->centred() ? out.centre : std::vector<double>{};
  kernel::Points points(columns, false, about), chosen(columns, false, about);
  for (Index i = 0; i < drawn; ++i) points.add(x.data() + i * columns);
  for (const Index i : pivots(*kernel, points, landmarks, seed_of(call), from.pool)) {
    out.landmarks.insert(out.landmarks.end(), x.begin() + i * columns, x.begin() + (i + 1) * columns);
    chosen.add(x.data() + i * columns);
  }
  if (chosen.count() == 0)
    return fail(ErrorCode::bad_data, from.source, "the kernel is zero for every row", "choose another one");
  auto root = inverse_root(*kernel, chosen, from.source, from.pool);
  if (!root) return std::unexpected(root.error());
  out.root = *std::move(root);
  call.numbers[0] = static_cast<double>(chosen.count()); // fewer if the rows do not have as many directions
  map = {call.text(), out.numbers()};
  const auto kept = kept_share(*make_map(call, map.learned), *kernel, sample.last_row(), from);
  if (!kept) return std::unexpected(kept.error());
  map.learned[1] = *kept;
  return {};
}

Result<std::vector<std::string>> landmark_differences(const FeatureMap& stated, const Call& call,
                                                      const LearningRows& from) {
  constexpr double kSame = 1e-9; // sums over the same rows by another build
  Sample sample(1, std::ssize(call.columns), seed_of(call));
  if (auto done = sample.gather(from); !done) return std::unexpected(done.error());
  kernel::Settings settings = kernel_of(call);
  if (std::isnan(settings.gamma)) settings.gamma = sample.gamma();
  std::vector<std::string> out;
  const double gamma = stated.learned.at(0), share = stated.learned.at(1);
  if (!(std::abs(gamma - settings.gamma) <= kSame * settings.gamma))
    out.push_back(fmt::format("gamma of {} is {} in the file, {} by the rows", stated.text, gamma, settings.gamma));
  settings.gamma = gamma;
  const auto kernel = kernel::make_kernel(settings);
  const auto kept = kept_share(*make_map(call, stated.learned), *kernel, sample.last_row(), from);
  if (!kept) return std::unexpected(kept.error());
  if (!(std::abs(share - *kept) <= kSame + rounding_of_share(call, stated.learned, *kernel)))
    out.push_back(
        fmt::format("{} keeps {} of the trace of its kernel in the file, {} by the rows", stated.text, share, *kept));
  return out;
}

} // namespace recta::feature::nystrom
