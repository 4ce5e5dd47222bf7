// Terms of graphs, so that linear models have the features of the graph kernels: counts of these terms have the same
// inner products as graph:wl and graph:shortest-path.
//
//   graph_wl             "0:C", "1:(C,H,N)", ...: the label of a node after every round, its own and the sorted ones
//                        around it; a name of more than 60 bytes is written as 32 digits of its SHA-256
//   graph_shortest_path  "(C,N):2": the labels of two nodes and the steps between them
//
// Within a name \ stands before each of \ ( ) , : that is part of a label.
#pragma once

#include "text/find_terms.hpp"

namespace recta::text {

// What is wrong with the document; empty: it is a graph whose terms can be found.
std::string graph_fault(std::string_view document, TermUnit unit);

// Writes the terms into the buffer, each distinct one once; `begin` and `end` have a place for every occurrence.
void read_graph_terms(std::string_view document, TermUnit unit, Index rounds, TermScratch& scratch);

} // namespace recta::text
