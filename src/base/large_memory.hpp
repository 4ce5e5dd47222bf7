// Memory for the large arrays of Values. Many columns allocated one by one cannot lie in large pages: the heap writes a
// few bytes before each, which gives that stretch a small page before anyone can ask for a large one. A reader that
// knows what it will need asks once, and what it allocates meanwhile is cut from one stretch.
#pragma once

#include <cstddef>

namespace recta {

// While one lives, this thread's allocate_large takes from a stretch of large pages, as far as `bytes` reach. The
// stretch stays until all that was cut from it is freed; what is freed earlier goes back to the system at once.
class LargePages {
public:
  explicit LargePages(std::size_t bytes); // does nothing where there are no large pages, or too little for one
  ~LargePages();
  LargePages(const LargePages&) = delete;
  LargePages& operator=(const LargePages&) = delete;

  // What an array of this size takes.
  static std::size_t room(std::size_t bytes);

private:
  void* before_;
};

} // namespace recta
