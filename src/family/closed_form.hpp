// Classifiers whose numbers have a closed form in sums over the rows. A fit takes the sums in one or two passes, and
// the proof takes them again in another; the identity of the rows comes with the first of these passes.
#pragma once

#include "classes/training_fit.hpp"
#include "driver/procedure.hpp"
#include "family/converted.hpp"
#include "stats/pass.hpp"

namespace recta {

struct ClosedFormProof {
  Certificate certificate;
  ClassFit fit; // of the rows that the numbers were taken from
};

// The way a fit came by its numbers, and the rows that they are sums over.
struct ClosedFormFit {
  std::string solver, reason, objective;
  Index rows;
  const std::vector<double>& weight; // of each class
};
FitSummary summary_of(ClosedFormFit fit, const ClosedFormProof& proof, const FitOptions& options);

// The probabilities of the classes before a row is seen, as the parameters have them; an error if one is zero.
Result<std::vector<double>> positive_priors(const Work& work, const std::vector<double>& weight);
Result<void> compare_priors(const Work& work, const std::vector<double>& stated, const std::vector<double>& weight,
                            Certificate& certificate);

// `empty` gathers the sums of a proof. `judge(sums)`: the certificate, by all rows.
template <Accumulator Sums, class Judge>
Result<ClosedFormProof> prove_again(Work& work, const Body& body, Sums empty, std::string_view stage,
                                    const Judge& judge) {
  RowSource& source = work.rows.source;
  const auto pass = [&](auto sums) {
    return fresh_pass(source, std::move(sums), work.pool, work.watch(), {.stage = stage});
  };
  Both<Sums, TrainingFit> again{std::move(empty), TrainingFit(body, work.schema().classes)};
  if (work.verifies()) {
    auto both = pass(Both{std::move(again), RowFingerprint(source.cols(), source.targets())});
    if (!both) return std::unexpected(both.error());
    work.seen.fingerprint = std::move(both->second);
    if (auto same = check_identity(work); !same) return std::unexpected(same.error());
    again = std::move(both->first);
  } else {
    auto read = pass(std::move(again));
    if (!read) return std::unexpected(read.error());
    again = *std::move(read);
  }
  return ClosedFormProof{judge(again.first), again.second.figures()};
}

// Body: is made of its summary and of what was learned; or of its summary and of another one that learned the same.
template <class Settings, class BodyOf>
class ClosedForm : public Steps<Settings, std::shared_ptr<const BodyOf>, ClosedFormProof> {
protected:
  using Draft = std::shared_ptr<const BodyOf>; // without the figures that the proof finds

  bool reads_first() const final { return false; }
  Result<void> admit(Work& work) const override {
    if (work.verifies() && work.stated->is_linear()) return converted_model(work.model.word);
    return {};
  }
  Result<Draft> stated(Work& work, const Settings&) const final { return stated_body<BodyOf>(work); }

  virtual ClosedFormFit told(const Work& work, const BodyOf& body) const = 0;

  Result<void> describe(Work& work, const Settings&, const Draft& draft, ClosedFormProof& proof) const final {
    ClosedFormFit told = this->told(work, *draft);
    work.model.objective = std::move(told.objective);
    work.figures = summary_of(std::move(told), proof, work.options());
    if (work.verifies()) return {};
    short_of_proof(work.model.certificate);
    work.model.body = std::make_shared<const BodyOf>(*work.figures, *draft);
    return {};
  }
};

} // namespace recta
