// The steps of a fit and of a verification that all models which remember their rows share.
#pragma once

#include "driver/procedure.hpp"
#include "family/neighbours/body.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"

#include <type_traits>

namespace recta::neighbours {

struct Prepared {
  TrainingRows rows;
  Settings settings;
  IndexWord index;
  FitSummary summary;
};

// `params`: those of the model, with those of knn that it does not have.
Result<FirstPass> read_rows(Work& work, const Params& params); // missing numbers are no fault if the metric takes them
Result<Prepared> prepare(Work& work, const Params& params);    // drops parameters that play no part
Recall recall_of(const NeighbourBody& body, Pool& pool);       // of an approximate index; of any other, none
// The rows are the training rows, and the index finds what it says.
Result<Certificate> prove_memory(Work& work, const NeighbourBody& body);
// The summary that a fit by these parameters writes of the rows that it remembers, without figures of classes.
FitSummary summary_again(const NeighbourBody& body, const Params& params);
// Refutes a body whose graph, recall, units or settings are not those of the rows and the parameters.
Result<void> compare_memory(Work& work, const Params& params, const NeighbourBody& body, Certificate& certificate);
std::vector<FieldRule> memory_rules();

// Answer: the body, which is the memory or has one.
template <class Answer>
class MemorySteps : public Steps<Params, std::shared_ptr<const Answer>, Certified> {
protected:
  using Claim = std::shared_ptr<const Answer>;

  // The parameters of the model, with those of knn that it does not have.
  virtual Params all_params(const Params& params) const { return copied(params); }
  virtual std::string objective(const Answer& body) const = 0;
  virtual FitSummary figures(Work&, const Params& params, const Answer& body) const {
    return summary_again(memory_of(body), params);
  }
  // The claims of the model beyond its rows and their neighbours.
  virtual void prove_more(Work&, const Answer&, Certificate&) const {}

  Result<void> compare(Work& work, const Params& params, const Claim& body, Certified& judged) const override {
    return compare_memory(work, params, memory_of(*body), judged.certificate);
  }

private:
  static const NeighbourBody& memory_of(const Answer& body) {
    if constexpr (std::is_same_v<Answer, NeighbourBody>)
      return body;
    else
      return body.memory();
  }

  Result<void> admit(Work& work) const final {
    if (work.verifies()) return {};
    if (work.options().missing == Missing::skip) work.model.schema.missing = Missing::skip; // arrays have no schema
    return {};
  }
  Result<FirstPass> read(Work& work) const final { return read_rows(work, all_params(work.request.params)); }
  Result<Params> pose(Work& work) const final { return all_params(work.request.params); }
  Result<Claim> stated(Work& work, const Params&) const final { return stated_body<Answer>(work); }

  Result<Certified> prove(Work& work, const Params&, const Claim& body) const final {
    auto certificate = prove_memory(work, memory_of(*body));
    if (!certificate) return std::unexpected(certificate.error());
    prove_more(work, *body, *certificate);
    return Certified{*std::move(certificate)};
  }

  Result<void> describe(Work& work, const Params& params, const Claim& body, Certified&) const final {
    work.model.objective = objective(*body);
    if (work.verifies())
      work.figures = figures(work, params, *body);
    else
      work.model.body = body;
    return {};
  }
};

} // namespace recta::neighbours
