#include "combine/parts_file.hpp"

#include "model_file/tensor_file.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::combine {

void write_parts(TensorWriter& out, std::span<const Model> parts) {
  std::vector<std::uint8_t> bytes;
  std::vector<Index> start = {0};
  for (const Model& part : parts) {
    const std::string part_bytes = part.to_bytes();
    bytes.insert(bytes.end(), part_bytes.begin(), part_bytes.end());
    start.push_back(std::ssize(bytes));
  }
  out.add("parts.start", start, {std::ssize(start)});
  out.add("parts.bytes", bytes, {std::ssize(bytes)});
}

Result<std::vector<Model>> read_parts(FieldReader& in, const std::function<bool(const Model&, std::size_t)>& fits,
                                      const std::string& what) {
  const auto start = in.counts("parts.start");
  const auto bytes = in.codes("parts.bytes");
  in.require(!start.empty() && start.front() == 0 && start.back() == std::ssize(bytes) && std::ranges::is_sorted(start),
             "its parts are not where they should be");
  std::vector<Model> parts;
  for (std::size_t p = 0; in.ok() && p + 1 < start.size(); ++p) {
    const auto* first = reinterpret_cast<const char*>(bytes.data()) + start[p];
    auto part =
        Model::from_bytes({first, static_cast<std::size_t>(start[p + 1] - start[p])}, fmt::format("part {}", p + 1));
    if (!part) return std::unexpected(part.error());
    in.require(fits(*part, p), what);
    parts.push_back(*std::move(part));
  }
  if (!in.ok()) return in.error();
  return parts;
}

} // namespace recta::combine
