// Kernel matrices, and whether one is positive semidefinite: the Mercer check that a kernel machine's proof rests on.
#pragma once

#include <recta/matrix.hpp>
#include <recta/text.hpp>

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace recta {

struct KernelOptions {
  std::string kernel = "rbf";                              // the word: linear, rbf, polynomial, ...
  double gamma = std::numeric_limits<double>::quiet_NaN(); // NaN: 1 / (p variance of all numbers)
  double coef = 0;
  Index degree = 3;
  int threads = 0;
  // For kernels of texts (docs/kernel_models.md).
  Index length = 3;
  double decay = 0.5;
  Index mismatches = 1, alphabet = 26, rounds = 3;
  bool normalise = true, bytes = false; // bytes: texts are compared byte by byte
  // For graph:diffusion: how long heat spreads, and the graph whose nodes the texts name, as a-b;b-c or in lines.
  double beta = 1;
  std::string network{};
};

// Whether the kernel of this word reads texts in place of numbers.
bool kernel_reads_texts(const std::string& word);

struct KernelMatrix {
  Index rows = 0;
  std::vector<double> values; // rows x rows, or rows x others
  std::string formula{};      // with the numbers in it
  bool definite = false;      // the kernel is an inner product of features, whatever the rows
  double error = 0;           // how far a value can be from the exact one
};

// Refused if the kernel takes none of these parameters, and for more rows than a matrix in memory is made for.
Result<KernelMatrix> kernel_matrix(const MatrixView& x, const KernelOptions& options = {});

// A kernel of the caller's own, of two rows of as many numbers.
using KernelFunction = std::function<double(std::span<const double> x, std::span<const double> z)>;
// Its value for every row of x with every row of z, by row: what the kernel `precomputed` takes. If x and z are the
// same rows (one view), the values have to be symmetric. Errors name the rows, and say what the function threw.
Result<std::vector<double>> function_matrix(const KernelFunction& kernel, const MatrixView& x, const MatrixView& z);
// The kernel of every text with every other one; with `others`, of every text with each of those (texts x others, and
// no check that a proof needs). Texts are UTF-8.
Result<KernelMatrix> kernel_matrix(Documents texts, const KernelOptions& options, Documents others = {});

// A matrix is that of a kernel if no vector v has v'Kv < 0. If one has, it is the witness, and v'Kv is computed again
// from the matrix, in sums that keep their digits.
struct MercerCheck {
  Index rows = 0, negative = 0;  // negative: eigenvalues below zero beyond rounding
  double least = 0, largest = 0; // eigenvalues
  double rounding = 0;           // how far they can be from those of the exact matrix
  std::vector<double> witness{}; // of length one, with v'Kv < 0; empty: there is none beyond rounding
  double quadratic = 0;          // v'Kv of the witness
  bool definite = false;         // by what the kernel is

  bool holds() const { return witness.empty(); }
  std::string sentence() const;
};

// `error`: how far a value can be from the exact one. Refused unless the matrix is square, finite and symmetric.
Result<MercerCheck> mercer_check(const MatrixView& k, double error = 0);
Result<MercerCheck> mercer_check(const KernelMatrix& k);

} // namespace recta
