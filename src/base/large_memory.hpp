// Memory for the large arrays of Values. Many columns that are allocated one by one cannot lie in large pages: the heap
// writes a few bytes before each, which gives that stretch a small page before anyone can ask for a large one. A reader
// that knows how much it will need asks once, and its allocations are then cut from one stretch.
#pragma once

#include <cstddef>

namespace recta {

// While such an object lives, this thread's allocate_large takes memory from a stretch of large pages, up to `bytes`.
// The stretch stays until everything cut from it is freed; memory freed earlier goes back to the system at once.
class LargePages {
public:
  explicit LargePages(std::size_t bytes); // does nothing without large pages, or if `bytes` is too little for one
  ~LargePages();
  LargePages(const LargePages&) = delete;
  LargePages& operator=(const LargePages&) = delete;

  // The memory that an array of this size takes.
  static std::size_t room(std::size_t bytes);

private:
  void* before_;
};

} // namespace recta
