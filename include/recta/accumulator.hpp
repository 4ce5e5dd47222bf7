// Statistics of rows that are gathered apart and merged later: by other processes, on other machines, day after day.
// They are all that least squares and ridge need, a few numbers per pair of columns, however many rows there were.
#pragma once

#include <recta/estimator.hpp>

#include <memory>

namespace recta {

class Statistics {
public:
  // The rows are number first_row, first_row + 1, ... of the whole table. first_row is a multiple of
  // shard_rows(columns): then shards merge to the very bits that one pass over the whole gives.
  static Result<Statistics> gather(const Arrays& rows, Index first_row = 0, int threads = 0);
  static Index shard_rows(Index columns);

  Result<void> append(const Statistics& next); // statistics of the rows that follow these
  Index rows() const;
  bool empty() const { return state_ == nullptr; } // moved from: there is nothing to append or to fit

  std::string to_bytes() const; // the same on every machine
  static Result<Statistics> from_bytes(std::string_view bytes);

  struct State;
  const State& state() const { return *state_; }

private:
  explicit Statistics(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

// The claim says that it is from merged statistics; verify() proves it if the rows are at hand.
Result<Model> fit(const std::string& word, const Statistics& statistics, const FitOptions& options = {});

} // namespace recta
