// A loss chosen at run time, evaluated for many rows at a time: the interface that statistics, solvers and certificates
// use.
#pragma once

#include "loss/model.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace recta::loss {

struct LossRows {
  Index count = 0;
  const double *y = nullptr, *z = nullptr;
  const double* v = nullptr;   // weights
  const double* off = nullptr; // how far the exact z can be from these, or y - z if the loss depends on it alone
};

class RowLoss {
public:
  virtual ~RowLoss() = default;

  virtual bool by_residual() const = 0; // the loss depends on y - z alone
  virtual bool log_link() const = 0;    // the mean of y is exp(z)
  virtual bool curved() const = 0;      // it has second derivatives nearly everywhere, some of them positive
  virtual bool runs_away() const = 0;   // it may fall for ever in one direction, towards a bound that it never reaches

  virtual double total(const LossRows& rows) const = 0; // sum v loss
  // Returns the sum, and writes loss'(y, z) and loss''(y, z) of every row, without its weight. If there is no
  // derivative, it writes one of the slopes, and zero for the curvature.
  virtual double slopes(const LossRows& rows, double* d, double* c) const = 0;
  // Takes a share of c from a parabola that touches the loss from above, since loss'' may be zero. Losses whose
  // curvature is positive everywhere leave c as it is.
  virtual void mix_majorant(const LossRows& rows, double share, double* c) const = 0;

  virtual double nearest(double y, double d) const = 0; // in the domain of the conjugate
  // Whether d is so near the edge of the domain that it must not be moved; d is put onto the edge if that costs no more
  // than `spare`.
  virtual bool at_edge(double y, double z, double spare, double& d) const = 0;
  // gap = fenchel_young(y, z, d) as computed; worst: an upper bound on the exact one for every d within `move` and z
  // within `off`, infinite if d may leave the domain. It is convex in d, so the ends are enough.
  virtual void gaps(const LossRows& rows, const double* d, const double* move, double* gap, double* worst) const = 0;
  virtual double total_at_most(const LossRows& rows) const = 0; // upper bound on sum v loss over every z within `off`
};

// At a parameter and a scale, if the loss has them. The word must be that of a loss model or of losses_of_scores().
std::unique_ptr<const RowLoss> row_loss(std::string_view word, double parameter, double scale = 1);

// The words of the curved losses of labels, or of numbers, that scores predict without a link.
std::vector<std::string> losses_of_scores(bool labels);

// The pieces of a loss made of straight lines, or of one that is so in the limit of scale zero.
std::vector<Piece> pieces(std::string_view word, double parameter);

} // namespace recta::loss
