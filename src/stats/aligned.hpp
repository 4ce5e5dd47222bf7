// Numbers on cache-line boundaries, left unset.
#pragma once

#include <recta/error.hpp>

#include <memory>
#include <new>

namespace recta {

class AlignedNumbers {
public:
  explicit AlignedNumbers(Index count)
      : data_(static_cast<double*>(::operator new(static_cast<std::size_t>(count) * sizeof(double), kLine))) {}
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }

private:
  static constexpr std::align_val_t kLine{64};
  struct Free {
    void operator()(double* p) const { ::operator delete(p, kLine); }
  };
  std::unique_ptr<double, Free> data_;
};

} // namespace recta
