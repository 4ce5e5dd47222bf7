// The lines of a model file of another program, word by word. Every error has the number of its line.
#pragma once

#include <recta/error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace recta::foreign {

inline constexpr Index kMostFeatures = 10'000'000; // the largest number of a feature that is taken

class Lines {
public:
  Lines(std::string_view bytes, std::string source) : rest_(bytes), source_(std::move(source)) {}

  bool next(); // the next line; false: there is none
  // Whether the line has no end. Both programs end every line, so that a file that was cut inside of one is recognised.
  bool cut() const { return cut_; }
  Index number() const { return number_; }
  std::size_t bytes_left() const { return rest_.size() + line_.size(); }

  // The next word of this line; empty: there is none.
  std::string_view word();
  bool at_end(); // of the line

  // A finite number, or a whole one from `least` to `most`.
  Result<double> real(std::string_view word, std::string_view what) const;
  Result<Index> whole(std::string_view word, std::string_view what, Index least, Index most) const;
  // The rest of the line: so many finite numbers.
  Result<std::vector<double>> reals(Index count, std::string_view what);

  std::unexpected<Error> error(std::string what) const;

private:
  std::string_view rest_, line_;
  std::string source_;
  Index number_ = 0;
  bool cut_ = false;
};

} // namespace recta::foreign
