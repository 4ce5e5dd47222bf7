#include "base/large_memory.hpp"

#include <recta/dataset.hpp>

#include <atomic>
#include <cstdint>
#include <new>
#include <sys/mman.h>

// With AddressSanitizer every array is a heap allocation of its own, so that accesses beyond it are seen.
#if defined(__SANITIZE_ADDRESS__)
#define RECTA_ONE_BY_ONE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RECTA_ONE_BY_ONE
#endif
#endif
#if !defined(MADV_HUGEPAGE)
#define RECTA_ONE_BY_ONE
#endif

namespace recta {
namespace {

constexpr std::size_t kLine = 64, kPage = 4096, kHuge = 1 << 21;

std::size_t round_up(std::size_t size, std::size_t to) {
  return (size + to - 1) / to * to;
}

struct Stretch {
  char *begin, *at, *end;         // `at`: start of the free part
  std::atomic<std::size_t> users; // arrays, and the LargePages that made it

  void leave() {
    if (users.fetch_sub(1) > 1) return;
    ::munmap(begin, static_cast<std::size_t>(end - begin));
    delete this;
  }
};

// Precedes every array in memory.
struct alignas(kLine) Head {
  Stretch* stretch; // none: from the heap
  std::size_t bytes;
};

thread_local Stretch* current = nullptr;

// Returns nullptr if the system gives no stretch. The stretch begins at a large page.
Stretch* open_stretch([[maybe_unused]] std::size_t bytes) {
#if defined(RECTA_ONE_BY_ONE)
  return nullptr;
#else
  const std::size_t size = round_up(bytes, kHuge);
  void* map = ::mmap(nullptr, size + kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return nullptr;
  char* const start = static_cast<char*>(map);
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  char* const begin = start + (round_up(address, kHuge) - address);
  auto* stretch = new (std::nothrow) Stretch{begin, begin, begin + size, 1};
  if (!stretch) {
    ::munmap(start, size + kHuge);
    return nullptr;
  }
  if (begin > start) ::munmap(start, static_cast<std::size_t>(begin - start));
  if (begin < start + kHuge) ::munmap(begin + size, static_cast<std::size_t>(start + kHuge - begin));
  ::madvise(begin, size, MADV_HUGEPAGE); // if refused, pages are small
  return stretch;
#endif
}

// Returns the whole pages of an array that no other array shares. The last page of a stretch is freed with the stretch.
void give_back(const Head& head, char* begin) {
  const auto first = round_up(reinterpret_cast<std::uintptr_t>(begin), kPage);
  const auto last = (reinterpret_cast<std::uintptr_t>(begin) + head.bytes) / kPage * kPage;
  if (last > first && head.stretch->users > 1) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

} // namespace

LargePages::LargePages(std::size_t bytes) : before_(current) {
  current = bytes >= kHuge ? open_stretch(bytes) : nullptr;
}

LargePages::~LargePages() {
  if (current) current->leave();
  current = static_cast<Stretch*>(before_);
}

std::size_t LargePages::room(std::size_t bytes) {
  return sizeof(Head) + round_up(bytes, kLine);
}

void* allocate_large(std::size_t bytes) {
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  const std::size_t room = LargePages::room(bytes);
  char* place = nullptr;
  const bool fits = current && room <= static_cast<std::size_t>(current->end - current->at);
  if (fits) {
    place = current->at;
    current->at += room;
    ++current->users;
  } else {
    place = static_cast<char*>(::operator new(room, std::align_val_t{kLine}));
  }
  ::new (place) Head{fits ? current : nullptr, bytes};
  return place + sizeof(Head);
}

void free_large(void* array) noexcept {
  char* const begin = static_cast<char*>(array);
  const Head head = *reinterpret_cast<const Head*>(begin - sizeof(Head));
  if (!head.stretch) return ::operator delete(begin - sizeof(Head), std::align_val_t{kLine});
  give_back(head, begin);
  head.stretch->leave();
}

} // namespace recta
