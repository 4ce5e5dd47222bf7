// Each kind of layer as SVG elements, in the coordinates of the plane: x to the right, y down from its upper edge.
#pragma once

#include "plot/frame.hpp"

namespace recta::plot {

bool drawable(const Layer& layer, const Frame& frame); // has a point that can be shown
void write_layer(std::string& out, const Layer& layer, const Frame& frame);
void write_words(std::string& out, const Layer& layer, const Frame& frame); // of a mark or a rule, above all layers
void write_names(std::string& out, const std::vector<Layer>& layers, const Frame& frame); // at the ends of the lines

} // namespace recta::plot
