// The container of a model file: a safetensors file whose last tensor, `sha256`, is the SHA-256 of all bytes before it.
//
//   8 bytes   length of the header, little-endian
//   header    JSON: name -> {dtype, shape, data_offsets}, and __metadata__: {"recta": text}; padded to 8 with spaces
//   data      the tensors, one after the other without gaps
//
// Of the dtypes of safetensors, only F64, I64 and U8 occur. A list of strings NAME is two tensors: NAME.text, the UTF-8
// bytes of all strings in a row, and NAME.start, where each begins, with the end of the last one.
#pragma once

#include <recta/error.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace recta {

inline constexpr std::uint64_t kMaxHeader = 16 << 20; // bytes; what grows with a model is in its tensors

enum class Dtype : std::uint8_t { f64, i64, u8 };

class TensorWriter {
public:
  using Shape = std::vector<Index>;

  void add(const std::string& name, std::span<const double> values, Shape shape);
  void add(const std::string& name, std::span<const Index> values, Shape shape);
  void add(const std::string& name, std::span<const std::uint8_t> values, Shape shape);
  void add(const std::string& name, const std::vector<std::string>& strings); // nothing when there are none

  // Numbers first, so that each lies at a multiple of 8; then the bytes; then the checksum.
  std::string finish(const std::string& metadata) const;

private:
  struct Part {
    std::string name;
    Dtype dtype;
    Shape shape;
    std::string bytes;
  };
  void add_bytes(const std::string& name, Dtype dtype, Shape shape, const void* bytes, std::size_t size);

  std::vector<Part> wide_, narrow_;
};

struct Tensor {
  Dtype dtype = Dtype::u8;
  std::vector<Index> shape;
  std::string_view bytes; // exactly as many as dtype and shape ask for
};

// A file whose structure and checksum were found right. Points into the bytes it was parsed from.
struct TensorFile {
  std::string metadata; // the text of the key "recta"
  std::map<std::string, Tensor, std::less<>> tensors;

  static Result<TensorFile> parse(std::string_view bytes, const std::string& source);
};

// The length of the header when these first bytes can be those of a model file of this size.
Result<std::uint64_t> header_length(std::string_view first_bytes, std::uint64_t file_size, const std::string& source);

} // namespace recta
