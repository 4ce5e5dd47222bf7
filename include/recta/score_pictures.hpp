// Curves of several models on the same rows, in one picture.
#pragma once

#include <recta/scores.hpp>

namespace recta {

struct JudgedModel {
  std::string name; // in the legend
  JudgedRows rows;
};

// "roc", "pr", "calibration" or "lift". An error unless all models have the same target and classes.
Result<plot::Picture> score_picture(const std::vector<JudgedModel>& models, const std::string& kind);

} // namespace recta
