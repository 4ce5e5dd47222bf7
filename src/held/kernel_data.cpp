#include "held/kernel_data.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "feature/classes.hpp"
#include "model/score_rows.hpp"
#include "solver/gradient_descent/seen_row.hpp"
#include "stats/from_zero_up.hpp"

#include <recta/kernel.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace {

template <class Use>
void numbers_of_row(const SeenRows& all, Index i, const Use& use) {
  std::visit([&](const auto& rows) { row_of(rows, i).each(use); }, all);
}

// The columns of a kernel that is given are the rows of training.
Result<void> check_matrix_rows(const KernelData& data, const Schema& schema, const Rows& rows) {
  const auto n = std::ssize(data.target);
  if (data.held->cols() != n)
    return fail(ErrorCode::bad_data, rows.name,
                fmt::format("{} columns for {} rows are not the matrix of a kernel", data.held->cols(), n),
                "give one column for every row of training, in their order");
  std::vector<double> k(at(n * n));
  for (Index i = 0; i < n; ++i) data.write_out(i, k.data() + i * n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) {
      const double one = k[at(i * n + j)], other = k[at(j * n + i)];
      // Sums that cancel are off by a rounding of their terms, which |x| |z| bounds.
      const double lengths = std::sqrt(std::abs(k[at(i * n + i)])) * std::sqrt(std::abs(k[at(j * n + j)]));
      if (std::abs(one - other) <= 1e-10 * (std::abs(one) + std::abs(other)) + 1e-13 * lengths) continue;
      return fail(ErrorCode::bad_data,
                  fmt::format("{}, row {}, column {}", rows.name, i + 1, places_of(schema, rows.name).feature(j)),
                  fmt::format("{} here and {} for the same two rows in row {}", one, other, j + 1),
                  "the matrix of a kernel is symmetric");
    }
  return {};
}

// k(x, x) and the squares of distances are doubles for every row; by Cauchy and Schwarz so are values between two rows.
Result<void> check_values_finite(const kernel::Kernel& kernel, const std::string& word, const KernelData& data,
                                 const Schema& schema, const Rows& rows) {
  const double count = static_cast<double>(std::ssize(data.target));
  for (Index i = 0; i < std::ssize(data.target); ++i) {
    if (!(data.weight[at(i)] > 0)) continue;
    double square = 0, largest = 0, apart = 0;
    Index place = 0;
    numbers_of_row(data.held->seen(), i, [&](Index j, double x) {
      square += x * x, apart += std::abs(x);
      if (std::abs(x) > std::abs(largest)) largest = x, place = j;
    });
    double value = square;
    if (!kernel.by_terms()) kernel.values({square, &square, 1, &value});
    // 16: both rows of a pair about their centre; and sums over all rows, of which the default gamma is one
    if (std::isfinite(kernel.by_terms() ? 4 * apart : value) &&
        (kernel.by_terms() || std::isfinite(16 * count * square)))
      continue;
    return fail(ErrorCode::bad_data,
                fmt::format("{}, row {}, column {}", rows.name, i + 1, places_of(schema, rows.name).feature(place)),
                fmt::format("{} is too large for the kernel {}: its values are not doubles", largest, word),
                fmt::format("give the column in larger units, such as {:.0e} of the present ones", std::abs(largest)));
  }
  return {};
}

// A kernel of texts reads one column of them, and nothing beside it.
Result<void> check_texts(const kernel::Kernel& kernel, const std::string& word, const KernelData& data,
                         const Schema& schema, const Rows& rows) {
  if (!data.texts)
    return fail(ErrorCode::usage, rows.name, fmt::format("the kernel {} reads one column of texts", word),
                "name it with --text COL (or --graph COL), whose unit is sequence or bytes");
  if (!schema.columns.empty() || !schema.maps.empty() || schema.sparse_cols > 0)
    return fail(ErrorCode::usage, rows.name,
                fmt::format("the kernel {} reads the texts of {} alone, and there are other features{}", word,
                            schema.texts[0].column,
                            schema.columns.empty() ? "" : ", such as " + schema.columns[0].name),
                "leave the other columns out with --ignore");
  for (std::size_t i = 0; i < data.weight.size(); ++i) {
    if (!(data.weight[i] > 0)) continue;
    const std::string fault = kernel.fault(data.text(static_cast<Index>(i)));
    if (!fault.empty())
      return fail(ErrorCode::bad_data, fmt::format("{}, row {}, column {}", rows.name, i + 1, schema.texts[0].column),
                  fault, "correct the text, or the kernel's parameters");
  }
  return {};
}

} // namespace

Result<KernelData> KernelData::hold(const Schema& schema, const Rows& rows) {
  KernelData out;
  out.texts = schema.texts.size() == 1 && schema.texts[0].is_sequence();
  out.bytes = out.texts && schema.texts[0].options.unit == TermUnit::bytes;
  // Machines of several classes read every row once per pair of classes.
  auto held = HeldRows::hold(rows.source, schema.classes.count() > 2 ? Dense::by_row : Dense::as_it_lies);
  if (!held) return std::unexpected(held.error());
  out.held = *std::move(held);
  const Places places = places_of(schema, rows.name);
  const auto checked = for_each_batch(*out.held, [&](const Batch& batch) -> Result<void> {
    if (auto good = check_weights(batch, places); !good) return good;
    return check_numbers(batch, places);
  });
  if (!checked) return std::unexpected(checked.error());
  if (out.held->targets() > 0) out.target = out.held->target(0);
  out.target.resize(at(*out.held->rows()));
  out.weight = out.held->weight();
  if (out.weight.empty()) out.weight.assign(out.target.size(), 1);
  out.classes = schema.classes.count();
  out.drawn = out.weight;
  const std::vector<double>& factor = schema.classes.factor;
  for (std::size_t i = 0; i < out.drawn.size() && !factor.empty(); ++i)
    if (out.drawn[i] > 0) out.drawn[i] /= factor.at(at(feature::class_place(schema.classes, out.target[i])));
  return out;
}

bool KernelData::sparse() const {
  return !std::holds_alternative<DenseRows>(held->seen());
}

void KernelData::write_out(Index row, double* x) const {
  std::fill(x, x + held->cols(), 0.0);
  numbers_of_row(held->seen(), row, [&](Index j, double value) { x[j] = value; });
}

std::vector<Index> KernelData::present() const {
  std::vector<Index> out;
  for (std::size_t i = 0; i < weight.size(); ++i)
    if (weight[i] > 0) out.push_back(static_cast<Index>(i));
  return out;
}

FitSummary KernelData::figures(FitSummary search) const {
  search.rows = 0, search.weight_sum = 0, search.classes = {};
  for (const double v : weight) search.rows += v > 0 ? 1 : 0, search.weight_sum += v;
  return search;
}

double KernelData::variance() const {
  CompensatedSum sum, squares, total;
  const auto cols = static_cast<double>(held->cols());
  for (std::size_t i = 0; i < target.size(); ++i)
    if (drawn[i] > 0) {
      double row = 0;
      numbers_of_row(held->seen(), static_cast<Index>(i), [&](Index, double x) { row += x; });
      sum.add_product(drawn[i], row);
      total.add(drawn[i] * cols);
    }
  const double mean = sum.value() / total.value();
  for (std::size_t i = 0; i < target.size(); ++i)
    if (drawn[i] > 0) {
      double zeros = cols, row = 0;
      numbers_of_row(held->seen(), static_cast<Index>(i), [&](Index, double x) {
        row += (x - mean) * (x - mean);
        zeros -= 1;
      });
      squares.add_product(drawn[i], row + zeros * mean * mean);
    }
  return squares.value() / total.value();
}

std::vector<KernelData::Side> KernelData::sides(bool against_rest, const std::vector<double>& weights) const {
  std::vector<Side> out;
  const auto add = [&](Index positive, Index negative, const auto& sign) {
    Side side{positive, negative, std::vector<double>(target.size()), std::vector<double>(target.size()), {}, 0};
    for (std::size_t i = 0; i < target.size(); ++i) {
      const double t = sign(target[i]);
      if (!(weights[i] > 0) || t == 0) continue;
      side.target[i] = t, side.weight[i] = weights[i];
      side.present.push_back(static_cast<Index>(i));
      side.total += weights[i];
    }
    out.push_back(std::move(side));
  };
  if (classes < 3) {
    Side side{0, 0, target, weights, {}, 0};
    for (std::size_t i = 0; i < target.size(); ++i)
      if (weights[i] > 0) side.present.push_back(static_cast<Index>(i)), side.total += weights[i];
    out.push_back(std::move(side));
    return out;
  }
  for (Index k = 0; k < classes; ++k) {
    const auto first = static_cast<double>(k);
    if (against_rest) add(k, classes, [&](double y) { return y == first ? 1.0 : -1.0; });
    for (Index l = k + 1; l < classes && !against_rest; ++l) {
      const auto other = static_cast<double>(l);
      add(k, l, [&](double y) { return y == first ? 1.0 : y == other ? -1.0 : 0.0; });
    }
  }
  return out;
}

void KernelData::set_gamma(kernel::Settings& kernel) const {
  if (!std::isnan(kernel.gamma)) return;
  const double spread = variance();
  kernel.gamma = spread > 0 ? 1 / (static_cast<double>(held->cols()) * spread) : 1;
}

std::u32string KernelData::text(Index row) const {
  std::u32string out;
  numbers_of_row(held->seen(), row, [&](Index, double code) { out.push_back(static_cast<char32_t>(code - 1)); });
  return out;
}

// Blocks of rows are summed up by themselves and joined in order, at any number of threads.
std::vector<double> KernelData::mean(std::span<const Index> rows, Pool* pool) const {
  constexpr std::size_t kRowsOfBlock = 1024;
  const std::size_t blocks = (rows.size() + kRowsOfBlock - 1) / kRowsOfBlock;
  std::vector<std::vector<double>> sums(blocks, std::vector<double>(at(held->cols())));
  const auto add_block = [&](Index block, int) {
    const std::size_t from = at(block) * kRowsOfBlock, some = std::min(kRowsOfBlock, rows.size() - from);
    std::vector<double>& sum = sums[at(block)];
    for (const Index i : rows.subspan(from, some))
      numbers_of_row(held->seen(), i,
                     [&](Index j, double value) { sum[at(j)] += value / static_cast<double>(rows.size()); });
  };
  if (pool)
    pool->run(static_cast<Index>(blocks), add_block);
  else
    for (std::size_t block = 0; block < blocks; ++block) add_block(static_cast<Index>(block), 0);
  std::vector<double> out(at(held->cols()));
  for (const std::vector<double>& sum : sums)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += sum[j];
  return out;
}

kernel::Points KernelData::points(std::span<const Index> present, const kernel::Kernel& kernel, bool about_mean,
                                  Pool* pool) const {
  if (kernel.reads_texts()) {
    kernel::Points out(kernel.texts());
    for (const Index i : present) out.add(text(i));
    return out;
  }
  const bool moved = (kernel.centred() || about_mean) && !sparse();
  kernel::Points out(held->cols(), sparse(), moved ? mean(present, pool) : std::vector<double>());
  out.add_all(present, [&](Index i, double* x) { write_out(i, x); }, pool);
  return out;
}

Result<void> KernelData::check_kernel_takes(const kernel::Settings& settings, const Schema& schema,
                                            const Rows& rows) const {
  const auto kernel = kernel::make_kernel(settings);
  if (kernel->reads_texts()) return check_texts(*kernel, settings.word, *this, schema, rows);
  if (kernel->by_place()) return check_matrix_rows(*this, schema, rows);
  if (auto good = check_values_finite(*kernel, settings.word, *this, schema, rows); !good) return good;
  if (!kernel->from_zero_up()) return {};
  if (auto again = held->rewind(); !again) return again;
  return for_each_batch(*held, [&](const Batch& batch) {
    return check_from_zero_up(batch, "the kernel " + settings.word, places_of(schema, rows.name));
  });
}

svm::LinearRows linear_rows(const KernelData& data, std::span<const Index> rows, bool about_mean, Pool& pool,
                            double constant) {
  const bool sparse = data.sparse();
  const Index cols = data.held->cols() + (constant > 0 ? 1 : 0);
  svm::LinearRows out(cols, sparse);
  if (const auto* dense = std::get_if<DenseRows>(&data.held->seen())) {
    const auto write = [&](Index k, double* x) {
      row_of(*dense, rows[at(k)]).each([&](Index j, double value) { x[j] = value; });
      if (constant > 0) x[cols - 1] = constant;
    };
    out.take_dense(std::ssize(rows), write, pool);
  } else {
    out.reserve(std::ssize(rows));
    for (const Index i : rows)
      out.add_sparse([&](const auto& use) {
        numbers_of_row(data.held->seen(), i, use);
        if (constant > 0) use(cols - 1, constant);
      });
  }
  if (about_mean) out.move_to_centre(pool);
  return out;
}

Result<double> right_weight(const Body& body, const KernelData& rows, Pool& pool, const std::vector<bool>& known) {
  const auto is_known = [&](std::size_t i) { return !known.empty() && known[i]; };
  const auto score = [&](const Batch& batch, double* out) {
    std::vector<double> weight;
    for (Index i = 0; i < batch.rows(); ++i)
      weight.push_back(is_known(at(batch.first_row + i)) ? 0 : rows.weight[at(batch.first_row + i)]);
    Batch others = batch;
    others.weight = weight;
    return body.score(others, ScoresOf::classes, out);
  };
  std::vector<double> scores(rows.target.size() * at(body.scores()));
  if (auto again = rows.held->rewind(); !again) return std::unexpected(again.error());
  const Written written{.out = scores.data(), .columns = body.scores()};
  if (auto done = score_rows({body.scores(), score}, *rows.held, pool, written); !done)
    return std::unexpected(done.error());
  double right = 0;
  for (std::size_t i = 0; i < rows.target.size(); ++i) {
    if (!(rows.weight[i] > 0)) continue;
    if (is_known(i)) {
      right += rows.weight[i];
      continue;
    }
    const double* const row_scores = scores.data() + i * at(body.scores());
    const bool same = body.scores() == 1
                          ? (row_scores[0] >= 0) == (rows.target[i] > 0)
                          : static_cast<double>(std::max_element(row_scores, row_scores + body.scores()) -
                                                row_scores) == rows.target[i];
    right += same ? rows.weight[i] : 0;
  }
  return right;
}

} // namespace recta
