// One fit, or one model that is held against its rows: what its steps are given and what they find.
#pragma once

#include "base/pool.hpp"
#include "driver/task_rows.hpp"

namespace recta {

struct Work {
  Work(const Request& asked, Schema schema, const Rows& rows, const Clock& clock); // a fit
  Work(const Model& stated, const Rows& rows, const Clock& clock);                 // a verification
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  const FitOptions& options() const { return *request.options; }
  const Schema& schema() const { return model.schema; }
  Watch watch() const { return clock.watch(); }
  TaskRows task_rows() { return {model.schema, rows, pool, clock}; }
  bool verifies() const { return stated != nullptr; }

  const Model* stated; // that is held against its rows; none in a fit
private:
  FitOptions stated_options_;

public:
  Request request; // its parameters become those of the model; of a verification: what the model was asked for
  Model model;     // begins with its word, its schema and the objective of its word; the steps say the rest
  const Rows& rows;
  const Clock& clock;
  Pool pool;
  FirstPass seen;                    // once the rows were read
  std::optional<FitSummary> figures; // of a verified model that is not linear, as the rows give them
};

// The body of the model that is verified; an error if it is of another kind.
template <class Body>
Result<std::shared_ptr<const Body>> stated_body(const Work& work) {
  if (const auto* body = dynamic_cast<const Body*>(work.stated->body.get()))
    return std::shared_ptr<const Body>(std::shared_ptr<void>(), body);
  return fail(ErrorCode::bad_model_file, "model", "its body is not that of a model of its word", "fit it again");
}

// A body as a search left it, or as the model that is verified states it, and how the search ended.
template <class Body>
struct Draft {
  std::shared_ptr<const Body> body;
  Stop stop = {};
  bool ended_early = false, gave_up = false; // stopped, or limited; it came no nearer
  Index passes = 0;                          // over the rows, if they are not held
};

template <class Body>
Result<Draft<Body>> stated_search(const Work& work) {
  auto body = stated_body<Body>(work);
  if (!body) return std::unexpected(body.error());
  const Certificate& certificate = work.stated->certificate;
  return Draft<Body>{*std::move(body), certificate.stop, certificate.verdict == Verdict::stopped_early};
}

// A proof that finds no figures beside its certificate.
struct Certified {
  Certificate certificate;
};

// The identity of the rows and `wanted` of them.
Result<FirstPass> first_pass(Work& work, GramWanted wanted);
Result<FirstPass> first_pass_with_sums(Work& work);

// The steps between those of a family. In a verification the rows must have the features and targets of the model.
Result<void> check_shape(const Work& work);
// Rows that were read are fit for a fit, or those of the model that is verified; they are at their beginning again.
Result<void> check_read(Work& work);
// An error unless these are the rows of the model that is verified.
Result<void> check_identity(const Work& work);
// Whether an answer with certificate `later` is to be kept in place of one with `earlier`.
bool is_better(const Certificate& later, const Certificate& earlier);
// The model of a fit, with its parameters and the identity of its rows.
Model finished(Work& work);
// Holds what the verified model states of its fit against what its rows gave, and refutes what differs.
Certificate compared(Work& work);

} // namespace recta
