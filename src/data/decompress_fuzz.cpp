// The first byte chooses the format; what expands is read in small pieces, twice, and must be the same bytes.
#include "data/decompress.hpp"
#include "data/fuzz_table.hpp"

#include <string>

namespace {

using namespace recta;

std::string expanded(Input& input, bool& good) {
  std::string all;
  char piece[100];
  while (good) {
    const auto size = input.read(piece);
    good = size.has_value();
    if (!good || *size == 0) break;
    all.append(piece, *size);
  }
  return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  if (size == 0) return 0;
  auto packed = std::make_unique<fuzz::MemoryInput>(std::string_view(data + 1, size - 1));
  auto options = fuzz::options();
  options.max_expansion = 10;
  const auto input = data[0] & 1 ? gzip_input(std::move(packed), options) : zstd_input(std::move(packed), options);
  bool first_good = true, second_good = true;
  const std::string first = expanded(*input, first_good);
  fuzz::require(input->rewind().has_value());
  const std::string second = expanded(*input, second_good);
  fuzz::require(first_good == second_good && first == second);
  return 0;
}
