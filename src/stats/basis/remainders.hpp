// The sizes of the remainders of columns: sums and squares of u_j = x_j - sum c_jk x_k - m_j over the rows, in
// double-double. Sparse rows are read as they are.
#pragma once

#include "stats/accumulator.hpp"
#include "stats/basis/basis.hpp"

#include <memory>

namespace recta {

struct Remainders : Saved<Remainders> {
  std::shared_ptr<const Basis> basis;
  DoubleDouble weight = 0.0;
  std::vector<DoubleDouble> sum, squares; // one per column of the basis

  Remainders() = default;
  explicit Remainders(std::shared_ptr<const Basis> of);

  double spread(std::size_t s, bool centred) const; // root of the mean square, about the mean if centred

  void accumulate(const Batch& batch);
  void merge(const Remainders& other);
  static constexpr std::string_view kTag = "rema", kName = "remainders of columns";
  // Without the basis.
  static void fields(auto& s, auto& io) {
    const Index count = io.size(s.sum);
    io(s.weight);
    io.each(count, s.sum, s.squares);
  }
  bool finite() const { return true; } // the rows were checked before
};

} // namespace recta
