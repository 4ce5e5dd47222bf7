// One step of Golub and Kahan's bidiagonalisation in one pass over the rows. For A the rows weighted by sqrt(v), about
// the means c and divided by column lengths d:
//
//   u <- A v - alpha u,   and with it   A'u,  ||u||^2
//
// A'u is formed from the new u before its length is known; the length is divided out afterwards, which saves the second
// pass. Centring is data, not a copy of the rows: A v = sqrt(v_i) (x_i'(v/d) - c'(v/d)), so sparse rows stay sparse.
#pragma once

#include "base/double_double.hpp"
#include "stats/accumulator.hpp"

#include <memory>
#include <vector>

namespace recta {

// Shared by all blocks of one pass; every block writes its own rows of u.
struct StepState {
  std::vector<double> centre, length; // p; centre of the target last
  std::vector<double> v_over_length;  // p
  double shift = 0;                   // c'(v / d)
  double alpha = 0;
  Index target = 0;
  bool load_target = false; // u is the target instead
  std::vector<double> u;    // one per row
};

struct BidiagonalStep : Saved<BidiagonalStep> {
  static constexpr bool kKeepsRows = true;

  std::shared_ptr<StepState> state;
  Index cols = 0;
  std::vector<double> sums;   // sum sqrt(v) u x_j
  DoubleDouble plain = 0.0;   // sum sqrt(v) u
  DoubleDouble squares = 0.0; // sum u^2

  BidiagonalStep() = default;
  explicit BidiagonalStep(std::shared_ptr<StepState> shared)
      : state(std::move(shared)), cols(static_cast<Index>(state->length.size())), sums(cols) {}

  void accumulate(const Batch& batch);
  void merge(const BidiagonalStep& other);
  static constexpr std::string_view kTag = "step", kName = "bidiagonalisation step";
  // Without the state.
  static void fields(auto& s, auto& io) {
    io(s.cols);
    io.numbers(s.cols, s.sums);
    io(s.plain, s.squares);
  }

  Index run_blocks() const { return usual_run(cols); }

  std::vector<double> transposed() const; // A'u
};

} // namespace recta
