// Any bytes are a model or an error; what was read can be written and read again. The input is tried as it is and with
// its checksum made right, so that the fuzzer reaches the reader behind it.
#include "model_file/example_model.hpp"

#include <cstddef>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string& input : {bytes, recta::with_checksum(bytes)}) {
    const auto model = recta::Model::from_bytes(input, "fuzz");
    if (!model) continue;
    const std::string again = model->to_bytes();
    const auto second = recta::Model::from_bytes(again, "fuzz");
    if (!second || second->to_bytes() != again) std::abort();
  }
  return 0;
}
