#include "failing_new.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace recta::failing_new {
namespace {

std::atomic<std::int64_t> fail_at{0}, asked{0}, alive{0};
std::atomic<bool> armed{false}, for_ever{false};

bool fails() {
  if (!armed) return false;
  const std::int64_t number = ++asked;
  return fail_at > 0 && (for_ever ? number >= fail_at : number == fail_at);
}

} // namespace

void* allocate(std::size_t size, std::size_t alignment) {
  if (fails()) return nullptr;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory =
      alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded) : std::malloc(size ? size : 1);
  if (memory) ++alive;
  return memory;
}

void release(void* memory) {
  if (!memory) return;
  --alive;
  std::free(memory);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* memory = allocate(size, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

Plan::Plan(std::int64_t first, Then then) {
  fail_at = first;
  for_ever = then == Then::fail_for_ever;
  asked = 0;
  armed = true;
}
Plan::~Plan() {
  armed = false;
}
std::int64_t Plan::allocations() const {
  return asked;
}
std::int64_t living() {
  return alive;
}

} // namespace recta::failing_new

namespace own = recta::failing_new;
using std::align_val_t;
using std::nothrow_t;
using std::size_t;

void* operator new(size_t n) {
  return own::allocate_or_throw(n, 1);
}
void* operator new[](size_t n) {
  return own::allocate_or_throw(n, 1);
}
void* operator new(size_t n, align_val_t a) {
  return own::allocate_or_throw(n, static_cast<size_t>(a));
}
void* operator new[](size_t n, align_val_t a) {
  return own::allocate_or_throw(n, static_cast<size_t>(a));
}
void* operator new(size_t n, const nothrow_t&) noexcept {
  return own::allocate(n, 1);
}
void* operator new[](size_t n, const nothrow_t&) noexcept {
  return own::allocate(n, 1);
}
void* operator new(size_t n, align_val_t a, const nothrow_t&) noexcept {
  return own::allocate(n, static_cast<size_t>(a));
}
void* operator new[](size_t n, align_val_t a, const nothrow_t&) noexcept {
  return own::allocate(n, static_cast<size_t>(a));
}
void operator delete(void* p) noexcept {
  own::release(p);
}
void operator delete[](void* p) noexcept {
  own::release(p);
}
void operator delete(void* p, size_t) noexcept {
  own::release(p);
}
void operator delete[](void* p, size_t) noexcept {
  own::release(p);
}
void operator delete(void* p, align_val_t) noexcept {
  own::release(p);
}
void operator delete[](void* p, align_val_t) noexcept {
  own::release(p);
}
void operator delete(void* p, size_t, align_val_t) noexcept {
  own::release(p);
}
void operator delete[](void* p, size_t, align_val_t) noexcept {
  own::release(p);
}
void operator delete(void* p, const nothrow_t&) noexcept {
  own::release(p);
}
void operator delete[](void* p, const nothrow_t&) noexcept {
  own::release(p);
}
