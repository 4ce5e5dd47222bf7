// The proof of linear machines whose coefficients are given by a rule instead of one by one, so that rows need only be
// read in a pass, wherever they are. The coefficient of a row of weight v, side t and target t is
//
//   beta = C v d t,   d = l / m kept between 0 and 1 (the hinge; the squared hinge: not below 0),
//   l = 1 - t (b' + sum_j w'_j (x_j - c_j)),
//
// with numbers m > 0, w', b' and c that the model states. They are a witness that need not be believed: whatever they
// are, beta is inside its box, and
//
//   P(w, b) - P* <= sum_i C v_i FY(t_i, z_i, d_i) + 1/2 |w - sum_i beta_i x_i|^2
//
// (certify.hpp) once sum beta = 0. That is met by scaling down one group of coefficients, those of the larger side with
// 0 < d < 1, or all of that side if they are not enough, by 1 - eta: FY is convex in d and the loss itself at d = 0, so
// that the group then costs (1 - eta) FY + eta loss. A penalised intercept is one more column, and beta is free.
#pragma once

#include "base/double_double.hpp"
#include "certificate/svm/join.hpp"
#include "objective/svm/sides.hpp"
#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

#include <array>
#include <functional>
#include <memory>

namespace recta::svm {

struct RuleMachine {
  Sides sides;
  std::vector<double> w;
  double b = 0, cost = 1;   // C of a row of weight 1
  std::vector<double> rule; // w', then b'
  double width = 1;         // m
};

struct RuleClaim {
  RowTerms terms;
  bool intercept = true;
  double intercept_scale = 0;
  std::vector<double> centre;
  std::vector<RuleMachine> machines;
};

// The sums of one machine. Groups: by side, then whether 0 < d < 1.
struct RuleSums {
  struct Group {
    DoubleDouble mass, gap, loss;   // sum v d, sum v FY, sum v loss
    std::vector<DoubleDouble> pull; // sum v d t x
    std::vector<double> sizes;      // sum |v d x|
  };
  std::array<Group, 4> groups;
  std::array<DoubleDouble, 2> weight; // by side
  double slack = 0;                   // in units of C
  Index count = 0;
};

struct RuleJudge {
  std::shared_ptr<const RuleClaim> claim;
  std::vector<RuleSums> machines;

  RuleJudge() = default;
  explicit RuleJudge(std::shared_ptr<const RuleClaim> claimed);

  void accumulate(const Batch& batch);
  void merge(const RuleJudge& other);
  std::string to_bytes() const;
  static Result<RuleJudge> from_bytes(std::string_view bytes); // without the claim
  bool same_kind(const RuleJudge& other) const;
  Index run_blocks() const { return usual_run(std::ssize(claim->centre)); }

  Proof proof(std::size_t machine) const;
};

// Figures that a model with a rule states of its machines, and what its parameters ask for.
struct RuleStated {
  std::vector<StatedPart> parts;
  std::function<double(double weight)> cost; // C of a row of weight 1 that is asked for, of rows of this weight
  double tolerance = 0;
  Ended ended;
  bool against_rest = false;
};
struct RuleJudged {
  Certificate certificate;
  double weight = 0; // of the rows of the largest machine
};
RuleJudged certify(const RuleJudge& sums, const RuleStated& stated);

} // namespace recta::svm
