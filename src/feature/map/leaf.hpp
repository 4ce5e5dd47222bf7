// A call that makes several features: poly(x, 3), nystrom(500). A folder src/feature/map/NAME is one of them. The build
// lists them all (cmake/leaves.cmake), and each defines recta::feature::NAME::make_leaf(); nothing else names it.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "feature/map/call.hpp"
#include "feature/map/maps.hpp"
#include "stats/row_check.hpp"

#include <functional>

namespace recta::feature {

// How a call is written.
struct NumberRule {
  std::string_view what;
  double lowest, highest;
  bool whole;
};
struct OptionRule {
  std::string_view name;
  std::vector<std::string> words; // empty: a number by the rule
  NumberRule number;
};
struct Rule {
  std::string_view word;
  Index least_columns, most_columns;
  std::vector<NumberRule> numbers;
  Index least_numbers;
  Index least_list; // 0: takes no list instead of its number
  std::vector<OptionRule> options;
  std::string_view usage;
};
inline constexpr Index kAnyColumns = std::numeric_limits<Index>::max();

// The rows that a call learns from: only its own columns, unchanged.
struct LearningRows {
  RowSource& rows;
  const Places& places;
  const std::string& source; // for messages
  Pool& pool;
  // Writes this many numbers per row to `out`, row after row, in one pass on all threads. The function computes those
  // of one block.
  std::function<Result<void>(Index numbers, const std::function<Result<void>(const Batch&, double*)>&, double* out)>
      each_row;
  // Where the features of all rows go, row after row, if the caller wants them too. A map that computes them while it
  // learns writes them there; others leave it empty.
  Values* features = nullptr;
};

class Leaf {
public:
  explicit Leaf(Rule rule) : rule_(std::move(rule)) {}
  virtual ~Leaf() = default;
  const Rule& rule() const { return rule_; }

  virtual Index count(const Call& call) const = 0; // features
  // Checks that the rule cannot express. `count` is at most the largest number of features allowed.
  virtual Result<void> check(const Call& call, const std::string& text) const;
  virtual Result<void> check_user(const std::string& text) const; // whether a user may write it
  // How many evenly spaced numbers it learns between the least and the largest value of its column: 0, or at least 2.
  virtual Index spaced(const Call& call) const;
  // How many numbers a fit computes for it.
  virtual Index given(const Call& call) const;
  virtual Result<std::shared_ptr<const Map>> make(const Call& call, const std::vector<double>& learned) const = 0;

  // Whether it makes its given numbers itself, in a pass over the rows. It then reads all columns of numbers if it
  // names none, takes the seed of the fit, and has a note for the certificate.
  virtual bool learns() const { return false; }
  virtual Result<void> learn(FeatureMap& map, Call call, const LearningRows& rows) const;
  virtual std::string note(const Call& call, const std::vector<double>& learned) const;
  // Which of its numbers, as a file states them, are not those that the rows teach.
  virtual Result<std::vector<std::string>> differences(const FeatureMap& stated, const Call& call,
                                                       const LearningRows& rows) const;

private:
  Rule rule_;
};

const Leaf* find_leaf(std::string_view word); // null: there is no such call
inline const Leaf& leaf_of(const Call& call) {
  return *find_leaf(call.word);
}

} // namespace recta::feature
