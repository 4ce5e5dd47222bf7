// The tensors of the trees, so that a large model that is read need not build one again.
#pragma once

#include "model_file/field_reader.hpp"
#include "solver/neighbours/search.hpp"

namespace recta::neighbours {

void write_tree(TensorWriter& out, const TreeParts& tree, Index cols);
// Nothing if the file has no tree, or one of another layout than this version builds.
std::optional<TreeParts> read_tree(FieldReader& in, IndexWord index, Index rows, Index cols);

} // namespace recta::neighbours
