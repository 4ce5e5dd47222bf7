// The tensors of the index hnsw, so that a model that is read need not build it again.
#pragma once

#include "certificate/neighbours/recall.hpp"
#include "model_file/field_reader.hpp"
#include "solver/neighbours/hnsw/hnsw.hpp"

namespace recta::neighbours {

struct StoredGraph {
  GraphOptions options;
  GraphParts parts; // of an earlier format: the graph alone
  Recall recall;
};

void write_graph(TensorWriter& out, const GraphOptions& options, const GraphParts& parts, const Recall& recall);
StoredGraph read_graph(FieldReader& in, Index rows, Index cols);

} // namespace recta::neighbours
