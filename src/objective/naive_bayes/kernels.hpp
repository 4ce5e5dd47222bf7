// The inner loops over dense rows in naive Bayes, one table per instruction set, all with the same bits: every sum is
// one chain in the order of the rows (of the columns, in scores), and nothing is fused.
#pragma once

#include <recta/error.hpp>

#include <cstdint>

namespace recta::naive_bayes {

// Number (i, j) is x[place[i] * stride + j]; without places, x[i * stride + j].
struct WeightedRows {
  const double* x;
  Index stride;
  const Index* place;
  const double* weight;
  Index n;
};

// Rows of several classes in the order in which they stand, which memory gives fastest: row i is of class place[i], or
// absent if that is negative. What is summed of a class, `width` numbers after that of the one before it, has room for
// a multiple of 8 columns.
struct ClassedRows {
  const double* x;
  Index stride;
  const Index* place;
  const double* weight; // null: all ones
  Index n, width;
};

// sum_i v_i (x_ij - m_j), of which the proof also keeps the rounding errors, and sum_i v_i (x_ij - m_j)^2.
struct SumsApart {
  double *sum, *error, *squares;
};

// Logarithms of normal densities: constant - half (x - mean)^2, number (j, k) at j * classes + k.
struct GaussianTerms {
  const double *constant, *mean, *half;
  Index classes;
};

// Columns of codes 0, 1, 2, ...: the first cell of each, and how many it has.
struct CodedCells {
  const double *first, *size;
  double other; // the cell for whatever is no code
};

inline constexpr Index kScoredRows = 32; // rows that are scored together

struct Kernels {
  // sum_j += v_i x_ij
  void (*sums)(const WeightedRows& rows, Index columns, double* sum);
  // The same sums of every class, to the same bits.
  void (*sums_by_class)(const ClassedRows& rows, Index columns, double* sum);
  // The sums of the fit, without errors.
  void (*sums_apart)(const WeightedRows& rows, Index columns, const double* mean, const SumsApart& sums);
  // The sums of the proof: the first one is compensated.
  void (*exact_sums_apart)(const WeightedRows& rows, Index columns, const double* mean, const SumsApart& sums);
  // The same sums of every class, to the same bits; each class has its means.
  void (*exact_sums_by_class)(const ClassedRows& rows, Index columns, const double* mean, const SumsApart& sums);

  // Adds the logarithms of kScoredRows rows: number (i, j) at x[j * kScoredRows + i], the score of class k at
  // s[k * kScoredRows + i]. Missing numbers add nothing.
  void (*gaussian_scores)(const double* x, Index columns, const GaussianTerms& terms, double* s);

  // The cells of one row of codes. False if some number, missing ones aside, is no code.
  bool (*coded_cells)(const double* x, Index columns, const CodedCells& codes, std::uint32_t* cells);
  // s[i * width + k] += table[cell * width + k] over the cells of each row; width: a multiple of 4.
  void (*coded_scores)(const std::uint32_t* cells, Index rows, Index columns, const double* table, Index width,
                       double* s);
};

const Kernels& kernels(); // of simd::level()

namespace baseline {
extern const Kernels kKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}
#endif

} // namespace recta::naive_bayes
