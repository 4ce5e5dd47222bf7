// A table as it was read: typed columns with names, and a block of sparse columns if the file was sparse.
#pragma once

#include <recta/error.hpp>
#include <recta/trace.hpp>

#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace recta {

// Memory for large arrays, aligned to cache lines; in large pages if the library asked for many at once.
void* allocate_large(std::size_t bytes);
void free_large(void* array) noexcept;

// Leaves new elements unset where std::allocator would write zeros: readers fill every element anyway.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  static constexpr std::size_t kLarge = (1 << 14) / sizeof(T); // elements

  T* allocate(std::size_t count) {
    if (count < kLarge) return std::allocator<T>::allocate(count);
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_large(count * sizeof(T)));
  }
  void deallocate(T* array, std::size_t count) noexcept {
    if (count < kLarge) return std::allocator<T>::deallocate(array, count);
    free_large(array);
  }
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  template <class U>
  void construct(U* p) noexcept {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
};
using Values = std::vector<double, UnsetAllocator<double>>;

enum class ColumnType : std::uint8_t { real, integer, category, text };

struct Column {
  std::string name;
  ColumnType type = ColumnType::real;
  Values values;                   // real and integer; NaN where missing
  std::vector<std::int32_t> codes; // category: index into levels; -1 where missing
  std::vector<std::string> levels; // category: sorted, numbers by value and text by code point; text: one per row

  bool numeric() const { return type == ColumnType::real || type == ColumnType::integer; }
  Index rows() const;
};

// Compressed rows of numbers; a number not stored is zero. Column j is called index_base + j.
struct SparseColumns {
  Index cols = 0, index_base = 1;
  std::vector<Index> start, index; // rows + 1 places where rows start
  Values value;
};

// Every call that takes a table looks first whether it is one: columns as long as there are rows, names that differ,
// codes of levels that exist, sparse places that ascend.
struct Dataset {
  std::string source;            // file or built-in name, for messages
  Index rows = 0, first_row = 0; // first_row: the number of the first row here, when this is one block of a stream
  std::vector<Column> columns;
  SparseColumns sparse;
  std::vector<std::string> notes; // what the reader detected: "separator ';'", "indices start at 1"

  const Column* find(std::string_view name) const;
  std::size_t bytes() const;
};

// How a table is written, as the caller says; whatever is unset is detected.
struct Reading {
  char separator = 0, decimal = 0;
  std::optional<bool> header{};
  char thousands = 0;
  std::optional<std::vector<std::string>> missing_tokens{};

  bool operator==(const Reading&) const = default;
};

struct ReadOptions {
  std::string format{};            // csv tsv libsvm arff npy npz; empty: by the name, then by content
  char separator = 0, decimal = 0; // 0: detected
  std::optional<bool> header{};    // unset: detected
  char thousands = 0;              // between groups of three digits: , . ' _ or a blank; 0: detected
  std::optional<std::vector<std::string>> missing_tokens{}; // unset: "" NA N/A NaN nan null NULL ? . -
  std::map<std::string, ColumnType> types{};                // overrides what the sample suggests
  std::optional<Index> index_base{};                        // LIBSVM: 0 or 1; unset: detected
  Index max_columns = 10'000'000;
  std::uint64_t max_memory = 0;                 // bytes; 0: no limit except the machine's
  double max_expansion = 1000;                  // decompressed bytes to compressed bytes
  int threads = 0;                              // 0: all cores
  std::map<std::string, ColumnType> expected{}; // what columns of these names hold, if they exist
  bool replace_invalid = false; // bytes of texts that are not UTF-8 become U+FFFD; otherwise they are refused
  Reading usual{}; // of the rows a model was trained on: tried first, and kept if all columns expected are found so
};

// Whole tables. `path` is a file, "-" for standard input, or the name of a built-in set. If the watch stops it, the
// error is ErrorCode::interrupted: half a table is none.
Result<Dataset> read(const std::string& path, const ReadOptions& options = {}, const Watch& watch = {});
Result<Dataset> parse(std::string_view bytes, const std::string& source, const ReadOptions& options);

// The names of the labels in MULAN's XML, which stands beside an ARFF file whose columns of labels it names.
Result<std::vector<std::string>> read_label_names(const std::string& path);

// Format by the name's ending: .csv .tsv .libsvm .svm .npy, each also .gz or .zst. `target` names the label column of
// a LIBSVM file.
Result<void> write(const Dataset& data, const std::string& path, const std::string& target = {});

// The rows of such a table block by block, in memory that does not grow with the file.
class RowStream {
public:
  virtual ~RowStream() = default;
  virtual const Dataset& header() const = 0;     // names and types, no rows
  virtual Result<bool> next(Dataset& block) = 0; // false: there are no more rows
  virtual Result<void> rewind() = 0;             // refused for standard input
};
Result<std::unique_ptr<RowStream>> open_stream(const std::string& path, const ReadOptions& options = {},
                                               Index block_rows = 1024);

struct BuiltinSet {
  std::string name, summary, target;
  Index rows, columns;
};
const std::vector<BuiltinSet>& builtin_sets();

} // namespace recta
