// Statements of a model file that its parameters or its rows do not give. Sums over the rows agree to 1e-9 of their
// size, whatever instructions added them up.
#pragma once

#include <recta/certificate.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace recta {

inline constexpr double kStatedSums = 1e-9;

class Differences {
public:
  void add(std::string difference) { all_.push_back(std::move(difference)); }
  // Unless both are the same number, or no farther apart than `within`.
  void compare(std::string_view what, double stated, double by_rows, double within);
  void refute(Certificate& certificate) const; // with all of them, unless there is none
  const std::vector<std::string>& all() const { return all_; }

private:
  std::vector<std::string> all_;
};

} // namespace recta
