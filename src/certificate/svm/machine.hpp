// The certificate of a machine, part by part, from the numbers of the model and the rows.
#pragma once

#include "certificate/svm/join.hpp"

#include <optional>

namespace recta::svm {

struct PartClaim {
  Claimed machine; // C: asked for, or of a margin that was found, stated and shown to be that of nu
  StatedPart stated;
  Index positive = 0, negative = 0;       // places of the classes of the rows
  std::span<const double> target, weight; // of the rows, by number; weight 0: the row is not there
  double nu = kNaN;                       // the share that is asked for, as far as these classes allow it; NaN: none
  // Beside weights of classes: the machine of nu without them, which tells C, and the rows as it has them.
  std::optional<Claimed> of_nu = {};
  std::span<const double> drawn_target = {}, drawn_weight = {};
};

struct MachineClaim {
  const kernel::Kernel& kernel;
  double tolerance = 0;
  Ended ended;
  double nu = kNaN;            // that is asked for
  bool against_rest = false;   // machines of more than two classes
  bool weighs_classes = false; // beside nu
};

struct Judged {
  Certificate certificate;
  double right = 0;            // weight of the rows whose class the sign of the score of the last part tells
  std::vector<double> squared; // |w|^2 of every part
};

class MachineJudge {
public:
  MachineJudge(MachineClaim claim, RowSource& source, Pool& pool, Watch watch)
      : claim_(std::move(claim)), source_(source), pool_(pool), watch_(std::move(watch)),
        joined_(claim_.tolerance, claim_.ended) {}

  // Returns the numbers of rows whose class their score tells by more than any rounding, and rightly.
  Result<std::vector<Index>> add(const PartClaim& part);
  // `supports`: of the parts, places among the vectors of the model.
  Result<Judged> take(Index vectors, std::span<const std::span<const Index>> supports);

private:
  Result<void> add_machine_of_nu(const PartClaim& part);
  void compare(const PartClaim& part, std::span<const double> intercepts, std::span<const Proof> proofs);

  MachineClaim claim_;
  RowSource& source_;
  Pool& pool_;
  Watch watch_;
  Joined joined_;
  double gap_of_nu_ = 0;
  bool lacks_nu_ = false; // the machine of nu of some part is missing
  std::string shares_{};
  std::size_t parts_ = 0, lesser_nu_ = 0;
  Judged out_{};
};

// Figures that a file states of the whole, and what its parameters ask for.
struct StatedMachine {
  const kernel::Settings &kernel, &kernel_asked;
  bool finds_tube, finds_tube_asked;
  double epsilon_asked;
  bool against_rest, against_rest_asked; // asked: of more than two classes
  std::span<const double> squared;       // of every part
};

void compare(const StatedMachine& stated, Judged& judged);

} // namespace recta::svm
