#include "data/arff/arff.hpp"
#include "data/fuzz_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  return recta::fuzz::check({data, size}, recta::read_arff, recta::stream_arff);
}
