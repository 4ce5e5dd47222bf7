#include "rounds/asking.hpp"

#include "data/checked_table.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace recta::rounds {
namespace {

constexpr std::string_view kKeep =
    "the table changes, or is cut anew, each time it is read: keep it (cache, persist) or "
    "write it to files first";

// Every part once; the error of the first part that has one.
Result<std::vector<PartAnswer>> answers_of_all(Engine& engine, const std::string& question,
                                               std::optional<Index> parts) {
  const auto bytes = engine.ask(question);
  if (!bytes) return std::unexpected(bytes.error());
  std::vector<PartAnswer> out;
  std::optional<Error> first;
  const auto take = [&](const Result<PartAnswer>& answer) {
    if (answer)
      out.push_back(*answer);
    else if (!first || answer.error().where < first->where)
      first = answer.error();
  };
  for (const std::string& one : *bytes) {
    const auto each = apart(one);
    if (!each) return std::unexpected(each.error());
    for (const std::string& answer : *each) take(PartAnswer::from_bytes(answer));
  }
  if (first) return std::unexpected(*first);
  std::vector<Index> seen;
  for (const PartAnswer& one : out) seen.insert(seen.end(), one.parts.begin(), one.parts.end());
  std::ranges::sort(seen);
  std::vector<Index> all(static_cast<std::size_t>(parts.value_or(std::ssize(seen))));
  std::iota(all.begin(), all.end(), Index{0});
  if (seen != all)
    return fail(ErrorCode::failure, "an engine",
                fmt::format("{} parts answered, and {} were asked", seen.size(), all.size()), kKeep);
  return out;
}

} // namespace

Result<Survey> survey_of(Engine& engine) {
  auto answers = answers_of_all(engine, Question{}.to_bytes(), {});
  if (!answers) return std::unexpected(answers.error());
  std::ranges::sort(*answers, {}, [](const PartAnswer& one) { return one.parts.front(); });
  Survey out{{0}, {}};
  for (PartAnswer& one : *answers) {
    out.first_row.push_back(out.first_row.back() + one.rows);
    out.seen.push_back(std::move(one.statistic));
  }
  return out;
}

Asking::Asking(Engine& engine, std::vector<Index> first_row, std::string learned, Checkpoint checkpoint, Watch watch,
               bool ends_with_checkpoint)
    : engine_(engine), question_{new_job_name(), std::move(first_row), {std::move(learned)}, {}},
      checkpoint_(std::move(checkpoint)), watch_(std::move(watch)), ends_with_checkpoint_(ends_with_checkpoint) {}

Result<void> Asking::begin(Pieces& pieces, std::string name) {
  pieces_ = &pieces, name_ = std::move(name);
  const auto fetched = borders(1);
  return fetched ? Result<void>{} : std::unexpected(fetched.error());
}

Result<const Asking::Borders*> Asking::borders(Index leaf_blocks) {
  if (const auto known = borders_.find(leaf_blocks); known != borders_.end()) return &known->second;
  Borders out{Layout(question_.first_row, pieces_->block_rows(), leaf_blocks), {}, {}};
  out.ranges = out.layout.between();
  if (!out.ranges.empty()) {
    auto rows = engine_.fetch(out.ranges);
    if (!rows) return std::unexpected(rows.error());
    out.rows = *std::move(rows);
  }
  for (std::size_t k = 0; k < out.ranges.size(); ++k) {
    const auto& [first, end] = out.ranges[k];
    if (out.rows.size() != out.ranges.size() || out.rows[k].rows != end - first)
      return fail(ErrorCode::failure, "an engine",
                  fmt::format("it gave other rows than those from {} to {}", first + 1, end), kKeep);
    out.rows[k].first_row = first;
    if (auto good = check_table(out.rows[k]); !good) return std::unexpected(good.error());
  }
  return &borders_.emplace(leaf_blocks, std::move(out)).first->second;
}

Result<void> Asking::go_on(std::string_view stage) {
  Progress progress;
  progress.stage = stage;
  progress.pass = std::ssize(question_.answers);
  progress.fraction = -1;
  const bool on = !watch_ || watch_(progress);
  if (stopped()) return {}; // of the proof
  const std::size_t round = question_.answers.size() - 1;
  if (on && !(ends_with_checkpoint_ && checkpoint_.at(round) == nullptr)) return {};
  question_.stop = std::ssize(question_.answers);
  return std::unexpected(without_answer());
}

Error Asking::without_answer() const {
  if (ends_with_checkpoint_)
    return {ErrorCode::interrupted, "checkpoint",
            fmt::format("its {} rounds do not lead to a first answer", question_.stop - 1),
            "go on with the fit: leave best_so_far out"};
  return {ErrorCode::interrupted, "an engine",
          fmt::format("stopped after {} rounds, before there was a first answer", question_.stop),
          "with a checkpoint the same fit goes on from there"};
}

void Asking::end() {
  if (!stopped()) checkpoint_.remove();
}

Result<std::string> Asking::gather(const Statistic& statistic, std::string_view stage) {
  if (auto on = go_on(stage); !on) return std::unexpected(on.error());
  const auto sample = pieces_->of_sample(statistic);
  if (!sample) return sample;
  const std::string digest = digest_of(*sample);
  const std::size_t round = question_.answers.size() - 1;
  const Checkpoint::Entry* before = stopped() ? nullptr : checkpoint_.at(round);
  if (before && before->sample != digest)
    return fail(ErrorCode::usage, "checkpoint", "it is of another fit of this table",
                "name another one, or remove it and begin again");
  std::string total;
  if (before && round > 0) {
    total = before->answer;
  } else {
    auto asked = ask(statistic, digest);
    if (!asked) return asked;
    total = *std::move(asked);
    if (before)
      if (auto same = same_as_before(*before, total); !same) return std::unexpected(same.error());
    if (!before && !stopped())
      if (auto kept = checkpoint_.add({digest, total}); !kept) return std::unexpected(kept.error());
  }
  question_.answers.push_back(total);
  return total;
}

Result<void> Asking::same_as_before(const Checkpoint::Entry& before, const std::string& answer) const {
  if (before.answer == answer) return {};
  return fail(ErrorCode::bad_data, "checkpoint", "the rows have changed since it was written",
              "remove it and begin again");
}

// Short answers are told again and again: a machine that is new then needs no second question. So are all where
// machines do not stay.
std::size_t Asking::heard() const {
  constexpr std::size_t kLong = 1 << 20; // bytes
  constexpr int kMostLacking = 2;
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < told_; ++k) bytes += question_.answers[k].size();
  return bytes > kLong && times_lacking_ < kMostLacking ? told_ : 0;
}

// Rows between parts are numbered as in the table, whether their source is named or the table; users know them by their
// parts.
Error Asking::in_its_part(Error error, const std::string& source) const {
  const auto begins = [&](const std::string& name) { return error.where.starts_with(name + ", row "); };
  if (!begins(source) && !begins(name_)) return error;
  const std::size_t before = (begins(source) ? source : name_).size() + std::string_view(", row ").size();
  const char* const number = error.where.data() + before;
  Index row = 0;
  const auto read = std::from_chars(number, error.where.data() + error.where.size(), row);
  const auto& first = question_.first_row;
  if (read.ec != std::errc() || row < 1 || row > first.back()) return error;
  const auto next = std::ranges::upper_bound(first, row - 1);
  error.where = fmt::format("part {}, {}, row {}{}", next - first.begin(), source, row - *(next - 1), read.ptr);
  return error;
}

Result<std::string> Asking::ask(const Statistic& statistic, const std::string& sample) {
  const auto between = borders(statistic.leaf_blocks());
  if (!between) return std::unexpected(between.error());
  const Layout& layout = (*between)->layout;
  question_.sample = sample;
  auto answers = answers_of_all(engine_, question_.to_bytes(heard()), layout.parts());
  if (answers && std::ranges::any_of(*answers, &PartAnswer::lacks)) {
    ++times_lacking_;
    answers = answers_of_all(engine_, question_.to_bytes(), layout.parts());
  }
  if (!answers) return std::unexpected(answers.error());
  told_ = question_.answers.size();
  std::vector<std::string> all;
  for (const PartAnswer& one : *answers) all.push_back(one.statistic);
  for (std::size_t k = 0; k < (*between)->rows.size(); ++k) {
    const Dataset& rows = (*between)->rows[k];
    auto found = pieces_->of(statistic, rows, {0, rows.rows, (*between)->ranges[k].first});
    if (!found) return std::unexpected(in_its_part(found.error(), rows.source));
    all.push_back(*std::move(found));
  }
  return statistic.total(all, layout.blocks());
}

Result<std::string> Answering::gather(const Statistic& statistic, std::string_view) {
  for (;;) {
    const HeardQuestion& question = *request_->question;
    if (!stopped_ && std::cmp_equal(round_, question.stop)) {
      stopped_ = true;
      return fail(ErrorCode::interrupted, "an engine", "the fit was stopped here");
    }
    if (round_ < question.answers.size()) return std::string(question.answers[round_++]);
    request_ = &fit_.next(answer(statistic), round_, stopped_);
  }
}

Result<std::string> Answering::answer(const Statistic& statistic) const {
  const auto sample = pieces_->of_sample(statistic);
  if (!sample) return sample;
  if (digest_of(*sample) != request_->question->sample)
    return fail(ErrorCode::usage, "recta",
                "this machine computes other numbers than the one that asks, from the same rows",
                "give all machines the same build, and the same OPENBLAS_CORETYPE and RECTA_SIMD if their processors "
                "differ");
  if (!request_->rows) return statistic.join(request_->statistics);
  const Layout layout(request_->question->first_row, pieces_->block_rows(), statistic.leaf_blocks());
  return pieces_->of(statistic, *request_->rows, layout.whole_leaves(request_->part));
}

} // namespace recta::rounds
