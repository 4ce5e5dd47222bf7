#include "base/deadline.hpp"

#include <utility>

namespace recta {

thread_local const Deadline* Deadline::innermost_ = nullptr;

Deadline::Deadline(std::function<bool()> over) : over_(std::move(over)), outer_(innermost_) {
  innermost_ = this;
}

Deadline::~Deadline() {
  if (innermost_ == this) innermost_ = outer_;
}

bool Deadline::is_over() const {
  for (const Deadline* one = this; one; one = one->outer_)
    if (one->over_()) return true;
  return false;
}

} // namespace recta
