#include "data/fuzz_table.hpp"
#include "data/jsonl/jsonl.hpp"

namespace {

recta::Result<recta::Dataset> read(std::string_view bytes, const std::string& source,
                                   const recta::ReadOptions& options) {
  return recta::read_jsonl(recta::Bytes::borrowed(bytes), source, options);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  return recta::fuzz::check({data, size}, read, recta::stream_jsonl);
}
