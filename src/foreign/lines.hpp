// The lines of a model file of another program, word by word. Every error has the number of its line.
#pragma once

#include <recta/error.hpp>

#include <functional>
#include <initializer_list>
#include <set>
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

  // The lines before `last_word`, whose line ends the head: `field` takes each by its first word. The words of these
  // lines are kept.
  Result<void> head(std::string_view last_word, std::string_view body,
                    const std::function<Result<void>(const std::string& word)>& field);
  bool has(std::string_view word) const { return words_.contains(word); }
  // Refuses the head unless it has all of these lines.
  Result<void> want(std::initializer_list<std::string_view> words) const;
  // Labels are whole numbers, and no two classes have the same one.
  Result<void> check_labels(std::vector<double> labels) const;

  std::unexpected<Error> error(std::string what) const;

private:
  std::string_view rest_, line_;
  std::string source_;
  std::set<std::string, std::less<>> words_;
  Index number_ = 0;
  bool cut_ = false;
};

} // namespace recta::foreign
