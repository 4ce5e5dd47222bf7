// Fits and proofs of a table that stands in parts on many machines, by rounds: every machine gathers a statistic of its
// part, and the answers together are a statistic of all rows. An engine (Spark, Dask, a pool of processes) carries the
// questions to the parts and the answers back, and may ask any part again at any time, on any machine: the answer has
// the same bytes, and so has the model, however many parts and machines there are.
//
// A question holds the answers of the rounds before it. The machine that answers goes through the same fit up to the
// round it is asked for, then gathers; so solvers and proofs are those of one machine, not written again for many.
#pragma once

#include <recta/estimator.hpp>

#include <functional>
#include <span>
#include <utility>

namespace recta {

// What is done with all rows: a fit, or the proof of a model. The same on every machine.
struct RoundsJob {
  std::string word{};
  FitOptions options{};
  const Model* model = nullptr; // set: it is verified, and the two above are not looked at
};

// What the asking side needs from an engine.
class Engine {
public:
  virtual ~Engine() = default;
  // Asks every part, and returns what answer() said to each, or join_answers() to several of them, in any order.
  virtual Result<std::vector<std::string>> ask(const std::string& question) = 0;
  // Rows by their numbers in the whole table, [first, end): a table for each range.
  virtual Result<std::vector<Dataset>> fetch(const std::vector<std::pair<Index, Index>>& ranges) = 0;
};

struct RoundsOptions {
  std::string source = "the table"; // its name in messages
  // A file that keeps the answers while the fit goes on, and is removed at its end. A fit that finds one, of the same
  // table and the same job, goes on where it ended; the first round is asked again, and its answer must be the same.
  std::string checkpoint{};
  // The fit is stopped where the checkpoint ends: its best answer until then, with as much of a proof as it has, for a
  // few rounds more. The checkpoint stays, and without this the same fit goes on from it.
  bool best_so_far = false;
};

// `header`: the columns of the table, with no rows or a few. Fits as fit_stream() does, in blocks of the same rows. If
// the watch or a time limit stops it, it returns the best answer so far and says how far from the optimum it may be.
Result<Model> fit_in_rounds(const RoundsJob& job, const Dataset& header, Engine& engine, const RoundsOptions& how = {},
                            const Watch& watch = {});
Result<Certificate> verify_in_rounds(const RoundsJob& job, const Dataset& header, Engine& engine,
                                     const RoundsOptions& how = {}, const Watch& watch = {});

// The answering side: `rows` are those of part number `part`, from 0; `sample`: the first rows of the table, as the
// first call of fetch() gave them, which engines carry with the question. An error is an answer too: it names its row,
// and the asking side returns it.
std::string answer(std::string_view question, const RoundsJob& job, Index part, const Dataset& rows,
                   const Dataset& sample);
// The answer of a machine that cannot read its part.
std::string refusal(const Error& error, Index part);
// Several answers to one question as one, where many large ones would come together on one machine.
std::string join_answers(std::string_view question, const RoundsJob& job, std::span<const std::string> answers,
                         const Dataset& sample);
// So many rows are the sample, or all if there are fewer. The first question is asked before them, and needs none.
inline constexpr Index kSampleRows = 16;

} // namespace recta
