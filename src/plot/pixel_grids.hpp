// Numbers of a model's columns as pictures of pixels, one per class: columns that are the pixels of a square, row by
// row from the top.
#pragma once

#include <recta/plot.hpp>

namespace recta::plot {

inline PictureInfo pixels_info() {
  return {"pixels", "what each class expects of columns that are the pixels of a square, row by row from the top"};
}

// `expected`: classes times columns.
Result<Picture> pixel_picture(const Model& model, const std::vector<double>& expected);

} // namespace recta::plot
