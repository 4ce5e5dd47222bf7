// The end of a call's patience. Solvers ask a watch whether to go on, and finish with what they have after a no
// (listening.hpp). All other work is ended by a Deadline: while one lives on a thread, loops over tasks of a pool and
// keep_going() ask it, and throw Interrupted when it is over.
#pragma once

#include <functional>

namespace recta {

struct Interrupted {};

class Deadline {
public:
  Deadline() = default;                          // never over
  explicit Deadline(std::function<bool()> over); // asked on this thread only; more than once after it was over
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  static bool any() { return innermost_ != nullptr; }
  static bool over() { return innermost_ != nullptr && innermost_->is_over(); } // of any on this thread
  static void check() {
    if (over()) throw Interrupted();
  }

private:
  bool is_over() const;

  std::function<bool()> over_;
  const Deadline* outer_ = nullptr;

  static thread_local const Deadline* innermost_;
};

} // namespace recta
