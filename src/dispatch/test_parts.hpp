// Parts of a table in this process, for tests of rounds.
#pragma once

#include "data/split/table_view.hpp"

#include <recta/recta.hpp>
#include <recta/rounds.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace recta {

inline Dataset rows_from(const Dataset& data, Index first, Index end) {
  std::vector<Index> numbers(static_cast<std::size_t>(end - first));
  std::iota(numbers.begin(), numbers.end(), first);
  return copy_rows(data, numbers);
}

// Parts in this process, answered in an order of their own.
class Parts : public Engine {
public:
  Parts(const Dataset& data, const RoundsJob& job, std::vector<Index> cuts, bool joins = false)
      : data_(data), job_(job), cuts_(std::move(cuts)), joins_(joins) {}

  Result<std::vector<std::string>> ask(const std::string& question) override {
    ++rounds;
    if (rounds > stop_after) return fail(ErrorCode::failure, "engine", "it is gone");
    std::vector<std::string> out = answers(question);
    if (!joins_ || out.size() < 3) return out;
    std::vector<std::string> few;
    for (std::size_t k = 0; k < out.size(); k += 3)
      few.push_back(
          join_answers(question, job_, std::span(out).subspan(k, std::min<std::size_t>(3, out.size() - k)), sample_));
    return few;
  }
  Result<std::vector<Dataset>> fetch(const std::vector<std::pair<Index, Index>>& ranges) override {
    std::vector<Dataset> out;
    for (const auto& [first, end] : ranges) out.push_back(rows_from(data_, first, end));
    if (sample_.columns.empty()) sample_ = out.at(0);
    return out;
  }

  Index rounds = 0, stop_after = 1000000;

protected:
  std::size_t parts() const { return cuts_.size() - 1; }
  std::string answer_of(const std::string& question, std::size_t k) const {
    return answer(question, job_, static_cast<Index>(k), rows_from(data_, cuts_[k], cuts_[k + 1]), sample_);
  }
  virtual std::vector<std::string> answers(const std::string& question) {
    std::vector<std::string> out;
    for (std::size_t k = parts(); k-- > 0;) out.push_back(answer_of(question, k));
    return out;
  }

private:
  const Dataset& data_;
  const RoundsJob& job_;
  std::vector<Index> cuts_;
  bool joins_;
  Dataset sample_;
};

inline std::vector<Index> cut(Index rows, Index parts, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<Index> cuts{0, rows};
  for (Index k = 1; k < parts; ++k) cuts.push_back(static_cast<Index>(random() % static_cast<unsigned>(rows + 1)));
  std::ranges::sort(cuts); // some parts are empty
  return cuts;
}

// n rows of p numbers, a category, a count and two kinds of target.
inline Dataset table(Index n, Index p) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Dataset data;
  data.source = "table";
  data.rows = n;
  Column number{"y", ColumnType::real, {}, {}, {}}, label{"label", ColumnType::category, {}, {}, {"a", "b", "c"}};
  Column two{"two", ColumnType::category, {}, {}, {"no", "yes"}}, count{"count", ColumnType::integer, {}, {}, {}};
  Column kind{"kind", ColumnType::category, {}, {}, {"p", "q", "r"}};
  for (Index j = 0; j < p; ++j) data.columns.push_back({"x" + std::to_string(j), ColumnType::real, {}, {}, {}});
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j < p; ++j) {
      const double x = normal(random);
      data.columns[static_cast<std::size_t>(j)].values.push_back(x);
      sum += x / static_cast<double>(j + 1);
    }
    kind.codes.push_back(static_cast<std::int32_t>(random() % 3));
    number.values.push_back(sum + kind.codes.back() + normal(random));
    two.codes.push_back(sum + 2 * normal(random) > 0 ? 1 : 0);
    const double with_noise = sum + 2 * normal(random);
    label.codes.push_back(with_noise < -1 ? 0 : with_noise < 1 ? 1 : 2);
    count.values.push_back(std::floor(std::exp(0.3 * sum + 0.5 * normal(random))));
  }
  for (Column* one : {&kind, &number, &label, &two, &count}) data.columns.push_back(std::move(*one));
  return data;
}

struct Case {
  std::string word, target;
  Params params{};
  Index most_rounds = 4;
};

inline RoundsJob job_of(const Case& c) {
  RoundsJob job{c.word, {}, nullptr};
  job.options.target = {c.target};
  for (const std::string other : {"y", "label", "two", "count"})
    if (other != c.target) job.options.ignore.push_back(other);
  for (const auto& [name, value] : c.params) job.options.params[name] = value;
  return job;
}

// The column "weight" is that of the weights, or left alone; rows with gaps are dropped.
inline void use_weights_and_gaps(bool weighted, bool gaps, FitOptions& options) {
  if (weighted)
    options.weights = "weight";
  else
    options.ignore.emplace_back("weight");
  if (gaps) options.missing = Missing::drop;
}

} // namespace recta
