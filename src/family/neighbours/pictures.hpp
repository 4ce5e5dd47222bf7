// Pictures that models by nearest neighbours have beside those of all models.
#pragma once

#include "family/neighbours/body.hpp"

#include <recta/plot.hpp>

namespace recta::neighbours {

std::vector<plot::PictureInfo> pictures();
Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data);

// A model whose features are two columns of numbers, and the rows it remembers in their plane.
struct PlaneOfRows {
  const NeighbourBody& body;
  const Model& model;
  double left = 0, right = 0, bottom = 0, top = 0; // of the rows, with a little room around them
  double x(Index row) const { return body.rows().x[at(2 * row)]; }
  double y(Index row) const { return body.rows().x[at(2 * row + 1)]; }
};
Result<PlaneOfRows> plane_of(const std::string& kind, const Model& model);
// The empty picture of the plane, and the remembered rows in it, class by class.
plot::Picture framed(const PlaneOfRows& plane);
void add_rows(const PlaneOfRows& plane, plot::Picture& picture);

// "voronoi": the cell of a row is where it is the nearest, for k = 1.
Result<plot::Picture> voronoi_picture(const Model& model);
// "neighbours": the training rows that answer for the first row of the data.
Result<plot::Picture> neighbours_picture(const Model& model, const Dataset& data);
// "errors-over-k": the error in training, of rows left out, and of other rows, for every k.
Result<plot::Picture> errors_picture(const Model& model, const Dataset& data);
// "concentration": how much nearer than the others the nearest row is, over the number of columns.
Result<plot::Picture> concentration_picture(const Model& model);

} // namespace recta::neighbours
