#include "data/fuzz_table.hpp"
#include "data/npy/npy.hpp"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  return recta::fuzz::check({data, size}, recta::read_npy, recta::stream_npy);
}
