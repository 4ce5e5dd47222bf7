// Pictures of naive Bayes: densities of Gaussian columns, words of each class, pixels that a class expects.
#pragma once

#include <recta/plot.hpp>

namespace recta::naive_bayes {

std::vector<plot::PictureInfo> pictures();
Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data);

} // namespace recta::naive_bayes
