// The eigenvalues that LAPACK finds are those of a matrix within a few n u |K| of the one it was given (Anderson et al.
// 1999), and that one is within n times the error of a value of the exact one; by Weyl no eigenvalue moves by more than
// the norm of the change.
#include "base/blas.hpp"
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "kernel/combined.hpp"
#include "kernel/points.hpp"
#include "stats/from_zero_up.hpp"
#include "text/characters.hpp"
#include "text/read_terms.hpp"

#include <recta/kernel.hpp>
#include <recta/params.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>

namespace recta {
namespace {

constexpr Index kMostRows = 20'000; // 3.2 GB

double number_at(const MatrixView& x, Index i, Index j) {
  const Index place = i * x.row_stride + j * x.col_stride;
  return x.scalar == Scalar::float64 ? static_cast<const double*>(x.data)[place]
                                     : static_cast<double>(static_cast<const float*>(x.data)[place]);
}

Result<kernel::KernelInfo> find_kernel(const std::string& word) {
  if (auto info = kernel::find_kernel(word)) return *std::move(info);
  std::vector<std::string> words;
  for (const kernel::KernelInfo& info : kernel::kernels()) words.push_back(info.word);
  const std::string near = nearest(word, words);
  return fail(ErrorCode::usage, "kernel", fmt::format("there is no kernel \"{}\"", word),
              near.empty()
                  ? fmt::format("the kernels are {}, and sums and products such as rbf+linear", fmt::join(words, ", "))
                  : fmt::format("did you mean \"{}\"?", near));
}

Result<void> check_options(const kernel::KernelInfo& info, const KernelOptions& options) {
  if (!std::isnan(options.gamma) && !(options.gamma > 0 && std::isfinite(options.gamma)))
    return fail(ErrorCode::usage, "gamma", fmt::format("{} is not a number above zero", options.gamma),
                "leave it out for 1 / (p variance of all numbers)");
  if (options.degree < 1 || options.degree > 100)
    return fail(ErrorCode::usage, "degree", fmt::format("{} is out of range", options.degree), "give 1 to 100");
  if (!std::isfinite(options.coef) || options.coef < info.least_coef)
    return fail(ErrorCode::usage, "coef",
                fmt::format("with the constant {} the kernel {} is not an inner product", options.coef, info.word),
                fmt::format("give {} or more", info.least_coef));
  return {};
}

Result<void> check_rows(const MatrixView& x, const kernel::KernelInfo& info) {
  if (x.rows == 0 || x.cols == 0)
    return fail(ErrorCode::bad_data, "kernel", "there are no rows with numbers", "give at least one row");
  if (x.rows > kMostRows)
    return fail(ErrorCode::bad_data, "kernel",
                fmt::format("{} rows make a matrix of {} GB", x.rows, 8 * x.rows * x.rows / 1'000'000'000),
                fmt::format("take {} rows or fewer", kMostRows));
  const Batch batch{.x = x, .target = {nullptr, x.rows, 0, 0, 1}, .weight = {}, .offset = {}};
  if (auto good = check_numbers(batch); !good) return good;
  return info.from_zero_up ? check_from_zero_up(batch, "the kernel " + info.word) : Result<void>();
}

// The default of gamma: by the spread of all numbers together.
double usual_gamma(const MatrixView& x) {
  CompensatedSum sum, squares;
  const double count = static_cast<double>(x.rows) * static_cast<double>(x.cols);
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j) sum.add(number_at(x, i, j));
  const double mean = sum.value() / count;
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j) {
      const double apart = number_at(x, i, j) - mean;
      squares.add_product(apart, apart);
    }
  const double variance = squares.value() / count;
  return variance > 0 ? 1 / (static_cast<double>(x.cols) * variance) : 1;
}

std::vector<double> centre_of(const MatrixView& x) {
  std::vector<double> centre(at(x.cols));
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j) centre[at(j)] += number_at(x, i, j) / static_cast<double>(x.rows);
  return centre;
}

Result<void> check_matrix(const MatrixView& k, double error) {
  if (k.rows != k.cols || k.rows == 0)
    return fail(ErrorCode::bad_data, "kernel", fmt::format("a matrix of {} x {} is not square", k.rows, k.cols),
                "give a row and a column for every row of the data");
  if (k.rows > kMostRows)
    return fail(ErrorCode::bad_data, "kernel", fmt::format("{} rows are too many for all eigenvalues", k.rows),
                fmt::format("take {} rows or fewer", kMostRows));
  for (Index i = 0; i < k.rows; ++i)
    for (Index j = 0; j < k.cols; ++j) {
      const double one = number_at(k, i, j), other = number_at(k, j, i);
      if (!std::isfinite(one))
        return fail(ErrorCode::bad_data, fmt::format("kernel, row {}, column {}", i + 1, j + 1),
                    fmt::format("the value is {}", one), "a kernel's values are finite");
      if (std::abs(one - other) > 2 * error + 1e-10 * (std::abs(one) + std::abs(other)))
        return fail(ErrorCode::bad_data, fmt::format("kernel, row {}, column {}", i + 1, j + 1),
                    fmt::format("{} here and {} in row {}, column {}", one, other, j + 1, i + 1),
                    "the matrix of a kernel is symmetric");
    }
  return {};
}

double quadratic_form(const std::vector<double>& k, const std::vector<double>& v) {
  CompensatedSum all;
  for (std::size_t j = 0; j < v.size(); ++j) {
    CompensatedSum row;
    for (std::size_t i = 0; i < v.size(); ++i) row.add_product(k[i + j * v.size()], v[i]);
    all.add_product(row.value(), v[j]);
  }
  return all.value();
}

Result<MercerCheck> checked(const MatrixView& view, double error) {
  if (auto good = check_matrix(view, error); !good) return std::unexpected(good.error());
  const blas::SerialBlas serial;
  const Index n = view.rows;
  std::vector<double> k(at(n * n)), values(at(n));
  double size = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      k[at(i + j * n)] = (number_at(view, i, j) + number_at(view, j, i)) / 2;
      size = std::hypot(size, k[at(i + j * n)]);
    }
  std::vector<double> vectors = k;
  if (blas::syevd(true, {vectors.data(), n}, values.data()) != 0)
    return fail(ErrorCode::failure, "kernel", "the eigenvalues were not found", "scale the rows");
  MercerCheck out{.rows = n, .least = values.front(), .largest = values.back()};
  out.rounding = static_cast<double>(n) * (8 * 0x1p-53 * size + error);
  for (const double value : values) out.negative += value < -out.rounding ? 1 : 0;
  std::vector<double> first(vectors.begin(), vectors.begin() + n);
  const double quadratic = quadratic_form(k, first);
  if (quadratic < -out.rounding) out.witness = std::move(first), out.quadratic = quadratic;
  return out;
}

} // namespace

Result<KernelMatrix> kernel_matrix(const MatrixView& x, const KernelOptions& options) {
  return guarded("kernel", cure::kFewerRows, [&]() -> Result<KernelMatrix> {
    const auto info = find_kernel(options.kernel);
    if (!info) return std::unexpected(info.error());
    if (auto good = check_options(*info, options); !good) return std::unexpected(good.error());
    if (auto good = check_rows(x, *info); !good) return std::unexpected(good.error());
    kernel::Settings settings{options.kernel, options.gamma, options.coef, options.degree};
    if (std::isnan(settings.gamma)) settings.gamma = info->linear ? 1 : usual_gamma(x);
    const auto kernel = kernel::make_kernel(settings);
    if (kernel->reads_texts())
      return fail(ErrorCode::usage, "kernel",
                  fmt::format("the kernel {} reads texts, and these are numbers", options.kernel),
                  "name the column of texts");
    if (kernel->by_place())
      return fail(ErrorCode::usage, "kernel", "these numbers are the matrix already", "check it as it is");
    kernel::Points points(x.cols, false, kernel->centred() ? centre_of(x) : std::vector<double>{});
    for (Index i = 0; i < x.rows; ++i) points.add(x, i);
    KernelMatrix out{.rows = x.rows, .values = std::vector<double>(at(x.rows * x.rows))};
    std::vector<Index> all(at(x.rows));
    for (Index i = 0; i < x.rows; ++i) all[at(i)] = i;
    Pool pool(options.threads);
    points.values_of(*kernel, all, out.values.data(), x.rows, &pool);
    out.formula = kernel->text();
    out.definite = kernel->definite();
    out.error = kernel->error({x.cols, points.longest(), points.longest()});
    return out;
  });
}

bool kernel_reads_texts(const std::string& word) {
  const auto& all = kernel::kernels();
  const auto info = std::ranges::find(all, word, &kernel::KernelInfo::word);
  return info != all.end() && info->texts;
}

namespace {

Result<std::u32string> codes_of(std::string_view document, std::size_t i, const kernel::Kernel& kernel, bool bytes) {
  const std::string where = fmt::format("text {}", i + 1);
  if (auto good = text::check_utf8(document, where, "write it in UTF-8"); !good) return std::unexpected(good.error());
  std::u32string codes;
  const char *next = document.data(), *const end = document.data() + document.size();
  while (next < end) codes.push_back(bytes ? static_cast<unsigned char>(*next++) : text::next_code(next));
  if (std::string fault = kernel.fault(codes); !fault.empty())
    return fail(ErrorCode::bad_data, where, std::move(fault), "correct the text, or the kernel's parameters");
  return codes;
}

// If several texts are at fault, the first is named.
Result<std::vector<std::u32string>> codes_of(Documents documents, const kernel::Kernel& kernel, bool bytes,
                                             Pool& pool) {
  std::vector<std::u32string> out(documents.size());
  std::mutex mutex;
  std::size_t faulty = documents.size();
  Error error;
  pool.run(std::ssize(documents), [&](Index number, int) {
    const std::size_t i = at(number);
    auto codes = codes_of(documents[i], i, kernel, bytes);
    if (codes) {
      out[i] = *std::move(codes);
      return;
    }
    const std::lock_guard lock(mutex);
    if (i >= faulty) return;
    faulty = i;
    error = codes.error();
  });
  if (faulty < documents.size()) return std::unexpected(std::move(error));
  return out;
}

// The upper half from the lower one, in squares that stay in the cache.
void mirror(double* values, Index n, Pool& pool) {
  constexpr Index kSide = 64;
  pool.run((n + kSide - 1) / kSide, [&](Index band, int) {
    const Index first = band * kSide, end = std::min(first + kSide, n);
    for (Index left = 0; left < end; left += kSide)
      for (Index j = left; j < std::min(left + kSide, end); ++j)
        for (Index i = std::max(first, j + 1); i < end; ++i) values[j * n + i] = values[i * n + j];
  });
}

Result<KernelMatrix> matrix_of_texts(Documents texts, const KernelOptions& options, Documents others) {
  if (!kernel_reads_texts(options.kernel))
    return fail(ErrorCode::usage, "kernel", fmt::format("\"{}\" is not a kernel of texts", options.kernel),
                "take string:subsequence, or another whose word begins with string: or graph:");
  kernel::Settings settings{.word = options.kernel};
  settings.length = options.length, settings.decay = options.decay, settings.mismatches = options.mismatches;
  settings.alphabet = options.alphabet, settings.rounds = options.rounds, settings.normalise = options.normalise;
  settings.beta = options.beta, settings.network = options.network;
  if (kernel::Fault fault = kernel::fault_of(settings); !fault.empty())
    return fail(ErrorCode::usage, "kernel", std::move(fault.what), std::move(fault.cure));
  const auto kernel = kernel::make_kernel(settings);
  Pool pool(options.threads);
  auto rows = codes_of(texts, *kernel, options.bytes, pool);
  if (!rows) return std::unexpected(rows.error());
  auto columns = codes_of(others, *kernel, options.bytes, pool);
  if (!columns) return std::unexpected(columns.error());
  const bool square = others.empty();
  const auto set = kernel->texts();
  for (std::u32string& text : square ? *rows : *columns) set->add(std::move(text));
  const Index n = std::ssize(texts), m = set->count();
  if (static_cast<double>(n) * static_cast<double>(m) > 0x1p31)
    return fail(ErrorCode::bad_data, "kernel", fmt::format("a matrix of {} x {} values would be too large", n, m),
                "take fewer texts");
  KernelMatrix out{.rows = n, .values = std::vector<double>(at(n * m))};
  std::vector<double> error(at(n));
  pool.run(n, [&](Index place, int) {
    const Index i = n - 1 - place;
    double* const row = out.values.data() + i * m;
    error[at(i)] = square ? set->values_of(i, i + 1, row) : set->values((*rows)[at(i)], m, row);
  });
  if (square) mirror(out.values.data(), n, pool);
  out.formula = kernel->text();
  out.definite = kernel->definite();
  for (const double bound : error) out.error = std::max(out.error, bound);
  return out;
}

} // namespace

Result<KernelMatrix> kernel_matrix(Documents texts, const KernelOptions& options, Documents others) {
  return guarded("kernel", cure::kFewerRows, [&] { return matrix_of_texts(texts, options, others); });
}

Result<MercerCheck> mercer_check(const MatrixView& k, double error) {
  return guarded("kernel", cure::kFewerRows, [&] { return checked(k, error); });
}

Result<MercerCheck> mercer_check(const KernelMatrix& k) {
  auto out = mercer_check(MatrixView{k.values.data(), k.rows, k.rows, k.rows, 1}, k.error);
  if (out) out->definite = k.definite;
  return out;
}

std::string MercerCheck::sentence() const {
  if (!holds())
    return fmt::format(
        "Not positive semidefinite: v'Kv = {:.6g} for the vector v of length one in the answer; {} of {} "
        "eigenvalues are below zero, the least {:.6g}. A machine with this matrix claims a stationary "
        "point only.",
        quadratic, negative, rows, least);
  const std::string by = definite ? ", as every matrix of this kernel is" : ", for these rows";
  return fmt::format(
      "Positive semidefinite{}: the least eigenvalue is {:.6g}, not below zero beyond rounding ({:.2g}).", by, least,
      rounding);
}

} // namespace recta
