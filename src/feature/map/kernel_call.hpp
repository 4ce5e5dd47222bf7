// Features whose inner products come near a kernel, so that linear models see what a kernel machine sees, at a cost
// that grows with the rows and not with their square: what nystrom and random_fourier share.
#pragma once

#include "base/double_double.hpp"
#include "base/numbers.hpp"
#include "feature/map/leaf.hpp"
#include "kernel/kernel.hpp"

#include <queue>

namespace recta::feature {

inline constexpr Index kTile = 64; // rows that are written out together

kernel::Settings kernel_of(const Call& call); // gamma is NaN if the rows are to say it
std::string kernel_text(const Call& call, double gamma);
std::string short_text(Call call); // without its columns, which may be hundreds: names of features repeat it
inline std::uint64_t seed_of(const Call& call) {
  return static_cast<std::uint64_t>(call.number_option("seed", 0));
}

// Rows of a block of columns, some at a time and written out by row, each with `out` numbers to be made of it.
class RowTiles {
public:
  RowTiles(const MapRows& rows, Index columns) : rows_(rows), columns_(columns), x_(at(kTile * columns)) {}

  template <class Use>
  void each(const Use& use) {
    for (Index first = 0; first < rows_.count; first += kTile) {
      const Index held = std::min(kTile, rows_.count - first);
      for (Index j = 0; j < columns_; ++j)
        for (Index i = 0; i < held; ++i)
          x_[at(i * columns_ + j)] = rows_.absent(first + i) ? 0 : rows_.inputs[at(j)][first + i];
      use(first, held, x_.data());
    }
  }

private:
  const MapRows& rows_;
  Index columns_;
  std::vector<double> x_;
};

// A pass over all rows: the spread of all their numbers, and the rows with the least draws.
class Sample {
public:
  Sample(Index size, Index columns, std::uint64_t seed) : size_(size), columns_(columns), seed_(seed) {}

  Result<void> gather(const LearningRows& from); // an error if there is no row
  Index last_row() const { return last_row_; }   // one behind it
  double gamma() const;                          // 1 / (p variance of all numbers)
  std::vector<double> numbers();                 // in the order of the rows

private:
  struct Drawn {
    std::uint64_t draw;
    std::size_t place;
    bool operator<(const Drawn& other) const { return draw < other.draw; }
  };
  void add(const MatrixView& x, Index i, Index row);

  Index size_, columns_;
  std::uint64_t seed_;
  Index rows_ = 0, last_row_ = 0;
  DoubleDouble sum_ = 0.0, squares_ = 0.0;
  std::priority_queue<Drawn> drawn_;
  std::vector<Index> row_;
  std::vector<double> x_;
};

} // namespace recta::feature
