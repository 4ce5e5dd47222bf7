// A logistic likelihood that seems to rise for ever: a plane that separates the classes proves that it does.
#pragma once

#include "driver/task_rows.hpp"

namespace recta {

// The direction of (w, b) along which it was seen to rise; empty: none.
struct Runaway {
  std::vector<double> direction;
  bool as_it_is = false; // it was proved before, and no other is tried
  bool intercept = true;
  bool suspected = false; // no direction, but no answer either: the question is asked all the same
};

// The plane along that direction, or the one that the question of separability finds; the certificate then claims that
// there is no finite maximum.
Result<void> look_for_separation(const Runaway& runaway, const TaskRows& task, Certificate& certificate);

} // namespace recta
