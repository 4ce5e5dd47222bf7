// The rounds of the machine that asks, and those of the machines that answer.
#pragma once

#include "rounds/checkpoint.hpp"
#include "rounds/layout.hpp"
#include "rounds/pieces.hpp"
#include "rounds/question.hpp"
#include "rounds/waiting_fit.hpp"

#include <recta/rounds.hpp>

#include <map>

namespace recta::rounds {

// The answers of the parts to the first question.
struct Survey {
  std::vector<Index> first_row;  // of every part, and the number of all rows
  std::vector<std::string> seen; // of their columns
};
Result<Survey> survey_of(Engine& engine);

// Asks the engine. Between two rounds of a fit nothing is kept elsewhere.
//
// The watch is asked before every round and nowhere else: a fit that were stopped in the middle of a step would be at a
// point that no other machine can come to. A fit that is stopped gives its best answer, and what it asks from then on
// is the proof of that: the rounds go on, and the checkpoint stays as it is.
class Asking final : public Rounds {
public:
  // `learned`: what is known of the columns, for the machines that answer. `ends_with_checkpoint`: the fit is stopped
  // where the checkpoint ends.
  Asking(Engine& engine, std::vector<Index> first_row, std::string learned, Checkpoint checkpoint, Watch watch,
         bool ends_with_checkpoint = false);
  ~Asking() override { end_waiting_fits(question_.job); } // if the engine is of this process
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  // Before the first round; `pieces` outlives this, and a fit is given them under this name.
  Result<void> begin(Pieces& pieces, std::string name);
  Result<std::string> gather(const Statistic& statistic, std::string_view stage) override;
  // The fit has ended; one that was stopped can be gone on with.
  void end();
  bool stopped() const { return question_.stop >= 0; }
  Error without_answer() const; // what is said of a fit that was stopped before it had any

private:
  // The leaves of so many blocks that lie across a border of parts, with their rows.
  struct Borders {
    Layout layout;
    std::vector<std::pair<Index, Index>> ranges;
    std::vector<Dataset> rows;
  };

  Result<const Borders*> borders(Index leaf_blocks);
  Result<void> go_on(std::string_view stage);
  Result<std::string> ask(const Statistic& statistic, const std::string& sample);
  Error in_its_part(Error error, const std::string& source) const;
  std::size_t heard() const; // answers that machines have heard, and need not be told again
  Result<void> same_as_before(const Checkpoint::Entry& before, const std::string& answer) const;

  Engine& engine_;
  Question question_;
  Checkpoint checkpoint_;
  Watch watch_;
  bool ends_with_checkpoint_ = false;
  std::size_t told_ = 0;  // answers in the last question
  int times_lacking_ = 0; // that a machine had not heard what was left out
  Pieces* pieces_ = nullptr;
  std::string name_;                 // of the table
  std::map<Index, Borders> borders_; // by blocks of a leaf, each fetched once
};

// Goes through the rounds that have been answered. At the next one it gathers, or joins answers of others, and waits
// for what comes after.
class Answering final : public Rounds {
public:
  // Requests are of one job; the first one outlives the first round.
  Answering(WaitingFit& fit, const RoundRequest& first) : fit_(fit), request_(&first) {}

  void begin(Pieces& pieces) { pieces_ = &pieces; }
  Result<std::string> gather(const Statistic& statistic, std::string_view stage) override;
  bool stopped() const { return stopped_; }

private:
  Result<std::string> answer(const Statistic& statistic) const;

  WaitingFit& fit_;
  const RoundRequest* request_;
  Pieces* pieces_ = nullptr;
  std::size_t round_ = 1; // the first answer is the survey's
  bool stopped_ = false;
};

} // namespace recta::rounds
