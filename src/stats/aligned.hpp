// Memory for many numbers: aligned to cache lines, and from two megabytes on in huge pages if the system has them,
// since a Gram matrix of 2,000 columns is read across columns and would otherwise wait for page tables.
#pragma once

#include <recta/error.hpp>

#include <memory>
#include <new>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace recta {

inline constexpr std::size_t kHugePage = std::size_t{1} << 21;

inline void* allocate_aligned(std::size_t bytes) {
  if (bytes < kHugePage) return ::operator new(bytes, std::align_val_t{64});
  void* memory = ::operator new(bytes, std::align_val_t{kHugePage});
#if defined(__linux__)
  madvise(memory, bytes, MADV_HUGEPAGE); // advice: it may be refused
#endif
  return memory;
}
inline void free_aligned(void* memory, std::size_t bytes) {
  ::operator delete(memory, std::align_val_t{bytes < kHugePage ? 64 : kHugePage});
}

template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}
  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_aligned(n * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t n) { free_aligned(memory, n * sizeof(T)); }
  bool operator==(const LargeAllocator&) const = default;
};

using LargeVector = std::vector<double, LargeAllocator<double>>;

// Memory for numbers that are written before they are read; it only grows.
class Room {
public:
  double* numbers(Index count) {
    if (count > count_) {
      data_.reset();
      count_ = 0;
      const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(double);
      data_ = {static_cast<double*>(allocate_aligned(bytes)), Free{bytes}};
      count_ = count;
    }
    return data_.get();
  }

private:
  struct Free {
    std::size_t bytes;
    void operator()(double* p) const { free_aligned(p, bytes); }
  };
  std::unique_ptr<double, Free> data_;
  Index count_ = 0;
};

} // namespace recta
