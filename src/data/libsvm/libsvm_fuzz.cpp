#include "data/fuzz_table.hpp"
#include "data/libsvm/libsvm.hpp"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  return recta::fuzz::check({data, size}, recta::read_libsvm, recta::stream_libsvm);
}
