// Read-only numbers in memory or in a mapped file. Those of a file are checked when they are first read
// (checked_pieces.hpp): by an element, by a range, or all at once by whatever wants a plain pointer to them.
#pragma once

#include "base/checked_pieces.hpp"

#include <cstring>
#include <span>
#include <vector>

namespace recta {

// A view; what it looks at must outlive it.
template <class T>
class CheckedSpan {
public:
  CheckedSpan() = default;
  CheckedSpan(std::span<const T> values) : data_(values.data()), size_(values.size()) {}
  CheckedSpan(const std::vector<T>& values) : CheckedSpan(std::span<const T>(values)) {}
  explicit CheckedSpan(const CheckedPieces& file)
      : data_(reinterpret_cast<const T*>(file.unchecked().data())), size_(file.unchecked().size() / sizeof(T)),
        file_(&file) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* address() const { return data_; } // for arithmetic; what lies there may not have been checked
  bool in_file() const { return file_ != nullptr; }

  // `count` elements from this one on.
  const T* from(std::size_t first, std::size_t count) const {
    if (file_) file_->check(first * sizeof(T), count * sizeof(T));
    return data_ + first;
  }
  const T& operator[](std::size_t i) const { return *from(i, 1); }
  std::span<const T> all() const {
    if (file_) file_->check_all();
    return {data_, size_};
  }

private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
  const CheckedPieces* file_ = nullptr; // nullptr: in memory, and good
};

// The same with its memory, which copies share.
template <class T>
class CheckedArray {
public:
  CheckedArray() = default;
  template <class Allocator>
  CheckedArray(std::vector<T, Allocator> values) {
    const auto owner = std::make_shared<const std::vector<T, Allocator>>(std::move(values));
    owner_ = owner;
    view_ = std::span<const T>(*owner);
  }
  // Numbers that were checked before; `owner` keeps them alive.
  CheckedArray(std::span<const T> values, std::shared_ptr<const void> owner)
      : owner_(std::move(owner)), view_(values) {}
  explicit CheckedArray(std::shared_ptr<const CheckedPieces> file) : owner_(file), view_(*file) {}

  operator CheckedSpan<T>() const { return view_; }
  const CheckedSpan<T>& view() const { return view_; }
  std::size_t size() const { return view_.size(); }
  bool empty() const { return view_.empty(); }
  const T& operator[](std::size_t i) const { return view_[i]; }
  const T* from(std::size_t first, std::size_t count) const { return view_.from(first, count); }
  std::span<const T> all() const { return view_.all(); }
  // All of them, for loops over a range.
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  std::vector<T> copy() const { return {begin(), end()}; }
  // To the bit: numbers that are missing are equal.
  bool operator==(const CheckedArray& other) const {
    const std::span<const T> ours = all(), theirs = other.all();
    return ours.size() == theirs.size() &&
           (ours.empty() || std::memcmp(ours.data(), theirs.data(), ours.size_bytes()) == 0);
  }

private:
  std::shared_ptr<const void> owner_;
  CheckedSpan<T> view_;
};

} // namespace recta
