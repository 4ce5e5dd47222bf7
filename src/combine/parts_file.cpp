#include "combine/parts_file.hpp"

#include "model_file/tensor_file.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::combine {

void write_parts(TensorWriter& out, std::span<const Model> parts) {
  std::vector<std::uint8_t> bytes;
  std::vector<Index> start = {0};
  for (const Model& part : parts) {
    if (out.has_names_only()) break; // the parts have names of their own
    const std::string part_bytes = part.to_bytes();
    bytes.insert(bytes.end(), part_bytes.begin(), part_bytes.end());
    start.push_back(std::ssize(bytes));
  }
  out.add("parts.start", start, {std::ssize(start)});
  out.add("parts.bytes", bytes, {std::ssize(bytes)});
}

Result<Model> read_part(std::string_view bytes, std::size_t p, Unseen of_the_whole) {
  const std::string name = fmt::format("part {}", p + 1);
  auto part = Model::from_bytes(bytes, name);
  if (!part || of_the_whole == Unseen::refuse || part->schema.unseen == of_the_whole) return part;
  part->schema.unseen = of_the_whole;
  return Model::from_bytes(part->to_bytes(), name);
}

Result<std::vector<Model>> read_parts(FieldReader& in, Unseen of_the_whole,
                                      const std::function<bool(const Model&, std::size_t)>& fits,
                                      const std::string& what) {
  const auto start = in.counts("parts.start");
  const auto bytes = in.codes("parts.bytes");
  in.require(!start.empty() && start.front() == 0 && start.back() == std::ssize(bytes) && std::ranges::is_sorted(start),
             "its parts are not where they should be");
  std::vector<Model> parts;
  for (std::size_t p = 0; in.ok() && p + 1 < start.size(); ++p) {
    const auto* first = reinterpret_cast<const char*>(bytes.data()) + start[p];
    auto part = read_part({first, static_cast<std::size_t>(start[p + 1] - start[p])}, p, of_the_whole);
    if (!part) return std::unexpected(part.error());
    in.require(fits(*part, p), what);
    parts.push_back(*std::move(part));
  }
  if (!in.ok()) return in.error();
  return parts;
}

} // namespace recta::combine
