// Any bytes are a model of libsvm or liblinear or an error; what was read can be written and read again as the same
// bytes, and becomes a model of Recta or is refused.
#include <recta/foreign.hpp>

#include <cstddef>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model = recta::parse_foreign({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!model) return 0;
  const std::string text = recta::foreign_text(*model);
  const auto again = recta::parse_foreign(text, "fuzz");
  if (!again || recta::foreign_text(*again) != text) std::abort();
  if (model->last_feature() < 10'000) (void)recta::to_recta(*model);
  return 0;
}
