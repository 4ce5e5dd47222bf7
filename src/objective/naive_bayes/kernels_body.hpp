// The loops behind Kernels, compiled once per instruction set by the file that includes this one after naming its
// namespace in RECTA_BAYES_LEVEL. Everything here has internal linkage, so that no other level's copy of a function can
// be linked in its place.
#define HWY_COMPILE_ONLY_STATIC
#include "objective/naive_bayes/kernels.hpp"

#include <hwy/highway.h>

namespace recta::naive_bayes::RECTA_BAYES_LEVEL {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using V = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Tag()));
constexpr bool kManyRegisters = kLanes == 8;

// The first `count` numbers, then zeros. Without a masked load in hardware, an emulated one may touch what it masks.
inline V load_part(const double* from, Index count) {
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN double copy[kLanes] = {};
  for (Index j = 0; j < count; ++j) copy[j] = from[j];
  return hn::Load(kTag, copy);
#else
  return hn::MaskedLoad(hn::FirstN(kTag, static_cast<std::size_t>(count)), kTag, from);
#endif
}
inline void store_part(V value, double* to, Index count) {
  HWY_ALIGN double copy[kLanes];
  hn::Store(value, kTag, copy);
  for (Index j = 0; j < count; ++j) to[j] = copy[j];
}

// K registers of columns side by side, the last of which may reach beyond the last column.
template <Index K, bool kPart>
struct Strip {
  Index last; // columns in the last register

  V load(const double* from, Index k) const {
    return kPart && k == K - 1 ? load_part(from + k * kLanes, last) : hn::LoadU(kTag, from + k * kLanes);
  }
  void store(V value, double* to, Index k) const {
    if (kPart && k == K - 1)
      store_part(value, to + k * kLanes, last);
    else
      hn::StoreU(value, kTag, to + k * kLanes);
  }
};

template <Index K, class Work>
inline void last_strip(Index registers, Index j, Index left, const Work& work) {
  if (registers == K) return work(Strip<K, true>{left - (K - 1) * kLanes}, j);
  if constexpr (K > 1) last_strip<K - 1>(registers, j, left, work);
}
// Calls work(strip, first column) for strips of at most kMost registers.
template <Index kMost, class Work>
inline void by_strips(Index columns, const Work& work) {
  Index j = 0;
  for (; j + kMost * kLanes <= columns; j += kMost * kLanes) work(Strip<kMost, false>{kLanes}, j);
  if (j < columns) last_strip<kMost>((columns - j + kLanes - 1) / kLanes, j, columns - j, work);
}

inline const double* row_of(const WeightedRows& rows, Index i) {
  return rows.x + (rows.place ? rows.place[i] : i) * rows.stride;
}

template <Index K, bool kPart>
inline void sums_strip(Strip<K, kPart> strip, const WeightedRows& rows, Index j, double* to) {
  V sum[K];
  for (Index k = 0; k < K; ++k) sum[k] = strip.load(to + j, k);
  for (Index i = 0; i < rows.n; ++i) {
    const double* x = row_of(rows, i) + j;
    const V v = hn::Set(kTag, rows.weight[i]);
    for (Index k = 0; k < K; ++k) sum[k] = hn::Add(sum[k], hn::Mul(v, strip.load(x, k)));
  }
  for (Index k = 0; k < K; ++k) strip.store(sum[k], to + j, k);
}

void sums(const WeightedRows& rows, Index columns, double* sum) {
  by_strips<kManyRegisters ? 8 : 4>(columns, [&](auto strip, Index j) { sums_strip(strip, rows, j, sum); });
}

constexpr Index kFetchAhead = 512; // numbers, one page of memory: hardware does not look beyond the end of a page

// Calls work(x, j) for the registers of columns of a row.
template <class Work>
inline void by_registers(const double* row, Index columns, const Work& work) {
  Index j = 0;
  for (; j + kLanes <= columns; j += kLanes) {
    __builtin_prefetch(row + j + kFetchAhead);
    work(hn::LoadU(kTag, row + j), j);
  }
  if (j < columns) work(load_part(row + j, columns - j), j);
}

void sums_by_class(const ClassedRows& all, Index columns, double* sum) {
  const ClassedRows rows = all; // a copy: what is stored below could be a part of it, for all the compiler knows
  for (Index i = 0; i < rows.n; ++i) {
    if (rows.place[i] < 0) continue;
    double* const to = sum + rows.place[i] * rows.width;
    const V v = hn::Set(kTag, rows.weight ? rows.weight[i] : 1);
    by_registers(rows.x + i * rows.stride, columns,
                 [&](V x, Index j) { hn::StoreU(hn::Add(hn::LoadU(kTag, to + j), hn::Mul(v, x)), kTag, to + j); });
  }
}

template <Index K, bool kPart>
inline void apart_strip(Strip<K, kPart> strip, const WeightedRows& rows, Index j, const double* mean,
                        const SumsApart& to) {
  V centre[K], sum[K], squares[K];
  for (Index k = 0; k < K; ++k) {
    centre[k] = strip.load(mean + j, k);
    sum[k] = strip.load(to.sum + j, k);
    squares[k] = strip.load(to.squares + j, k);
  }
  for (Index i = 0; i < rows.n; ++i) {
    const double* x = row_of(rows, i) + j;
    const V v = hn::Set(kTag, rows.weight[i]);
    for (Index k = 0; k < K; ++k) {
      const V apart = hn::Sub(strip.load(x, k), centre[k]), pull = hn::Mul(v, apart);
      sum[k] = hn::Add(sum[k], pull);
      squares[k] = hn::Add(squares[k], hn::Mul(pull, apart));
    }
  }
  for (Index k = 0; k < K; ++k) {
    strip.store(sum[k], to.sum + j, k);
    strip.store(squares[k], to.squares + j, k);
  }
}

void sums_apart(const WeightedRows& rows, Index columns, const double* mean, const SumsApart& to) {
  by_strips<kManyRegisters ? 7 : 4>(columns, [&](auto strip, Index j) { apart_strip(strip, rows, j, mean, to); });
}

// The proof has loops of its own, so that a mistake in the one above does not pass it.
struct ExactSums {
  V sum, error, squares;

  void add(V v, V apart) {
    const V pull = hn::Mul(v, apart);
    const V total = hn::Add(sum, pull), from_sum = hn::Sub(total, pull), from_pull = hn::Sub(total, from_sum);
    error = hn::Add(error, hn::Add(hn::Sub(sum, from_sum), hn::Sub(pull, from_pull)));
    sum = total;
    squares = hn::Add(squares, hn::Mul(pull, apart));
  }
};

template <Index K, bool kPart>
inline void exact_apart_strip(Strip<K, kPart> strip, const WeightedRows& rows, Index j, const double* mean,
                              const SumsApart& to) {
  V centre[K];
  ExactSums sums[K];
  for (Index k = 0; k < K; ++k) {
    centre[k] = strip.load(mean + j, k);
    sums[k] = {strip.load(to.sum + j, k), strip.load(to.error + j, k), strip.load(to.squares + j, k)};
  }
  for (Index i = 0; i < rows.n; ++i) {
    const double* x = row_of(rows, i) + j;
    const V v = hn::Set(kTag, rows.weight[i]);
    for (Index k = 0; k < K; ++k) sums[k].add(v, hn::Sub(strip.load(x, k), centre[k]));
  }
  for (Index k = 0; k < K; ++k) {
    strip.store(sums[k].sum, to.sum + j, k);
    strip.store(sums[k].error, to.error + j, k);
    strip.store(sums[k].squares, to.squares + j, k);
  }
}

void exact_sums_apart(const WeightedRows& rows, Index columns, const double* mean, const SumsApart& to) {
  by_strips<kManyRegisters ? 4 : 2>(columns, [&](auto strip, Index j) { exact_apart_strip(strip, rows, j, mean, to); });
}

void exact_sums_by_class(const ClassedRows& all, Index columns, const double* mean, const SumsApart& sums_apart) {
  const ClassedRows rows = all; // copies: what is stored below could be a part of them, for all the compiler knows
  const SumsApart to = sums_apart;
  for (Index i = 0; i < rows.n; ++i) {
    if (rows.place[i] < 0) continue;
    const Index first = rows.place[i] * rows.width;
    const V v = hn::Set(kTag, rows.weight ? rows.weight[i] : 1);
    by_registers(rows.x + i * rows.stride, columns, [&](V x, Index j) {
      const Index c = first + j;
      ExactSums sums{hn::LoadU(kTag, to.sum + c), hn::LoadU(kTag, to.error + c), hn::LoadU(kTag, to.squares + c)};
      sums.add(v, hn::Sub(x, hn::LoadU(kTag, mean + c)));
      hn::StoreU(sums.sum, kTag, to.sum + c);
      hn::StoreU(sums.error, kTag, to.error + c);
      hn::StoreU(sums.squares, kTag, to.squares + c);
    });
  }
}

constexpr Index kHigh = kManyRegisters ? 4 : 2; // registers of rows whose scores are held
constexpr Index kPass = kHigh * kLanes;         // and the rows in them
static_assert(kScoredRows % kPass == 0);

bool any_missing(const double* x, Index count) {
  auto missing = hn::IsNaN(hn::Zero(kTag));
  for (Index i = 0; i < count; i += kLanes) missing = hn::Or(missing, hn::IsNaN(hn::LoadU(kTag, x + i)));
  return !hn::AllFalse(kTag, missing);
}

// Classes [k, k + C) of kPass rows.
template <Index C, bool kMissing>
inline void gaussian_group(const double* x, Index columns, const GaussianTerms& terms, Index k, double* s) {
  V score[C][kHigh];
  for (Index c = 0; c < C; ++c)
    for (Index r = 0; r < kHigh; ++r) score[c][r] = hn::LoadU(kTag, s + (k + c) * kScoredRows + r * kLanes);
  for (Index j = 0; j < columns; ++j) {
    const Index from = j * terms.classes + k;
    V value[kHigh];
    for (Index r = 0; r < kHigh; ++r) value[r] = hn::LoadU(kTag, x + j * kScoredRows + r * kLanes);
    for (Index c = 0; c < C; ++c) {
      const V constant = hn::Set(kTag, terms.constant[from + c]), mean = hn::Set(kTag, terms.mean[from + c]);
      const V half = hn::Set(kTag, terms.half[from + c]);
      for (Index r = 0; r < kHigh; ++r) {
        const V apart = hn::Sub(value[r], mean);
        const V sum = hn::Add(score[c][r], hn::Sub(constant, hn::Mul(hn::Mul(half, apart), apart)));
        score[c][r] = kMissing ? hn::IfThenElse(hn::IsNaN(value[r]), score[c][r], sum) : sum;
      }
    }
  }
  for (Index c = 0; c < C; ++c)
    for (Index r = 0; r < kHigh; ++r) hn::StoreU(score[c][r], kTag, s + (k + c) * kScoredRows + r * kLanes);
}

template <bool kMissing>
void gaussian_pass(const double* x, Index columns, const GaussianTerms& terms, double* s) {
  Index k = 0;
  for (; k + 4 <= terms.classes; k += 4) gaussian_group<4, kMissing>(x, columns, terms, k, s);
  const Index left = terms.classes - k;
  if (left == 3) gaussian_group<3, kMissing>(x, columns, terms, k, s);
  if (left == 2) gaussian_group<2, kMissing>(x, columns, terms, k, s);
  if (left == 1) gaussian_group<1, kMissing>(x, columns, terms, k, s);
}

void gaussian_scores(const double* x, Index columns, const GaussianTerms& terms, double* s) {
  const bool missing = any_missing(x, columns * kScoredRows);
  for (Index i = 0; i < kScoredRows; i += kPass) {
    if (missing)
      gaussian_pass<true>(x + i, columns, terms, s + i);
    else
      gaussian_pass<false>(x + i, columns, terms, s + i);
  }
}

// The cells of kLanes columns; see CodedCells. A number from 0 to 2^31 is whole if adding 2^52,
// whose unit is 1, and taking it away again gives it back; the lower bits of the sum are then the whole number.
struct Cells {
  V other;
  decltype(hn::Eq(V(), V())) strange; // numbers that are neither codes nor missing, so far

  void find(V x, V first, V size, std::uint32_t* cells) {
    const hn::RebindToUnsigned<Tag> bits;
    const hn::Rebind<std::uint32_t, Tag> whole;
    const V unit = hn::Set(kTag, 0x1p52);
    const auto inside = hn::And(hn::Ge(x, hn::Zero(kTag)), hn::Lt(x, size));
    const auto code = hn::And(inside, hn::Eq(hn::Sub(hn::Add(x, unit), unit), x));
    const V cell = hn::Add(hn::IfThenElse(code, hn::Add(first, x), other), unit);
    hn::StoreU(hn::TruncateTo(whole, hn::BitCast(bits, cell)), whole, cells);
    strange = hn::Or(strange, hn::AndNot(code, hn::Eq(x, x)));
  }
};

bool coded_cells(const double* x, Index columns, const CodedCells& codes, std::uint32_t* cells) {
  Cells found{hn::Set(kTag, codes.other), hn::Lt(hn::Zero(kTag), hn::Zero(kTag))};
  const auto at = [&](Index j) {
    found.find(hn::LoadU(kTag, x + j), hn::LoadU(kTag, codes.first + j), hn::LoadU(kTag, codes.size + j), cells + j);
  };
  Index j = 0;
  for (; j + kLanes <= columns; j += kLanes) at(j);
  if (j < columns && columns >= kLanes) {
    at(columns - kLanes); // the last columns, and some before them once more
  } else if (j < columns) {
    std::uint32_t part[kLanes];
    found.find(load_part(x, columns), load_part(codes.first, columns), load_part(codes.size, columns), part);
    for (j = 0; j < columns; ++j) cells[j] = part[j];
    // Beyond the columns, zeros are read where no code is: strange, unless these lanes are left out.
    found.strange = hn::And(found.strange, hn::FirstN(kTag, static_cast<std::size_t>(columns)));
  }
  return hn::AllFalse(kTag, found.strange);
}

using Four = hn::CappedTag<double, 4>;
constexpr Four kFour;
constexpr Index kQuarter = static_cast<Index>(hn::MaxLanes(Four()));
constexpr Index kQuarters = 4 / kQuarter; // registers of four classes

// G times four classes of R rows.
template <Index R, Index G>
inline void coded_group(const std::uint32_t* cells, Index columns, const double* table, Index width, double* s) {
  hn::Vec<Four> score[R][G * kQuarters];
  for (Index r = 0; r < R; ++r)
    for (Index g = 0; g < G * kQuarters; ++g) score[r][g] = hn::LoadU(kFour, s + r * width + g * kQuarter);
  for (Index j = 0; j < columns; ++j)
    for (Index r = 0; r < R; ++r) {
      const double* from = table + static_cast<Index>(cells[r * columns + j]) * width;
      for (Index g = 0; g < G * kQuarters; ++g)
        score[r][g] = hn::Add(score[r][g], hn::LoadU(kFour, from + g * kQuarter));
    }
  for (Index r = 0; r < R; ++r)
    for (Index g = 0; g < G * kQuarters; ++g) hn::StoreU(score[r][g], kFour, s + r * width + g * kQuarter);
}

// Rows that are added at the same time hide the time that an addition takes.
template <Index R>
inline void coded_rows(const std::uint32_t* cells, Index columns, const double* table, Index width, double* s) {
  Index k = 0;
  for (; k + 8 <= width; k += 8) coded_group<R, 2>(cells, columns, table + k, width, s + k);
  if (k < width) coded_group<R, 1>(cells, columns, table + k, width, s + k);
}

void coded_scores(const std::uint32_t* cells, Index rows, Index columns, const double* table, Index width, double* s) {
  constexpr Index kTogether = 4;
  Index i = 0;
  for (; i + kTogether <= rows; i += kTogether)
    coded_rows<kTogether>(cells + i * columns, columns, table, width, s + i * width);
  for (; i < rows; ++i) coded_rows<1>(cells + i * columns, columns, table, width, s + i * width);
}

} // namespace

const Kernels kKernels = {
    sums, sums_by_class, sums_apart, exact_sums_apart, exact_sums_by_class, gaussian_scores, coded_cells, coded_scores};

} // namespace recta::naive_bayes::RECTA_BAYES_LEVEL
