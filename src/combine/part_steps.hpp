// The steps of a model that is made of others, each fitted through the family of its word and verified so.
#pragma once

#include "combine/part_schema.hpp"
#include "family/family.hpp"
#include "params/given_params.hpp"
#include "params/params.hpp"

#include <fmt/format.h>

namespace recta::combine {

// A part of the model that is verified, held against its rows.
inline Result<Certificate> verified_part(const Model& part, const Schema& by_rows, const Rows& rows,
                                         const Clock& clock) {
  std::optional<Model> room;
  auto certificate = family_of(part.word).verify(with_all_params(part, room), rows, clock);
  if (certificate) compare_part_schema(part.schema, by_rows, *certificate);
  return certificate;
}

inline std::vector<Certificate> certificates_of(std::span<const Model> parts) {
  std::vector<Certificate> out;
  for (const Model& part : parts) out.push_back(part.certificate);
  return out;
}

// BodyOf: made of parts. A draft of it is not judged as a whole.
template <class Problem, class BodyOf, class Proof>
class PartSteps : public Steps<Problem, std::shared_ptr<const BodyOf>, Proof> {
protected:
  using Draft = std::shared_ptr<const BodyOf>;

  virtual std::string_view part() const = 0; // in a word
  Result<void> admit(Work& work) const final {
    if (work.verifies() || !work.rows.single_pass) return {};
    return refuse(work.rows.name, fmt::format("every {} reads the rows again, and these can be read only once", part()),
                  "save them to a file first");
  }
  Result<FirstPass> read(Work& work) const final { return first_pass(work, {}); }
  Result<Draft> stated(Work& work, const Problem&) const final { return stated_body<BodyOf>(work); }
};

} // namespace recta::combine
