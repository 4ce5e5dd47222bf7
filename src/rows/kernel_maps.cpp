#include "rows/kernel_maps.hpp"

#include "base/blas.hpp"
#include "base/double_double.hpp"
#include "base/numbers.hpp"
#include "base/random.hpp"
#include "base/simd/kernels.hpp"
#include "family/first_pass.hpp"
#include "feature/map/kernel_map.hpp"
#include "model/score_rows.hpp"
#include "stats/row_check.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <queue>

namespace recta {
namespace {

using feature::Call;

// A pass over all rows: the spread of all their numbers, and the rows with the least draws.
class Sample {
public:
  Sample(Index wanted, Index columns, std::uint64_t seed) : wanted_(wanted), columns_(columns), seed_(seed) {}

  Result<void> gather(RowSource& source, const Places& places) {
    return for_each_batch(source, [&](const Batch& batch) -> Result<void> {
      if (auto good = check_weights(batch, places); !good) return good;
      if (auto good = check_numbers(batch, places); !good) return good;
      for (const Index i : present_rows(batch)) add(std::get<MatrixView>(batch.x), i, batch.first_row + i);
      last_row_ = std::max(last_row_, batch.first_row + batch.rows());
      return {};
    });
  }
  Index rows() const { return rows_; }
  Index last_row() const { return last_row_; } // one behind it
  double variance() const {
    const auto n = static_cast<double>(rows_ * columns_);
    const DoubleDouble mean = sum_ / n;
    return std::max(0.0, (squares_ / n - mean * mean).hi);
  }
  // In the order of the rows.
  std::vector<double> numbers() {
    std::vector<std::size_t> order;
    for (; !drawn_.empty(); drawn_.pop()) order.push_back(drawn_.top().place);
    std::ranges::sort(order, {}, [&](std::size_t place) { return row_[place]; });
    std::vector<double> out;
    for (const std::size_t place : order)
      out.insert(out.end(), x_.begin() + static_cast<Index>(place) * columns_,
                 x_.begin() + (static_cast<Index>(place) + 1) * columns_);
    return out;
  }

private:
  struct Drawn {
    std::uint64_t draw;
    std::size_t place;
    bool operator<(const Drawn& other) const { return draw < other.draw; }
  };
  void add(const MatrixView& x, Index i, Index row) {
    ++rows_;
    for (Index j = 0; j < columns_; ++j) {
      const double value = element(x, i, j);
      sum_ += value;
      squares_ += two_prod(value, value);
    }
    const std::uint64_t draw = Random(seed_, static_cast<std::uint64_t>(row) + 1).bits();
    std::size_t place = row_.size();
    if (std::ssize(drawn_) == wanted_) {
      if (draw >= drawn_.top().draw) return;
      place = drawn_.top().place;
      drawn_.pop();
    } else {
      row_.push_back(0);
      x_.resize(x_.size() + at(columns_));
    }
    row_[place] = row;
    for (Index j = 0; j < columns_; ++j) x_[place * at(columns_) + at(j)] = element(x, i, j);
    drawn_.push({draw, place});
  }

  Index wanted_, columns_;
  std::uint64_t seed_;
  Index rows_ = 0, last_row_ = 0;
  DoubleDouble sum_ = 0.0, squares_ = 0.0;
  std::priority_queue<Drawn> drawn_;
  std::vector<Index> row_;
  std::vector<double> x_;
};

// Landmarks among points: each is drawn with the chance of what those before it leave of its k(x, x).
std::vector<Index> pivots(const kernel::Kernel& kernel, const kernel::Points& points, Index wanted, std::uint64_t seed,
                          Pool& pool) {
  const Index n = points.count();
  std::vector<double> left, column(at(n)), inside(at(n)), factor(at(n * wanted));
  for (Index i = 0; i < n; ++i) left.push_back(points.own_value(kernel, i));
  const std::vector<double> whole = left;
  std::vector<Index> out;
  Random random(seed, 0);
  while (std::ssize(out) < wanted) {
    double total = 0;
    for (const double one : left) total += one;
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
      const MatrixView some{factor.data() + first * wanted, held, k, wanted, 1, Scalar::float64, nullptr};
      simd::kernels().row_dots(some, factor.data() + pivot * wanted, inside.data() + first);
    });
    const double at_pivot = column[at(pivot)] - inside[at(pivot)];
    // A point within rounding of those before it would make their matrix singular.
    if (!(at_pivot > 1e-10 * whole[at(pivot)])) {
      left[at(pivot)] = 0;
      continue;
    }
    const double root = std::sqrt(at_pivot);
    for (Index i = 0; i < n; ++i) {
      const double own = (column[at(i)] - inside[at(i)]) / root;
      factor[at(i * wanted + k)] = own;
      left[at(i)] = left[at(i)] - own * own > 1e-13 * whole[at(i)] ? left[at(i)] - own * own : 0;
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
  if (blas::potrf(m, {l.data(), m}) != 0)
    return fail(ErrorCode::bad_data, source, "the landmarks of nystrom cannot be told apart",
                "ask for fewer, or give another gamma");
  if (blas::trtri(blas::Triangle::lower, m, {l.data(), m}) != 0)
    return fail(ErrorCode::bad_data, source, "the landmarks of nystrom cannot be told apart", "ask for fewer");
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j <= i; ++j) out[at(i * m + j)] = l[at(j * m + i)];
  return out;
}

// k(x, x), and what the features keep of it: a pair per row.
Result<double> kept_share(const feature::Map& map, const kernel::Kernel& kernel, Index rows, RowSource& source,
                          Pool& pool) {
  std::vector<double> pairs(at(2 * rows));
  const auto score = [&](const Batch& batch, double* out) -> Result<void> {
    const auto& x = std::get<MatrixView>(batch.x);
    const Index n = x.rows, p = x.cols;
    std::vector<double> columns(at(n * p)), made(at(n * map.count())), row(at(p));
    feature::MapRows some{{}, n, batch.weight.empty() ? nullptr : batch.weight.data()};
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < n; ++i) columns[at(j * n + i)] = element(x, i, j);
      some.inputs.push_back(columns.data() + j * n);
    }
    if (const auto done = map.evaluate(some, made.data(), nullptr); !done)
      return fail(ErrorCode::bad_data, "nystrom", done.error().what, done.error().advice);
    for (Index i = 0; i < n; ++i, out += 2) {
      if (some.absent(i)) continue;
      for (Index j = 0; j < p; ++j) row[at(j)] = columns[at(j * n + i)];
      kernel::Points one(p);
      one.add(row.data());
      out[0] = one.own_value(kernel, 0);
      for (Index c = 0; c < map.count(); ++c) out[1] += made[at(c * n + i)] * made[at(c * n + i)];
    }
    return {};
  };
  if (auto again = source.rewind(); !again) return std::unexpected(again.error());
  if (auto done = score_rows({2, score}, source, pool, {.out = pairs.data(), .columns = 2}); !done)
    return std::unexpected(done.error());
  double whole = 0, kept = 0;
  for (std::size_t i = 0; i < pairs.size(); i += 2) whole += pairs[i], kept += pairs[i + 1];
  return std::min(1.0, kept / whole);
}

class MapLearner {
public:
  MapLearner(FeatureMap& map, Call call, const std::string& source, Pool& pool)
      : map_(map), call_(std::move(call)), source_(source), pool_(pool), columns_(std::ssize(call_.columns)) {}

  Result<void> learn(RowSource& rows, const Places& places) {
    const auto seed = static_cast<std::uint64_t>(call_.number_option("seed", 0));
    const auto wanted = static_cast<Index>(call_.numbers.at(0));
    const bool landmarks = call_.word == "nystrom";
    constexpr Index kDrawn = 10; // rows to choose each landmark from
    Sample sample(landmarks ? kDrawn * wanted : 1, columns_, seed);
    if (auto done = sample.gather(rows, places); !done) return done;
    if (sample.rows() == 0)
      return fail(ErrorCode::bad_data, source_, "there is no row to learn features from", "give at least one");
    kernel::Settings settings = feature::kernel_of(call_);
    if (std::isnan(settings.gamma)) {
      const double variance = sample.variance();
      settings.gamma = variance > 0 ? 1 / (static_cast<double>(columns_) * variance) : 1;
    }
    if (!landmarks) {
      map_.learned = feature::random_directions(call_, settings.gamma);
      return {};
    }
    return place_landmarks(settings, sample, wanted, seed, rows);
  }

private:
  Result<void> place_landmarks(const kernel::Settings& settings, Sample& sample, Index wanted, std::uint64_t seed,
                               RowSource& rows) {
    const auto kernel = kernel::make_kernel(settings);
    const std::vector<double> x = sample.numbers();
    const Index drawn = std::ssize(x) / columns_;
    if (kernel->from_zero_up() && std::ranges::any_of(x, [](double value) { return value < 0; }))
      return fail(ErrorCode::bad_data, source_, fmt::format("the kernel {} takes no number below zero", settings.word),
                  "choose another kernel");
    feature::Nystrom out;
    out.gamma = settings.gamma;
    out.centre.assign(at(columns_), 0.0);
    for (Index i = 0; i < drawn; ++i)
      for (Index j = 0; j < columns_; ++j) out.centre[at(j)] += x[at(i * columns_ + j)] / static_cast<double>(drawn);
    const auto about = kernel->centred() ? out.centre : std::vector<double>{};
    kernel::Points points(columns_, false, about), chosen(columns_, false, about);
    for (Index i = 0; i < drawn; ++i) points.add(x.data() + i * columns_);
    for (const Index i : pivots(*kernel, points, wanted, seed, pool_)) {
      out.landmarks.insert(out.landmarks.end(), x.begin() + i * columns_, x.begin() + (i + 1) * columns_);
      chosen.add(x.data() + i * columns_);
    }
    if (chosen.count() == 0)
      return fail(ErrorCode::bad_data, source_, "the kernel is zero for every row", "choose another one");
    auto root = inverse_root(*kernel, chosen, source_, pool_);
    if (!root) return std::unexpected(root.error());
    out.root = *std::move(root);
    call_.numbers[0] = static_cast<double>(chosen.count()); // fewer if the rows do not have as many directions
    map_ = {call_.text(), out.numbers()};
    const auto map = feature::make_kernel_map(call_, map_.learned);
    if (!map) return std::unexpected(map.error());
    const auto kept = kept_share(**map, *kernel, sample.last_row(), rows, pool_);
    if (!kept) return std::unexpected(kept.error());
    map_.learned[1] = *kept;
    return {};
  }

  FeatureMap& map_;
  Call call_;
  const std::string& source_;
  Pool& pool_;
  Index columns_;
};

// The columns that a map reads, as features by themselves.
Schema plain_schema(const Schema& schema, const Call& call) {
  Schema out = schema;
  out.columns.clear();
  out.maps.clear();
  out.texts.clear();
  for (const std::string& name : call.columns) {
    out.columns.push_back(*std::ranges::find(schema.columns, name, &SchemaColumn::name));
    out.columns.back().plain = true;
    out.columns.back().indicator = false;
  }
  return out;
}

Result<std::optional<Call>> kernel_call(const FeatureMap& map) {
  auto call = feature::parse_call(map.text);
  if (call && *call && !feature::is_kernel_map(**call)) call->reset();
  return call;
}

} // namespace

Result<void> learn_kernel_maps(Schema& schema, const std::string& source, const WithRows& with_rows, Pool& pool) {
  for (FeatureMap& map : schema.maps) {
    const auto call = kernel_call(map);
    if (!call) return std::unexpected(call.error());
    if (!*call) continue;
    if (schema.missing == Missing::neighbours)
      return fail(ErrorCode::usage, map.text,
                  "it is learned from its own columns, and neighbours fill in by all of them",
                  "fill in by missing = mean, or drop such rows");
    const Schema plain = plain_schema(schema, **call);
    MapLearner learner(map, **call, source, pool);
    const auto learn = [&](RowSource& rows) { return learner.learn(rows, places_of(plain, source)); };
    if (auto done = with_rows(plain, learn); !done) return done;
  }
  return {};
}

std::vector<std::string> kernel_map_notes(const Schema& schema) {
  std::vector<std::string> out;
  for (const FeatureMap& map : schema.maps)
    if (const auto call = kernel_call(map); call && *call) out.push_back(feature::kernel_map_note(**call, map.learned));
  return out;
}

} // namespace recta
