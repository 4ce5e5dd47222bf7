// The memory that reading a table takes, against its limit. Numbers and codes are counted before they are allocated;
// levels and texts as they are met.
#pragma once

#include "data/csv/layout.hpp"

#include <atomic>
#include <cstdint>

namespace recta::csv {

class Budget {
public:
  // `thread_bytes`: what one thread needs of its own.
  Budget(const Layout& layout, std::size_t thread_bytes, int threads);

  void set_limit(std::uint64_t bytes) { limit_ = static_cast<double>(bytes); }
  void set_text(std::size_t bytes) { text_ = static_cast<double>(bytes); } // bytes of the file, in memory
  void set_rows(Index rows) { rows_ = static_cast<double>(rows); }
  void add(std::size_t bytes) { grown_ += bytes; } // any thread

  bool enough() const { return need() <= limit_; }
  double most_rows() const { return (limit_ - need() + rows_ * row_) / row_; } // rows that may lie in memory
  // `about`: the number of rows is not known yet.
  std::unexpected<Error> refusal(double rows, bool about) const;

private:
  double need() const { return fixed_ + text_ + rows_ * row_ + static_cast<double>(grown_); }

  const Layout& layout_;
  double fixed_ = 0, row_ = 0, text_ = 0, rows_ = 0, limit_ = 0; // fixed: whatever the rows; row: bytes each
  std::atomic<std::uint64_t> grown_ = 0;
};

} // namespace recta::csv
