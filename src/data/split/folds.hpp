// Which fold of a cross-validation a row belongs to. It is known from the row's number alone, so that a stream of
// unknown length can be dealt out too.
#pragma once

#include <recta/error.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace recta {

struct Folds {
  enum class Kind : std::uint8_t {
    dealt,      // of every `count` consecutive rows one goes to each fold, in an order drawn from the seed
    contiguous, // the first rows, the next rows, ...: like scikit-learn's KFold; needs the number of rows
    given       // one number per row
  };
  Index count = 10; // 0: no row is in a fold
  Kind kind = Kind::dealt;
  std::uint64_t seed = 0;
  Index rows = 0;                                           // contiguous
  std::shared_ptr<const std::vector<std::int32_t>> of = {}; // given: -1 is in no fold, so in every training set

  // The folds of rows [first, first + n); -1 for a row in no fold.
  std::vector<std::int32_t> assign(Index first, Index n) const;
};

} // namespace recta
