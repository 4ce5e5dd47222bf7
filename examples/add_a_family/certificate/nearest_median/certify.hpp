// The proof of class medians: no more than half of a class's weight lies below its median, and no more than half above,
// in every column. Rows are counted in a fresh pass, and nothing of the solver is used.
#pragma once

#include "design/row_source.hpp"

#include <recta/certificate.hpp>
#include <recta/model.hpp>

namespace recta {

struct MediansClaim {
  const std::vector<std::vector<double>>& of_class; // classes x columns
  const Classes& classes;
  double tolerance = 0;
};

struct MediansChecked {
  Certificate certificate;
  Index rows = 0;
  double weight = 0;
};
Result<MediansChecked> certify(const MediansClaim& claim, RowSource& rows);

} // namespace recta
