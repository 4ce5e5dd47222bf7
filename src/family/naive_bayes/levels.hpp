// The distinct values of some columns of numbers.
#pragma once

#include "stats/accumulator.hpp"

#include <array>

namespace recta::naive_bayes {

// Up to `most` values of each column; more are not kept, and overflow() says so.
class LevelsSeen {
public:
  LevelsSeen() = default;
  LevelsSeen(std::vector<Index> columns, Index most);

  void accumulate(const Batch& batch);
  void merge(const LevelsSeen& other);
  bool finite() const { return true; } // what is not finite is refused where the rows are counted
  std::string to_bytes() const;
  static Result<LevelsSeen> from_bytes(std::string_view bytes);

  std::vector<double> levels(Index column) const; // ascending
  bool overflow(Index column) const;

private:
  struct Seen {
    std::array<bool, 256> small{}; // whole numbers from 0 up
    std::vector<double> others{};  // ascending
    bool too_many = false;
  };
  void add(Seen& seen, double x) const;
  void insert(Seen& seen, double x) const;
  const Seen& of(Index column) const;

  std::vector<Index> columns_; // ascending
  Index most_ = 0;
  std::vector<Seen> seen_;
};

} // namespace recta::naive_bayes
