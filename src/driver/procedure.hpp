// The way from rows to a model of a family, and from a model back to its rows. A family supplies the steps; the driver,
// here, takes them in their order:
//
//   a fit            admit, read, pose, solve, prove, another, describe
//   a verification   admit, read, pose, stated, prove, describe, compare
//
// Both go through the same proof and the same description, so that a fit says of itself what a verification finds. What
// a step found is not changed by a later one, and what `solve` held is gone before the answer is judged.
#pragma once

#include "driver/work.hpp"

#include <recta/model.hpp>

#include <optional>

namespace recta {

class Procedure {
public:
  virtual ~Procedure() = default;
  virtual Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const = 0;
  // A fit from merged statistics, without the rows. Refused unless it can do without them.
  virtual Result<Model> fit_seen(const Request& request, Schema schema, const Rows& rows, FirstPass seen,
                                 const Clock& clock) const;
  virtual Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const = 0;
};

// Problem: what is to be solved, from the request and the rows, the same in a fit and in a verification.
// Claim: what a solver found, or what a model states.
// Judged: what the proof says of a claim, with its `certificate`.
template <class Problem, class Claim, class Judged>
class Steps : public Procedure {
public:
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const final {
    Work work(request, std::move(schema), rows, clock);
    if (auto good = begin(work); !good) return std::unexpected(good.error());
    return conclude(work);
  }

  Result<Model> fit_seen(const Request& request, Schema schema, const Rows& rows, FirstPass seen,
                         const Clock& clock) const final {
    if (!takes_statistics()) return Procedure::fit_seen(request, std::move(schema), rows, std::move(seen), clock);
    Work work(request, std::move(schema), rows, clock);
    work.seen = std::move(seen);
    if (auto good = check_rows(work.seen, work.schema(), rows); !good) return std::unexpected(good.error());
    return conclude(work);
  }

  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const final {
    Work work(model, rows, clock);
    if (auto good = begin(work); !good) return std::unexpected(good.error());
    auto problem = pose(work);
    if (!problem) return std::unexpected(problem.error());
    auto claim = stated(work, *problem);
    if (!claim) return std::unexpected(claim.error());
    auto judged = prove(work, *problem, *claim);
    if (!judged) return std::unexpected(judged.error());
    if (!reads_first())
      if (auto same = check_identity(work); !same) return std::unexpected(same.error());
    if (auto done = described(work, *problem, *claim, *judged); !done) return std::unexpected(done.error());
    judged->certificate = compared(work);
    if (auto done = compare(work, *problem, *claim, *judged); !done) return std::unexpected(done.error());
    return std::move(judged->certificate);
  }

protected:
  // Checks made before the rows are read, which may take long. The request and the schema may be completed.
  virtual Result<void> admit(Work&) const { return {}; }
  // The first pass: the identity of the rows, and what else is wanted of all of them.
  virtual Result<FirstPass> read(Work& work) const { return first_pass(work, {}); }
  // False: `solve` and `prove` take the identity of the rows from passes of their own, and put it into `work.seen`.
  virtual bool reads_first() const { return true; }
  // Whether a first pass by others is enough, in place of the rows.
  virtual bool takes_statistics() const { return false; }

  virtual Result<Problem> pose(Work& work) const = 0;
  virtual Result<Claim> solve(Work& work, const Problem& problem) const = 0;
  virtual Result<Claim> stated(Work& work, const Problem& problem) const = 0; // by the model that is verified
  virtual Result<Judged> prove(Work& work, const Problem& problem, const Claim& claim) const = 0;
  // Another answer to be judged beside the best so far, which may not be proved, after so many of them; none: there is
  // no other way. The better one is kept.
  virtual Result<std::optional<Claim>> another(Work&, const Problem&, const Claim&, const Judged&, int) const {
    return std::optional<Claim>();
  }
  // The body of the model, its objective if it is not that of the word, and what else is said beside the proof. In a
  // verification the figures of a body that is not linear are enough.
  virtual Result<void> describe(Work& work, const Problem& problem, const Claim& claim, Judged& judged) const = 0;
  // Compares the statements of the verified model beyond its figures with what the rows and the parameters give.
  virtual Result<void> compare(Work&, const Problem&, const Claim&, Judged&) const { return {}; }

private:
  Result<void> begin(Work& work) const {
    if (auto good = admit(work); !good) return good;
    if (auto good = check_shape(work); !good) return good;
    if (!reads_first()) return {};
    auto seen = read(work);
    if (!seen) return std::unexpected(seen.error());
    work.seen = *std::move(seen);
    return check_read(work);
  }

  Result<Model> conclude(Work& work) const {
    auto problem = pose(work);
    if (!problem) return std::unexpected(problem.error());
    auto claim = solve(work, *problem);
    if (!claim) return std::unexpected(claim.error());
    auto judged = prove(work, *problem, *claim);
    if (!judged) return std::unexpected(judged.error());
    if (auto done = try_others(work, *problem, *claim, *judged); !done) return std::unexpected(done.error());
    if (auto done = described(work, *problem, *claim, *judged); !done) return std::unexpected(done.error());
    return finished(work);
  }

  Result<void> try_others(Work& work, const Problem& problem, Claim& best, Judged& judged) const {
    for (int tried = 0;; ++tried) {
      auto other = another(work, problem, best, judged, tried);
      if (!other) return std::unexpected(other.error());
      if (!*other) return {};
      auto other_checked = prove(work, problem, **other);
      if (!other_checked) return std::unexpected(other_checked.error());
      if (!is_better(other_checked->certificate, judged.certificate)) continue;
      best = **std::move(other);
      judged = *std::move(other_checked);
    }
  }

  Result<void> described(Work& work, const Problem& problem, const Claim& claim, Judged& judged) const {
    work.model.certificate = std::move(judged.certificate);
    return describe(work, problem, claim, judged);
  }
};

} // namespace recta
