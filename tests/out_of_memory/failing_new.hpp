// An operator new that can be told to fail: the program's own, in all its forms.
#pragma once

#include <cstdint>

namespace recta::failing_new {

enum class Then : std::uint8_t { work_again, fail_for_ever };

// While this object lives the `first`-th allocation of any thread fails (counted from 1; 0: none), and so do all that
// follow where it is told so.
class Plan {
public:
  Plan(std::int64_t first, Then then);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  std::int64_t allocations() const; // asked for until now
};

std::int64_t living(); // allocations that were not freed
} // namespace recta::failing_new
