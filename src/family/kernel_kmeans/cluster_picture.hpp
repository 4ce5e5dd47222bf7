#pragma once

#include <recta/plot.hpp>

namespace recta::kernel_kmeans {

// "clusters": where a new row would belong, over two columns, and the rows of the data.
Result<plot::Picture> cluster_picture(const Model& model, const Dataset& data);

} // namespace recta::kernel_kmeans
