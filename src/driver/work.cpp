#include "driver/work.hpp"

#include "certificate/stated/figures.hpp"
#include "params/params.hpp"
#include "params/stated_options.hpp"

namespace recta {
namespace {

Model begun(const Request& request, Schema schema) {
  Model model;
  model.word = request.info->word;
  model.objective = request.info->objective;
  model.schema = std::move(schema);
  return model;
}

} // namespace

Work::Work(const Request& asked, Schema schema, const Rows& rows_of_it, const Clock& clock_of_it)
    : stated(nullptr), request{asked.info, copied(asked.params), asked.options, asked.notes},
      model(begun(request, std::move(schema))), rows(rows_of_it), clock(clock_of_it), pool(asked.options->threads) {}

Work::Work(const Model& of, const Rows& rows_of_it, const Clock& clock_of_it)
    : stated(&of), stated_options_(stated_options(of)),
      request{model_info(of.word), copied(of.params), &stated_options_}, model(begun(request, of.schema)),
      rows(rows_of_it), clock(clock_of_it) {}

Result<FirstPass> first_pass(Work& work, GramWanted wanted) {
  return first_pass(work.rows, work.schema(), wanted, work.pool, work.watch());
}

Result<FirstPass> first_pass_with_sums(Work& work) {
  return first_pass_with_sums(work.rows, work.schema(), work.pool, work.watch());
}

Result<void> check_shape(const Work& work) {
  return work.verifies() ? same_columns(*work.stated, work.rows) : Result<void>();
}

Result<void> check_identity(const Work& work) {
  return work.verifies() ? same_rows(*work.stated, work.seen.fingerprint, work.rows) : Result<void>();
}

Result<void> check_read(Work& work) {
  const auto good = work.verifies() ? check_identity(work) : check_rows(work.seen, work.schema(), work.rows);
  if (!good || work.rows.single_pass) return good;
  return work.rows.source.rewind();
}

bool is_better(const Certificate& later, const Certificate& earlier) {
  if (later.verdict == Verdict::proved) return true;
  return earlier.verdict != Verdict::proved && later.objective < earlier.objective;
}

Model finished(Work& work) {
  work.model.params = copied(work.request.params);
  work.model.fingerprint = work.seen.fingerprint.fingerprint();
  return std::move(work.model);
}

Certificate compared(Work& work) {
  Certificate& certificate = work.model.certificate;
  if (work.model.is_linear()) compare_figures(*work.stated, *work.model.linear(), certificate);
  if (work.figures) compare_summary(*work.stated, *work.figures, certificate);
  compare_objective(*work.stated, work.model.objective, certificate);
  return std::move(certificate);
}

} // namespace recta
