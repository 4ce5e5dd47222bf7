// The rows of a kernel model: in memory while it is fitted or proved, and those that its body keeps.
#pragma once

#include "driver/first_pass.hpp"
#include "kernel/points.hpp"
#include "model_file/field_reader.hpp"
#include "model_file/rules.hpp"
#include "solver/gradient_descent/held_rows.hpp"
#include "solver/svm/linear_rows.hpp"

namespace recta {

// All rows of the data, held in memory.
struct KernelData {
  std::unique_ptr<HeldRows> held;
  std::vector<double> target, weight; // target: the first; numbers, 1 and -1, or places of classes
  std::vector<double> drawn;          // the weights without the factors of the classes
  Index classes = 0;
  bool texts = false, bytes = false; // rows are sequences of the codes of characters, or of bytes

  static Result<KernelData> hold(const Schema& schema, const Rows& rows);
  double variance() const; // of all numbers of all rows together, by the weights without the factors of the classes

  bool weighs_classes() const { return drawn != weight; }
  bool sparse() const;
  void write_out(Index row, double* x) const; // `cols` numbers
  std::u32string text(Index row) const;       // of a kernel of texts
  // As the kernel reads them: texts, or numbers, about their mean if the kernel allows it or the caller knows that it
  // changes nothing.
  kernel::Points points(std::span<const Index> present, const kernel::Kernel& kernel, bool about_mean = false,
                        Pool* pool = nullptr) const;
  std::vector<double> mean(std::span<const Index> rows, Pool* pool) const;
  std::vector<Index> present() const;               // rows of positive weight
  FitSummary figures(FitSummary search = {}) const; // how many they are, and their weight

  // Rows of the pair of classes, or of one against the rest, with targets 1 and -1; weight 0: not of this part.
  struct Side {
    Index positive = 0, negative = 0; // places of classes; negative = their number: all the others
    std::vector<double> target, weight;
    std::vector<Index> present; // rows of positive weight
    double total = 0;           // their weight
  };
  std::vector<Side> sides(bool against_rest) const { return sides(against_rest, weight); }
  std::vector<Side> sides(bool against_rest, const std::vector<double>& weights) const; // such as `drawn`

  void set_gamma(kernel::Settings& kernel) const; // if it is to be taken from the rows
  Result<void> check_kernel_takes(const kernel::Settings& settings, const Schema& schema, const Rows& rows) const;
};

// The rows as linear solvers take them, dense ones about their mean if asked for. `constant`: the number in one more
// column; 0: there is none.
svm::LinearRows linear_rows(const KernelData& data, std::span<const Index> rows, bool about_mean, Pool& pool,
                            double constant = 0);

// The weight of the rows whose class is predicted, by the rule of prediction. `known`: rows of which this is known
// already, by number; empty: none.
Result<double> right_weight(const Body& body, const KernelData& rows, Pool& pool, const std::vector<bool>& known = {});

// Rows that a body keeps, as they came: dense, compressed, or texts.
struct KernelVectors {
  Index features = 0;
  bool sparse = false;
  bool texts = false, bytes = false; // bytes: their codes are bytes, not characters
  std::vector<Index> rows;           // their numbers in training, from 0, ascending
  std::vector<double> dense;
  std::vector<Index> start, index;
  std::vector<double> value;
  std::vector<std::string> documents = {}; // in UTF-8
  std::vector<double> centre = {};         // that dense rows are read about; empty: their mean, if the kernel allows it

  void take(const KernelData& from); // the rows whose numbers are set
  // Tensors PREFIX.rows and, unless the numbers are enough, PREFIX.vectors or PREFIX.texts; PREFIX.centre, if there is
  // one.
  void write(TensorWriter& out, const std::string& prefix, bool numbers_only) const;
  void read(FieldReader& in, const std::string& prefix, const kernel::Kernel& kernel, const Schema& schema,
            bool numbers_only);

  void add_to(kernel::Points& points, Index k) const;
  kernel::Points points(const kernel::Kernel& kernel) const; // all of them
  kernel::Points points(const kernel::Kernel& kernel, std::span<const Index> places) const;
};

// f(x) = sum_k beta_k k(x, x_k) + b over some of the points of a body.
struct Expanded {
  std::span<const Index> support; // places of points; empty: all of them
  std::span<const double> beta;
  double b = 0;
};
// Scores of the rows of a batch that have weight, one per expansion, by row; others are left alone. Numbers that the
// kernel does not take are refused.
Result<void> expand(const kernel::Settings& settings, const kernel::Kernel& kernel, const kernel::Points& points,
                    const Batch& rows, std::span<const Expanded> expansions, double* out);

// The kernel in a model file: PREFIX.kernel and PREFIX.kernel_numbers; and its rules, with those of its vectors.
std::vector<FieldRule> kernel_rules(const std::string& prefix);
void write_kernel(TensorWriter& out, const std::string& prefix, const kernel::Settings& kernel);
kernel::Settings read_kernel(FieldReader& in, const std::string& prefix, Index degree);

} // namespace recta
