// A kernel k(x, z): the inner product of two rows in a space of features that is never written out. A leaf is a folder
// src/kernel/NAME with NAME.hpp, which defines `struct Leaf` in namespace recta::kernel::NAME; the build finds it.
//
//   kWord, kSummary, kFormula  its word, and what it is
//   kTakes                     its parameters: gamma, sigma (a width, gamma = 1 / (2 sigma^2)), degree, coef
//   kLeastCoef                 the least coef it takes
//   kDefinite                  every matrix of its values is positive semidefinite, so that machines have a convex dual
//   kCentred                   k(x, z) = k(x - c, z - c): rows may be moved to where their products lose fewer digits
//   Leaf(settings)             with its parameters
//   term(x, z)                 a kernel of sum_j term(x_j, z_j), where there is one; of products <x, z> otherwise
//   kByPlace                   k(x, z) stands in x itself, at the number of z in training
//   kFromZeroUp                it takes no number below zero
//   kLinear                    k(x, z) = <x, z>: models then have one weight per column
//   values(pairs)              replaces the products <x, z_k>, or the sums of terms, by k(x, z_k)
//   float_values(pairs)        the same of floats, if it has a faster way than that of doubles
//   error(...)                 how far a value can be from the exact one, over all rows of these lengths
//   relative_error(...)        the same as a share of the computed value, where there is one
//   text()                     its formula with the numbers in it
//
// A kernel of texts (kTexts) reads a sequence of characters in place of numbers: its leaf has the parameters, kTakes,
// text() and
//
//   features(text, words, out) writes counts of features, whose keys `words` numbers; the kernel is their inner product
//   read(text), value(a, b)    or: what it keeps of a text, and the kernel of two of them
//   error(a, b)                with value(): how far it can be from the exact one; inner products of counts are exact
//   slack(a, b)                and what is absolute of that error, if anything
//   fault(text)                what is wrong with a text, if anything can be
//   fault_of(settings)         what is wrong with its parameters, beyond their ranges
//
// It is divided by the root of k(x, x) k(z, z) unless that was asked otherwise, and 0 where either is 0.
//
// A kernel without terms depends on <x, z>, <x, x> and <z, z> alone, so that values come from matrix products.
#pragma once

#include "base/simd/kernels.hpp"

#include <recta/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace recta::kernel {

struct Settings {
  std::string word = "linear";
  double gamma = 1, coef = 0;
  Index degree = 3;
  // For kernels of texts: length of runs, decay of gaps or walks, characters that may differ, rounds of relabelling.
  Index length = 3;
  double decay = 0.5;
  Index mismatches = 1, alphabet = 26, rounds = 3; // alphabet: its size
  bool normalise = true;
  // For the kernel of the nodes of one graph: how far it diffuses, and the graph (data/graph/graph.hpp), in UTF-8.
  double beta = 1;
  std::string network{};
  bool operator==(const Settings&) const = default;
  bool linear() const; // k(x, z) = <x, z> itself
};

// One row against many: `values` holds <x, z_k> on entry and k(x, z_k) afterwards.
template <class Number>
struct PairsOf {
  Number square;         // <x, x>
  const Number* squares; // <z_k, z_k>
  Index count;
  Number* values;
};
using Pairs = PairsOf<double>;
using FloatPairs = PairsOf<float>;

// The rounding of a product of rows of `cols` numbers whose lengths are at most `length` and `other`: two roundings for
// every term, and one more for every number if the rows were moved about a centre.
struct Lengths {
  Index cols = 0;
  double length = 0, other = 0;
  double unit = 0x1p-53; // of the rounding of products
  double product_error() const { return static_cast<double>(2 * cols + 4) * unit * length * other + lost(); }
  double square_error() const {
    return static_cast<double>(2 * cols + 4) * unit * (length * length + other * other) + lost();
  }
  double lost() const { return static_cast<double>(2 * cols) * 0x1p-1074; } // of products below the least double
  // The most that sum_j |x_j - z_j| can be, and the rounding of a sum of terms no larger than `sum` all together: each
  // term has up to five roundings; of compressed rows it is taken twice, and once taken away.
  double most_apart() const { return std::sqrt(static_cast<double>(cols)) * (length + other); }
  double terms_error(double sum) const { return static_cast<double>(4 * cols + 24) * 0x1p-53 * sum; }
};

// The relative error of a computed exp(-t) whose t is off by at most `off`, the last place of the exponential included.
// Values below 1e-300 may have lost all digits; whoever adds up many adds that.
inline double exponential_error(double off) {
  return off <= 1 ? std::expm1(off) + 0x1p-49 : std::numeric_limits<double>::infinity();
}

// Defined in kernel/texts.hpp.
class TextSet;

class Kernel {
public:
  virtual ~Kernel() = default;
  virtual bool definite() const = 0;
  virtual bool centred() const = 0;
  virtual bool from_zero_up() const = 0; // it takes no number below zero
  virtual bool by_terms() const = 0;
  virtual bool by_place() const = 0;
  // The sums of terms, as simd::Kernels::panel_products has the products: every number one sum in the order of j.
  virtual void panel_sums(simd::DoubleRows x, const double* panel, simd::DoubleOutRows out) const = 0;
  virtual double term(double x, double z) const = 0;
  virtual void values(const Pairs& pairs) const = 0;
  virtual void float_values(const FloatPairs& pairs) const; // by those of doubles, unless there is a faster way
  virtual double error(const Lengths& lengths) const = 0;
  virtual std::string text() const = 0;
  virtual double relative_error(const Lengths&) const { return std::numeric_limits<double>::infinity(); }
  // An empty set of texts; null: it is a kernel of numbers. The kernel outlives the set.
  virtual std::unique_ptr<TextSet> texts() const = 0;
  virtual bool reads_texts() const = 0;
  virtual std::string fault(std::u32string_view text) const = 0; // empty: it takes the text
};

struct KernelInfo {
  std::string word, summary, formula;
  std::vector<std::string> takes; // names of parameters
  double least_coef;
  bool from_zero_up = false;
  bool texts = false;  // it reads texts in place of numbers
  bool linear = false; // k(x, z) = <x, z> itself
  bool has(std::string_view parameter) const { return std::ranges::find(takes, parameter) != takes.end(); }
};

const std::vector<KernelInfo>& kernels();
// What is wrong with the parameters of a kernel of texts, and the cure; empty: nothing.
struct Fault {
  std::string what{}, cure = "give other numbers";
  bool empty() const { return what.empty(); }
};
Fault fault_of(const Settings& settings);
// nullptr unless the word is one of kernels(), or a sum or product of them (combined.hpp).
std::unique_ptr<const Kernel> make_kernel(const Settings& settings);

template <class... Ls>
struct List {};

} // namespace recta::kernel
