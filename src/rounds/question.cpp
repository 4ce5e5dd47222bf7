#include "rounds/question.hpp"

#include "base/sha256.hpp"
#include "stats/sealed.hpp"
#include "stats/state_bytes.hpp"

#include <fmt/format.h>
#include <random>

namespace recta::rounds {
namespace {

constexpr std::string_view kVersion = RECTA_VERSION;
constexpr std::string_view kQuestion = "recta question 4", kAnswer = "recta answer 3", kRefusal = "recta refusal 2",
                           kSurveys = "recta surveys 1";
constexpr Index kMostLeftOut = 1 << 24; // more rounds than any fit has

} // namespace

std::string Question::to_bytes(std::size_t left_out) const {
  StateWriter out(kQuestion);
  out.put(kVersion);
  out.put(std::string_view(job));
  out.put(std::ssize(first_row));
  for (const Index row : first_row) out.put(row);
  out.put(std::ssize(answers));
  out.put(static_cast<Index>(left_out));
  for (std::size_t k = left_out; k < answers.size(); ++k) out.put(std::string_view(answers[k]));
  out.put(std::string_view(sample));
  out.put(stop);
  return sealed(out.take());
}

std::string new_job_name() {
  std::random_device random; // a name, on which no number depends
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

Result<HeardQuestion> HeardQuestion::from_bytes(std::string_view bytes) {
  const auto body = unsealed(bytes);
  StateReader in(kQuestion, body.value_or(bytes));
  const std::string_view version = in.text();
  if (!in.good() || version != kVersion)
    return fail(ErrorCode::usage, "recta",
                fmt::format("this machine has version {}, and version {} asks", kVersion,
                            in.good() ? version : std::string_view("another")),
                "install the same version on the driver and on every executor");
  in.require(body.has_value());
  HeardQuestion out;
  out.job = in.text();
  const Index most = std::ssize(bytes) / 8;
  const Index parts = in.index();
  in.require(parts >= 0 && parts <= most);
  for (Index k = 0; in.good() && k < parts; ++k) out.first_row.push_back(in.index());
  const Index answers = in.index(), left_out = in.index();
  in.require(0 <= left_out && left_out <= answers && answers - left_out <= most && left_out <= kMostLeftOut);
  for (Index k = 0; in.good() && k < answers; ++k) out.answers.push_back(k < left_out ? std::string_view() : in.text());
  out.left_out = static_cast<std::size_t>(left_out);
  out.sample = in.text();
  out.stop = in.index();
  if (!in.done()) return damaged_state("question");
  return out;
}

std::string PartAnswer::to_bytes() const {
  StateWriter out(kAnswer);
  out.put(std::ssize(parts));
  for (const Index part : parts) out.put(part);
  out.put(rows);
  out.put(Index{lacks});
  out.put(std::string_view(statistic));
  return sealed(out.take());
}

Result<PartAnswer> PartAnswer::from_bytes(std::string_view bytes) {
  const auto body = unsealed(bytes);
  if (!body) return damaged_state("answer");
  if (body->starts_with(kRefusal)) {
    StateReader in(kRefusal, *body);
    const Index code = in.index(), part = in.index();
    Error error;
    error.where = in.text();
    error.what = in.text();
    error.advice = in.text();
    if (!in.done() || code < 0 || code > static_cast<Index>(ErrorCode::interrupted)) return damaged_state("answer");
    error.code = static_cast<ErrorCode>(code);
    if (part >= 0) error.where = fmt::format("part {}, {}", part + 1, error.where);
    return std::unexpected(error);
  }
  StateReader in(kAnswer, *body);
  PartAnswer out;
  const Index parts = in.index();
  in.require(parts >= 0 && parts <= std::ssize(bytes) / 8);
  for (Index k = 0; in.good() && k < parts; ++k) out.parts.push_back(in.index());
  out.rows = in.index();
  out.lacks = in.index() != 0;
  out.statistic = in.text();
  if (!in.done()) return damaged_state("answer");
  return out;
}

std::string to_bytes(const Error& error, Index part) {
  StateWriter out(kRefusal);
  out.put(static_cast<Index>(error.code));
  out.put(part);
  for (const std::string* text : {&error.where, &error.what, &error.advice}) out.put(std::string_view(*text));
  return sealed(out.take());
}

std::string joined_surveys(std::span<const std::string> answers) {
  StateWriter out(kSurveys);
  out.put(std::ssize(answers));
  for (const std::string& answer : answers) out.put(std::string_view(answer));
  return sealed(out.take());
}

Result<std::vector<std::string>> apart(const std::string& answer) {
  const auto body = unsealed(answer);
  if (!body || !body->starts_with(kSurveys)) return std::vector{answer};
  StateReader in(kSurveys, *body);
  const Index count = in.index();
  std::vector<std::string> out;
  for (Index k = 0; in.good() && k < count; ++k) {
    const auto inner = apart(std::string(in.text())); // what was joined may be joined again
    if (!inner) return inner;
    out.insert(out.end(), inner->begin(), inner->end());
  }
  if (!in.done()) return damaged_state("answer");
  return out;
}

std::string digest_of(std::string_view bytes) {
  const auto digest = sha256(bytes);
  return {digest.begin(), digest.end()};
}

} // namespace recta::rounds
