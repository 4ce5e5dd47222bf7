// The body of a machine: support vectors with their coefficients, for every pair of classes (or class against the rest)
// a part of its own; linear machines hold weights as well and score by them. The coefficients are the dual point that
// the proof rests on.
#pragma once

#include "held/kernel_data.hpp"
#include "model/votes.hpp"

#include <recta/model.hpp>

namespace recta::svm {

// Coefficients of rows by their numbers in training, ascending.
struct Witness {
  std::vector<Index> rows = {};
  std::vector<double> beta = {};
  double b = 0;
};

// f(x) = sum_k beta_k k(x, x_k) + b, above zero for the class `positive`.
struct Part {
  Index positive = 0, negative = 0;    // places of classes; negative = their number: all the others
  std::vector<Index> support = {};     // places among the machine's vectors, ascending
  std::vector<double> beta = {};       // theirs: the multiplier, with the sign of the row's class
  double b = 0, b_low = 0, b_high = 0; // every b between the last two is as good
  double cost = 1;                     // C of a row of weight 1; 0: hard margin
  double squared = 0;                  // |w|^2
  std::vector<double> w = {};          // linear machines
  double epsilon = 0;                  // a tube that was found with the machine
  Witness of_nu = {};                  // with weights of classes: the machine of nu without them, which tells C
  std::vector<double> rule = {};       // w', b' and the width of a rule (certificate/svm/by_rule.hpp)
};

struct Machine {
  kernel::Settings kernel;
  Index classes = 0; // 0 for numbers
  bool intercept = true, against_rest = false;
  bool finds_tube = false; // nu-svr
  KernelVectors vectors;
  std::vector<Part> parts;
  std::vector<double> centre = {}; // of a rule, which then stands in place of vectors and coefficients
  bool linear() const { return kernel.linear(); }
  bool by_rule() const { return !centre.empty(); }
};

class MachineBody final : public Body {
public:
  MachineBody(Machine machine, FitSummary summary);

  const Machine& machine() const { return machine_; }
  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return machine_.vectors.features; }
  Index scores() const override { return machine_.parts.size() > 1 ? machine_.classes : 1; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Report report(const Schema& schema) const override;
  Result<Report> explain(const Batch& row, const Schema& schema) const override;
  void write(TensorWriter& out) const override;
  static Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema);

  // The support vectors of one part, as scores see them; put into `room` unless they are all that there are.
  const kernel::Points& points_of(const Part& part, kernel::Points& room) const;
  // The same machine with the figures of its proof; squared: |w|^2 of every part.
  std::shared_ptr<const MachineBody> with(FitSummary summary, std::span<const double> squared) const;
  const kernel::Kernel& kernel() const { return *kernel_; }

private:
  bool has_all_vectors(const Part& part) const; // in their order
  void score_linear(const Batch& rows, std::vector<double>& decisions) const;
  Result<void> score_kernel(const Batch& rows, std::vector<double>& decisions) const;
  std::vector<PairVote> votes(const double* decisions) const;

  Machine machine_;
  FitSummary summary_;
  std::unique_ptr<const kernel::Kernel> kernel_;
  kernel::Points points_;
};

} // namespace recta::svm
