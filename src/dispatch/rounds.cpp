// fit_in_rounds(), verify_in_rounds() and answer(): the same fit on every machine, up to the round that is asked for.
#include "data/checked_table.hpp"
#include "dispatch/of_rows.hpp"
#include "family/checked_request.hpp"
#include "rounds/asking.hpp"
#include "rows/schemas.hpp"

#include <recta/rounds.hpp>

#include <filesystem>
#include <fmt/format.h>

namespace recta {
namespace {

using rounds::Answering;
using rounds::Asking;
using rounds::Checkpoint;
using rounds::HeardQuestion;
using rounds::PartAnswer;
using rounds::Pieces;
using rounds::RoundRequest;
using rounds::WaitingFit;

// A job that has been checked, and what its surveys look for.
class Job {
public:
  static Result<Job> make(const RoundsJob& job, const Dataset& header) {
    Job out(job);
    if (job.model) return out;
    auto request = checked_request(job.word, job.options, Purpose::fit);
    if (!request) return std::unexpected(request.error());
    if (job.options.max_inflation > 0 || job.options.components > 0)
      return fail(ErrorCode::usage, job.word, "columns are not dropped or joined by rounds over parts of a table",
                  "leave max_inflation and components out");
    auto schema = SurveyedSchema::make(header, *request);
    if (!schema) return std::unexpected(schema.error());
    out.request_.emplace(*std::move(request));
    out.surveyed_.emplace(*std::move(schema));
    return out;
  }

  Result<std::string> survey(const Dataset& rows) const {
    return surveyed_ ? surveyed_->survey(rows) : Result<std::string>();
  }
  Result<void> add(std::string_view survey) { return surveyed_ ? surveyed_->add(survey) : Result<void>{}; }
  std::string learned() const { return surveyed_ ? surveyed_->to_bytes() : std::string(); }
  Result<Schema> schema(const std::string& source) const {
    return surveyed_ ? surveyed_->finish(*request_, source) : Result<Schema>(job_->model->schema);
  }

  Result<Model> fit(const Schema& schema, const Rows& rows, const Clock& clock) const {
    return fit_rows(*request_, schema, rows, clock);
  }
  Result<Certificate> verify(const Rows& rows, const Clock& clock) const {
    return verify_rows(*job_->model, rows, clock);
  }
  // Runs the job. At the round that is asked for it throws; if it ends, that is an error.
  Error run(const Schema& schema, const Rows& rows, const Clock& clock) const {
    if (job_->model) {
      if (const auto ended = verify(rows, clock); !ended) return ended.error();
    } else if (const auto ended = fit(schema, rows, clock); !ended) {
      return ended.error();
    }
    return {ErrorCode::failure, "recta", "this job ends before the round that is asked for",
            "give all machines the same job"};
  }

private:
  explicit Job(const RoundsJob& job) : job_(&job) {}

  const RoundsJob* job_;
  std::optional<Request> request_;
  std::optional<SurveyedSchema> surveyed_;
};

// The clock of a fit by rounds: it knows no time, since all machines must stop at the same place.
template <class SomeRounds>
Clock clock_of(const SomeRounds& rounds) {
  return {[&rounds](const Progress&) { return !rounds.stopped(); }, 0};
}

// An error if there is no checkpoint to take the best answer of.
Result<void> check_best(const RoundsOptions& how) {
  if (!how.best_so_far || (!how.checkpoint.empty() && std::filesystem::exists(how.checkpoint))) return {};
  return fail(ErrorCode::usage, how.checkpoint.empty() ? "best_so_far" : how.checkpoint,
              how.checkpoint.empty() ? "the best answer so far is in a checkpoint, and none is named"
                                     : "there is no such checkpoint",
              "name the file that the fit was given as its checkpoint");
}

// What every question needs: the schema, the sample, rounds that ask, and rows that a fit can be given.
template <class Use, class Found = std::invoke_result_t<Use, const Job&, const Schema&, const Rows&, const Clock&>>
Found with_rounds(const RoundsJob& asked, const Dataset& header, Engine& engine, const RoundsOptions& how,
                  const Watch& watch, Use use) {
  return guarded(how.source, cure::kFree, [&]() -> Found {
    if (auto good = check_best(how); !good) return std::unexpected(good.error());
    if (auto good = check_table(header); !good) return std::unexpected(good.error());
    auto job = Job::make(asked, header);
    if (!job) return std::unexpected(job.error());
    const auto survey = rounds::survey_of(engine);
    if (!survey) return std::unexpected(survey.error());
    for (const std::string& one : survey->seen)
      if (auto added = job->add(one); !added) return std::unexpected(added.error());
    const Index rows = survey->first_row.back();
    if (rows == 0) return fail(ErrorCode::bad_data, how.source, "there are no rows", "a fit needs at least one");
    const auto schema = job->schema(how.source);
    if (!schema) return std::unexpected(schema.error());
    const auto sample = engine.fetch({{0, std::min(rows, kSampleRows)}});
    if (!sample) return std::unexpected(sample.error());
    for (const Dataset& first : *sample)
      if (auto good = check_table(first); !good) return std::unexpected(good.error());
    if (sample->size() != 1)
      return fail(ErrorCode::failure, "an engine", "it gave no sample of the rows", "see its own messages");
    StateWriter table("table");
    table.put(std::string_view(job->learned()));
    table.put(rows);
    auto checkpoint = Checkpoint::open(how.checkpoint, table.take());
    if (!checkpoint) return std::unexpected(checkpoint.error());
    Asking asking(engine, survey->first_row, job->learned(), *std::move(checkpoint), watch, how.best_so_far);
    const auto pieces = Pieces::make(*schema, sample->front(), asking);
    if (!pieces) return std::unexpected(pieces.error());
    if (auto begun = asking.begin(**pieces, how.source); !begun) return std::unexpected(begun.error());
    auto found = use(*job, *schema, (*pieces)->as_rows(how.source, 0), clock_of(asking));
    if (!found && asking.stopped() && found.error().code == ErrorCode::interrupted)
      return std::unexpected(asking.without_answer());
    if (found) asking.end();
    return found;
  });
}

Result<PartAnswer> survey_answer(const RoundsJob& asked, Index part, const Dataset& rows) {
  const auto job = Job::make(asked, rows);
  if (!job) return std::unexpected(job.error());
  auto survey = job->survey(rows);
  if (!survey) return std::unexpected(survey.error());
  return PartAnswer{{part}, *std::move(survey), rows.rows};
}

// A job with everything that it points to.
struct OwnedJob {
  RoundsJob job;
  std::optional<Model> model;

  explicit OwnedJob(const RoundsJob& asked)
      : job(asked), model(asked.model ? std::optional(*asked.model) : std::nullopt) {}
  const RoundsJob& get() {
    job.model = model ? &*model : nullptr;
    return job;
  }
};

// The fit that leads to the round of the first request, and on to those after it.
Error fit_by_requests(WaitingFit& waiting, const RoundRequest& first, const RoundsJob& asked, const Dataset& sample) {
  auto job = Job::make(asked, sample);
  if (!job) return job.error();
  if (auto added = job->add(first.question->answers.front()); !added) return added.error();
  const auto schema = job->schema("the table");
  if (!schema) return schema.error();
  Answering answering(waiting, first);
  const auto pieces = Pieces::make(*schema, sample, answering);
  if (!pieces) return pieces.error();
  answering.begin(**pieces);
  const Rows rows = first.rows ? (*pieces)->as_rows(first.rows->source,
                                                    first.question->first_row[static_cast<std::size_t>(first.part)])
                               : (*pieces)->as_rows("the table", 0);
  return job->run(*schema, rows, clock_of(answering));
}

// By a fit that waits here for this question, or else by a new one, if the question holds all that it needs. An error
// is said by a new one, which names rows by their numbers in this part.
Result<PartAnswer> answer_request(const RoundRequest& request, const RoundsJob& asked, const Dataset& sample,
                                  std::vector<Index> parts) {
  if (auto waiting = rounds::take_waiting_fit(*request.question))
    if (auto found = waiting->answer(request); found && *found) {
      rounds::keep_waiting_fit(std::move(waiting));
      return PartAnswer{std::move(parts), **std::move(found)};
    }
  if (request.question->left_out > 0) return PartAnswer{.parts = std::move(parts), .lacks = true};
  auto begun = std::make_unique<WaitingFit>(
      [owned = std::make_shared<OwnedJob>(asked), sample](WaitingFit& waiting, const RoundRequest& first) {
        return fit_by_requests(waiting, first, owned->get(), sample);
      });
  auto found = *begun->answer(request);
  if (!found) return std::unexpected(found.error());
  rounds::keep_waiting_fit(std::move(begun));
  return PartAnswer{std::move(parts), *std::move(found)};
}

Result<PartAnswer> round_answer(const HeardQuestion& question, const RoundsJob& asked, Index part, const Dataset& rows,
                                const Dataset& sample) {
  const auto k = static_cast<std::size_t>(part);
  if (part < 0 || k + 1 >= question.first_row.size() || rows.rows != question.first_row[k + 1] - question.first_row[k])
    return fail(ErrorCode::failure, rows.source,
                fmt::format("it has {} rows now, and had another number before", rows.rows),
                "keep the table (cache, persist), or write it to files first");
  return answer_request({&question, part, &rows, {}}, asked, sample, {part});
}

Result<PartAnswer> joined_answer(const HeardQuestion& question, const RoundsJob& asked,
                                 std::span<const std::string> answers, const Dataset& sample) {
  std::vector<Index> parts;
  std::vector<std::string> statistics;
  bool lacks = false;
  for (const std::string& bytes : answers) {
    auto one = PartAnswer::from_bytes(bytes);
    if (!one) return std::unexpected(one.error());
    parts.insert(parts.end(), one->parts.begin(), one->parts.end());
    statistics.push_back(std::move(one->statistic));
    lacks = lacks || one->lacks;
  }
  if (lacks) return PartAnswer{.parts = std::move(parts), .lacks = true};
  return answer_request({&question, -1, nullptr, statistics}, asked, sample, std::move(parts));
}

} // namespace

Result<Model> fit_in_rounds(const RoundsJob& job, const Dataset& header, Engine& engine, const RoundsOptions& how,
                            const Watch& watch) {
  const Clock limited(watch, job.options.time_limit);
  auto model = with_rounds(job, header, engine, how, limited.watch(),
                           [](const Job& checked, const Schema& schema, const Rows& rows, const Clock& clock) {
                             return checked.fit(schema, rows, clock);
                           });
  if (!model || !model->certificate.stop.by_the_caller()) return model;
  if (how.best_so_far && !limited.out_of_time())
    model->certificate.stop = Stop("the checkpoint ends here");
  else
    model->certificate.stop = limited.stop_reason();
  return model;
}

Result<Certificate> verify_in_rounds(const RoundsJob& job, const Dataset& header, Engine& engine,
                                     const RoundsOptions& how, const Watch& watch) {
  return with_rounds(job, header, engine, how, watch,
                     [](const Job& checked, const Schema&, const Rows& rows, const Clock& clock) {
                       return checked.verify(rows, clock);
                     });
}

std::string answer(std::string_view question, const RoundsJob& job, Index part, const Dataset& rows,
                   const Dataset& sample) {
  const auto found = guarded(rows, cure::kFewerRows, [&]() -> Result<PartAnswer> {
    const auto asked = HeardQuestion::from_bytes(question);
    if (!asked) return std::unexpected(asked.error());
    return asked->is_survey() ? survey_answer(job, part, rows) : round_answer(*asked, job, part, rows, sample);
  });
  return found ? found->to_bytes() : rounds::to_bytes(found.error(), part);
}

std::string refusal(const Error& error, Index part) {
  return rounds::to_bytes(error, part);
}

std::string join_answers(std::string_view question, const RoundsJob& job, std::span<const std::string> answers,
                         const Dataset& sample) {
  const auto joined = guarded("answers", cure::kFewerRows, [&]() -> Result<std::string> {
    const auto asked = HeardQuestion::from_bytes(question);
    if (!asked) return std::unexpected(asked.error());
    if (asked->is_survey()) return rounds::joined_surveys(answers);
    const auto found = joined_answer(*asked, job, answers, sample);
    return found ? Result<std::string>(found->to_bytes()) : std::unexpected(found.error());
  });
  return joined ? *joined : rounds::to_bytes(joined.error(), -1);
}

} // namespace recta
