#include "model_file/tensor_file.hpp"

#include "base/checked_pieces.hpp"
#include "base/sha256.hpp"
#include "model_file/json.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace recta {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied as they lie in memory");

constexpr std::string_view kNames[] = {"F64", "I64", "F32", "U32", "U8"};
constexpr std::uint64_t kSizes[] = {8, 8, 4, 4, 1};
constexpr std::uint64_t kDigest = CheckedPieces::kDigest;
constexpr std::uint64_t kLine = 64; // bytes of a cache line
constexpr std::string_view kWhole = "sha256", kRest = "sha256.rest", kOfPieces = ".sha256";

std::unexpected<Error> refuse(const std::string& source, const std::string& what, const std::string& advice = {}) {
  return fail(ErrorCode::bad_model_file, source, what, advice);
}

std::unexpected<Error> damaged(const std::string& source, const std::string& what) {
  return std::unexpected(damaged_file(source, what));
}

std::string_view as_chars(const void* bytes, std::size_t size) {
  return {static_cast<const char*>(bytes), size};
}

// A list of non-negative integers, or nothing.
bool read_counts(const JsonObject& entry, std::string_view key, std::vector<Index>& counts) {
  const auto counts_entry = entry.find(key);
  const JsonArray* array = counts_entry == entry.end() ? nullptr : counts_entry->second.as<JsonArray>();
  if (!array) return false;
  for (const Json& item : *array) {
    const Index* count = item.as<Index>();
    if (!count || *count < 0) return false;
    counts.push_back(*count);
  }
  return true;
}

// Bytes that dtype and shape ask for, or a number larger than any file.
std::uint64_t bytes_needed(Dtype dtype, const std::vector<Index>& shape) {
  std::uint64_t size = kSizes[static_cast<int>(dtype)];
  for (const Index extent : shape)
    if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(extent), &size)) return ~std::uint64_t{0};
  return size;
}

struct Entry {
  Index begin = 0, end = 0;
  Tensor tensor;
};

// Reads one member of the header; the error is the reason in words.
std::expected<Entry, std::string> read_entry(const Json& json, std::string_view data) {
  const JsonObject* object = json.as<JsonObject>();
  if (!object) return std::unexpected("has no description");
  Entry entry;
  const auto dtype = object->find("dtype");
  const std::string* word = dtype == object->end() ? nullptr : dtype->second.as<std::string>();
  const auto known = word ? std::ranges::find(kNames, *word) : std::end(kNames);
  if (known == std::end(kNames)) return std::unexpected("has a type that model files do not use");
  entry.tensor.dtype = static_cast<Dtype>(known - std::begin(kNames));
  std::vector<Index> offsets;
  if (!read_counts(*object, "shape", entry.tensor.shape)) return std::unexpected("has no valid shape");
  if (!read_counts(*object, "data_offsets", offsets) || offsets.size() != 2 || offsets[0] > offsets[1] ||
      static_cast<std::uint64_t>(offsets[1]) > data.size())
    return std::unexpected("does not lie inside the file");
  entry.begin = offsets[0];
  entry.end = offsets[1];
  const auto size = static_cast<std::uint64_t>(entry.end - entry.begin);
  if (bytes_needed(entry.tensor.dtype, entry.tensor.shape) != size)
    return std::unexpected("has a shape that does not fit its length");
  entry.tensor.bytes = data.substr(static_cast<std::size_t>(entry.begin), size);
  return entry;
}

// Tensors must follow one another without gaps or overlaps, from the header's end to the file's.
Result<void> check_layout(std::vector<std::pair<Index, Index>> ranges, std::uint64_t size, const std::string& source) {
  std::ranges::sort(ranges);
  Index end = 0;
  for (const auto& [from, to] : ranges) {
    if (from != end) return damaged(source, "its tensors overlap or leave gaps");
    end = to;
  }
  if (static_cast<std::uint64_t>(end) != size) return damaged(source, "bytes after its last tensor");
  return {};
}

// The digest of this name, which ends at `end`.
Result<std::string_view> digest_at(const TensorFile& file, std::string_view name, const char* end,
                                   const std::string& source) {
  const Tensor& digest = file.tensors.find(name)->second;
  if (digest.dtype != Dtype::u8 || digest.bytes.size() != kDigest || digest.bytes.data() + kDigest != end)
    return damaged(source, "\"" + std::string(name) + "\" is not " +
                               (name == kWhole ? "its last 32 bytes" : "the 32 bytes before \"sha256\""));
  return digest.bytes;
}

// Takes digests to the tensors they are of.
Result<void> find_digests(TensorFile& file, const std::string& source) {
  for (const auto& [name, digests] : file.tensors) {
    if (name.size() <= kOfPieces.size() || !name.ends_with(kOfPieces)) continue;
    const auto of = file.tensors.find(std::string_view(name).substr(0, name.size() - kOfPieces.size()));
    if (of == file.tensors.end() || of->first.ends_with(kOfPieces) || of->first == kWhole ||
        digests.dtype != Dtype::u8 || digests.bytes.size() != kDigest * CheckedPieces::count(of->second.bytes.size()))
      return damaged(source, "\"" + name + "\" does not have one digest per piece of a tensor");
    of->second.digests = digests.bytes;
  }
  return {};
}

// All bytes before `end`, without those of tensors that have digests.
Sha256::Digest digest_of_rest(const TensorFile& file, std::string_view bytes, const char* end) {
  std::map<const char*, std::string_view> left_out; // in the order of the file
  for (const auto& [name, tensor] : file.tensors)
    if (!tensor.digests.empty()) left_out[tensor.bytes.data()] = tensor.bytes;
  Sha256 hash;
  const char* from = bytes.data();
  for (const auto& [begin, tensor] : left_out) {
    hash.add(from, static_cast<std::size_t>(begin - from));
    from = begin + tensor.size();
  }
  hash.add(from, static_cast<std::size_t>(end - from));
  return hash.finish();
}

Result<void> check_digests(TensorFile& file, std::string_view bytes, const std::string& source) {
  if (!file.tensors.contains(kWhole))
    return refuse(source, "this is not a model file of Recta: it has no tensor \"sha256\"");
  const char* end = bytes.data() + bytes.size();
  const auto whole = digest_at(file, kWhole, end, source);
  if (!whole) return std::unexpected(whole.error());
  if (auto good = find_digests(file, source); !good) return good;
  if (file.checksums == Checksums::just_computed) return {};
  std::string_view stated = *whole;
  Sha256::Digest actual;
  if (file.mapping && file.tensors.contains(kRest)) {
    const auto rest = digest_at(file, kRest, end - kDigest, source);
    if (!rest) return std::unexpected(rest.error());
    stated = *rest;
    actual = digest_of_rest(file, bytes, stated.data());
  } else {
    actual = sha256(bytes.substr(0, bytes.size() - kDigest));
    file.mapping = nullptr;
  }
  if (as_chars(actual.data(), actual.size()) != stated)
    return damaged(source, "its bytes do not have the checksum it states");
  return {};
}

Result<void> read_metadata(const Json& json, TensorFile& file, const std::string& source) {
  const JsonObject* object = json.as<JsonObject>();
  if (!object) return damaged(source, "__metadata__ is not an object");
  for (const auto& [key, value] : *object)
    if (!value.as<std::string>()) return damaged(source, "the metadata \"" + key + "\" is not text");
  if (const auto recta_entry = object->find("recta"); recta_entry != object->end())
    file.metadata = *recta_entry->second.as<std::string>();
  return {};
}

} // namespace

Error damaged_file(const std::string& source, const std::string& what) {
  return refuse(source, "damaged model file: " + what, "fit the model again or take another copy of the file").error();
}

void TensorWriter::add_bytes(const std::string& name, Dtype dtype, Shape shape, const void* bytes, std::size_t size,
                             bool with_digests) {
  auto& parts = dtype == Dtype::u8 ? narrow_ : kSizes[static_cast<int>(dtype)] == 8 ? wide_ : middle_;
  if (names_only_) {
    parts.push_back({name, dtype, std::move(shape), {}});
    return;
  }
  if (!with_digests) {
    parts.push_back({name, dtype, std::move(shape), std::string(as_chars(bytes, size))});
    return;
  }
  parts.push_back({name, dtype, std::move(shape), {}, as_chars(bytes, size)});
  const std::string digests = CheckedPieces::digests_of(as_chars(bytes, size));
  add_bytes(name + std::string(kOfPieces), Dtype::u8, {std::ssize(digests) / Index{kDigest}, Index{kDigest}},
            digests.data(), digests.size());
}

void TensorWriter::add(const std::string& name, std::span<const double> values, Shape shape) {
  add_bytes(name, Dtype::f64, std::move(shape), values.data(), values.size_bytes());
}
void TensorWriter::add(const std::string& name, std::span<const Index> values, Shape shape) {
  add_bytes(name, Dtype::i64, std::move(shape), values.data(), values.size_bytes());
}
void TensorWriter::add(const std::string& name, std::span<const std::uint8_t> values, Shape shape) {
  add_bytes(name, Dtype::u8, std::move(shape), values.data(), values.size_bytes());
}

void TensorWriter::add(const std::string& name, const std::vector<std::string>& strings) {
  if (strings.empty()) return;
  std::string text;
  std::vector<Index> start{0};
  for (const std::string& item : strings) {
    text += item;
    start.push_back(std::ssize(text));
  }
  add(name + ".start", start, {std::ssize(start)});
  add_bytes(name + ".text", Dtype::u8, {std::ssize(text)}, text.data(), text.size());
}

std::vector<std::string> TensorWriter::names() const {
  std::vector<std::string> out;
  each_part([&](const Part& part) { out.push_back(part.name); });
  return out;
}

bool TensorWriter::has(const std::string& name, const Tensor& tensor) const {
  bool found = false;
  each_part([&](const Part& part) {
    found = found || (part.name == name && part.dtype == tensor.dtype && part.shape == tensor.shape &&
                      part.bytes() == tensor.bytes);
  });
  return found;
}

std::string TensorWriter::finish(const std::string& metadata) const {
  JsonObject header;
  Index at = 0;
  const auto describe = [&](const std::string& name, Dtype dtype, const Shape& shape, std::size_t size) {
    JsonArray extents;
    for (const Index extent : shape) extents.push_back({extent});
    const Index end = at + static_cast<Index>(size);
    header[name] = {JsonObject{{"dtype", {std::string(kNames[static_cast<int>(dtype)])}},
                               {"shape", {std::move(extents)}},
                               {"data_offsets", {JsonArray{{at}, {end}}}}}};
    at = end;
  };
  header["__metadata__"] = {JsonObject{{"recta", {metadata}}}};
  bool some_have_digests = false;
  std::uint64_t floats = 0; // where the first large tensor of these begins
  each_part([&](const Part& part) {
    if (floats == 0 && part.has_digests() && part.dtype == Dtype::f32) floats = static_cast<std::uint64_t>(at);
    describe(part.name, part.dtype, part.shape, part.bytes().size());
    some_have_digests = some_have_digests || part.has_digests();
  });
  if (some_have_digests) describe(std::string(kRest), Dtype::u8, {Index{kDigest}}, kDigest);
  describe(std::string(kWhole), Dtype::u8, {Index{kDigest}}, kDigest);

  std::string text = print_json({header});
  text.resize((text.size() + 7) / 8 * 8, ' ');
  // Such rows are read at random from the mapped file. If they begin at a cache line, those of a multiple of 16 columns
  // take no line more than they fill.
  while (floats > 0 && floats % 8 == 0 && (sizeof(std::uint64_t) + text.size() + floats) % kLine != 0)
    text += "        ";
  const std::uint64_t length = text.size();
  std::string bytes;
  bytes.reserve(sizeof length + text.size() + static_cast<std::size_t>(at));
  bytes += as_chars(&length, sizeof length);
  bytes += text;
  Sha256 whole, rest;
  whole.add(bytes), rest.add(bytes);
  each_part([&](const Part& part) {
    bytes += part.bytes();
    whole.add(part.bytes());
    if (some_have_digests && !part.has_digests()) rest.add(part.bytes());
  });
  if (some_have_digests) {
    const auto digest = rest.finish();
    bytes += as_chars(digest.data(), digest.size());
    whole.add(digest.data(), digest.size());
  }
  const auto digest = whole.finish();
  return bytes += as_chars(digest.data(), digest.size());
}

Result<std::uint64_t> header_length(std::string_view first, std::uint64_t size, const std::string& source) {
  std::uint64_t length = 0;
  if (size == 0) return refuse(source, "empty file", "name a model file, as made by recta fit -o FILE");
  if (first.size() < sizeof length + 1) return damaged(source, "it is too short");
  std::memcpy(&length, first.data(), sizeof length);
  if (first[sizeof length] != '{')
    return refuse(source, "this is not a model file of Recta", "name a model file, as made by recta fit -o FILE");
  if (length > kMaxHeader)
    return refuse(source, "its header would have " + std::to_string(length) + " bytes, the limit is " +
                              std::to_string(kMaxHeader));
  if (length > size - sizeof length)
    return damaged(source, "it ends inside its header, " + std::to_string(size) + " bytes where the header alone has " +
                               std::to_string(length));
  return length;
}

Result<TensorFile> TensorFile::parse(std::string_view bytes, const std::string& source,
                                     std::shared_ptr<const void> mapping, Checksums checksums) {
  const auto length = header_length(bytes.substr(0, 9), bytes.size(), source);
  if (!length) return std::unexpected(length.error());
  const auto header = parse_json(bytes.substr(8, *length), source + ", header");
  if (!header) return std::unexpected(header.error());
  const JsonObject* members = header->as<JsonObject>();
  if (!members) return damaged(source, "its header is not an object");

  TensorFile file;
  file.mapping = std::move(mapping);
  file.checksums = checksums;
  const std::string_view data = bytes.substr(8 + *length);
  std::vector<std::pair<Index, Index>> ranges;
  for (const auto& [name, json] : *members) {
    if (name == "__metadata__") {
      if (auto read = read_metadata(json, file, source); !read) return std::unexpected(read.error());
      continue;
    }
    auto entry = read_entry(json, data);
    if (!entry) return damaged(source, "tensor \"" + name + "\" " + entry.error());
    ranges.emplace_back(entry->begin, entry->end);
    file.tensors.emplace(name, std::move(entry->tensor));
  }
  if (auto layout = check_layout(std::move(ranges), data.size(), source); !layout)
    return std::unexpected(layout.error());
  if (auto good = check_digests(file, bytes, source); !good) return std::unexpected(good.error());
  if (file.metadata.empty())
    return refuse(source, "a safetensors file, but no model of Recta: its metadata has no key \"recta\"");
  return file;
}

} // namespace recta
