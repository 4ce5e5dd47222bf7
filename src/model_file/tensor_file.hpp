// The container of a model file: a safetensors file whose last tensor, `sha256`, is the SHA-256 of all bytes before it.
//
//   8 bytes   length of the header, little-endian
//   header    JSON: name -> {dtype, shape, data_offsets}, and __metadata__: {"recta": text}; padded to 8 with spaces
//   data      the tensors, one after the other without gaps
//
// A large tensor NAME may have digests of its own, NAME.sha256, one per piece of 4096 bytes. The tensor before the
// last, `sha256.rest`, is then the SHA-256 of all bytes before it, without those of the tensors that have digests. A
// reader that maps the file checks the rest at once and the large tensors piece by piece, when they are read; any other
// reader checks the whole.
//
// Only the dtypes F64, I64, F32, U32 and U8 of safetensors occur. A list of strings NAME is two tensors: NAME.text,
// the UTF-8 bytes of all strings in a row, and NAME.start, where each begins, with the end of the last one.
#pragma once

#include <recta/error.hpp>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace recta {

inline constexpr std::uint64_t kMaxHeader = 16 << 20; // bytes; what grows with a model is in its tensors

inline constexpr std::size_t kLargeTensor = 1 << 20; // bytes, from which on a tensor may be left in the file

enum class Dtype : std::uint8_t { f64, i64, f32, u32, u8 };
template <class T>
inline constexpr Dtype kDtypeOf = Dtype::u8;
template <>
inline constexpr Dtype kDtypeOf<double> = Dtype::f64;
template <>
inline constexpr Dtype kDtypeOf<Index> = Dtype::i64;
template <>
inline constexpr Dtype kDtypeOf<float> = Dtype::f32;
template <>
inline constexpr Dtype kDtypeOf<std::uint32_t> = Dtype::u32;

struct Tensor;

class TensorWriter {
public:
  using Shape = std::vector<Index>;
  struct NamesOnly {};
  static constexpr NamesOnly names_only{};

  TensorWriter() = default;
  explicit TensorWriter(NamesOnly) : names_only_(true) {} // copies no numbers, and cannot be finished

  void add(const std::string& name, std::span<const double> values, Shape shape);
  void add(const std::string& name, std::span<const Index> values, Shape shape);
  void add(const std::string& name, std::span<const std::uint8_t> values, Shape shape);
  void add(const std::string& name, const std::vector<std::string>& strings); // nothing when there are none

  // Numbers that a reader may leave in the file until they are needed: with digests of their own, if there are many.
  // These are not copied, and must stay where they are until finish().
  template <class T>
  void add_large(const std::string& name, std::span<const T> values, Shape shape) {
    add_bytes(name, kDtypeOf<T>, std::move(shape), values.data(), values.size_bytes(),
              values.size_bytes() >= kLargeTensor);
  }

  bool has_short_numbers() const { return !middle_.empty(); } // F32 or U32, which earlier formats do not have
  bool has_names_only() const { return names_only_; }
  std::vector<std::string> names() const; // of its tensors, without the digests
  bool has(const std::string& name, const Tensor& tensor) const;
  // Numbers of 8 bytes first, then those of 4, so that each lies at a multiple of its size; then the bytes; then the
  // checksums.
  std::string finish(const std::string& metadata) const;

private:
  struct Part {
    std::string name;
    Dtype dtype;
    Shape shape;
    std::string copy;
    std::string_view large{}; // in place of the copy
    std::string_view bytes() const { return large.empty() ? std::string_view(copy) : large; }
    bool has_digests() const { return !large.empty(); }
  };
  void add_bytes(const std::string& name, Dtype dtype, Shape shape, const void* bytes, std::size_t size,
                 bool with_digests = false);
  template <class Visit>
  void each_part(const Visit& visit) const {
    for (const auto* parts : {&wide_, &middle_, &narrow_})
      for (const Part& part : *parts) visit(part);
  }

  std::vector<Part> wide_, middle_, narrow_;
  bool names_only_ = false;
};

struct Tensor {
  Dtype dtype = Dtype::u8;
  std::vector<Index> shape;
  std::string_view bytes;   // exactly as many as dtype and shape ask for
  std::string_view digests; // of its pieces, one for each; empty: it has none
};

// `just_computed`: by a TensorWriter, from these very bytes, so that they need not be compared again.
enum class Checksums : std::uint8_t { to_compare, just_computed };

// A file whose structure and checksum were found right. Points into the bytes it was parsed from.
struct TensorFile {
  std::string metadata; // the text of the key "recta"
  std::map<std::string, Tensor, std::less<>> tensors;
  std::shared_ptr<const void> mapping; // if tensors that have digests are still to be checked: what keeps their bytes
  Checksums checksums = Checksums::to_compare;

  // `mapping`: keeps the bytes in place; without it they are only there for now, and are checked in whole.
  static Result<TensorFile> parse(std::string_view bytes, const std::string& source,
                                  std::shared_ptr<const void> mapping = nullptr,
                                  Checksums checksums = Checksums::to_compare);
};

Error damaged_file(const std::string& source, const std::string& what);

// The length of the header when these first bytes can be those of a model file of this size.
Result<std::uint64_t> header_length(std::string_view first_bytes, std::uint64_t file_size, const std::string& source);

} // namespace recta
