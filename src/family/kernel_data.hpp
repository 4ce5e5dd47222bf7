// The rows of a kernel model: in memory while it is fitted or proved, and those that its body keeps.
#pragma once

#include "family/first_pass.hpp"
#include "kernel/points.hpp"
#include "model_file/field_reader.hpp"
#include "solver/gradient_descent/held_rows.hpp"

namespace recta {

// All rows of the data, held in memory.
struct KernelData {
  std::unique_ptr<HeldRows> held;
  std::vector<double> target, weight; // target: the first; numbers, 1 and -1, or places of classes
  std::vector<double> drawn;          // the weights without the factors of the classes
  Index classes = 0;

  static Result<KernelData> hold(const Schema& schema, const Rows& rows);
  double variance() const; // of all numbers of all rows together, by the weights without the factors of the classes

  bool sparse() const;
  void write_out(Index row, double* x) const;                                      // `cols` numbers
  kernel::Points points(std::span<const Index> present, bool centred) const;       // about their mean, if centred
  std::vector<Index> present() const;                                              // rows of positive weight
  void set_gamma(kernel::Settings& kernel) const;                                  // if it is to be taken from the rows
  Result<void> check_kernel_takes(const kernel::Settings& settings, const Schema& schema, const Rows& rows) const;
};

// Whether the kernel matrix of the rows is positive semidefinite: by what the kernel is, or by the eigenvalues of the
// matrix that was given.
struct Definite {
  bool holds = false;
  double rounding = 0; // the least eigenvalue may be below zero by so much
};
Definite definite(const kernel::Kernel& kernel, const KernelData& rows);

// Rows that a body keeps, as they came: dense, or compressed.
struct KernelVectors {
  Index features = 0;
  bool sparse = false;
  std::vector<Index> rows; // their numbers in training, from 0, ascending
  std::vector<double> dense;
  std::vector<Index> start, index;
  std::vector<double> value;

  void take(const KernelData& from); // the rows whose numbers are set
  // Tensors PREFIX.rows and, unless the numbers are enough, PREFIX.vectors.
  void write(TensorWriter& out, const std::string& prefix, bool numbers_only) const;
  void read(FieldReader& in, const std::string& prefix, const kernel::Kernel& kernel, bool numbers_only);

  void add_to(kernel::Points& points, Index k) const;
  std::vector<double> centre(const kernel::Kernel& kernel) const; // their mean, about which distances keep their digits
};

// The kernel in a model file: PREFIX.kernel and PREFIX.kernel_numbers.
void write_kernel(TensorWriter& out, const std::string& prefix, const kernel::Settings& kernel);
kernel::Settings read_kernel(FieldReader& in, const std::string& prefix, Index degree);
// What verify() says of a kernel in a file that is not the one that the parameters ask for.
std::vector<std::string> kernel_differences(const kernel::Settings& stored, const kernel::Settings& asked);

} // namespace recta
