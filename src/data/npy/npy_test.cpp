#include "data/npy/npy.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

namespace recta {
namespace {

using Numbers = std::vector<double>;

Numbers numbers(const Column& column) {
  return {column.values.begin(), column.values.end()};
}

std::string little(std::uint64_t value, int width) {
  std::string bytes;
  for (int k = 0; k < width; ++k) bytes.push_back(static_cast<char>(value >> (8 * k)));
  return bytes;
}

template <class T>
std::string raw(std::vector<T> values, bool swap = false) {
  std::string bytes;
  for (T value : values) {
    char b[sizeof(T)];
    std::memcpy(b, &value, sizeof(T));
    if (swap) std::reverse(b, b + sizeof(T));
    bytes.append(b, sizeof(T));
  }
  return bytes;
}

std::string with_head(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string text = dictionary + "\n";
  std::string bytes = "\x93NUMPY";
  bytes.push_back(static_cast<char>(version));
  bytes.push_back('\0');
  return bytes + little(text.size(), version == 1 ? 2 : 4) + text + data;
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data, bool fortran = false,
                int version = 1) {
  return with_head(
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, fortran ? "True" : "False", shape),
      data, version);
}

struct Part {
  std::string name, bytes;
  bool deflate = false;
};

std::string deflated(const std::string& bytes) {
  z_stream z{};
  deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 100, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

// An archive as numpy.savez writes it; zip64: sizes in the extra field, as NumPy always does in local headers.
std::string zip(const std::vector<Part>& parts, bool zip64 = false) {
  std::string archive, directory;
  for (const Part& part : parts) {
    const std::string packed = part.deflate ? deflated(part.bytes) : part.bytes;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(part.bytes.data()), static_cast<uInt>(part.bytes.size()));
    const std::string name = part.name + ".npy";
    const std::size_t offset = archive.size();
    const std::string extra = zip64 ? little(1, 2) + little(24, 2) + little(part.bytes.size(), 8) +
                                          little(packed.size(), 8) + little(offset, 8)
                                    : "";
    const std::uint64_t full = 0xFFFFFFFF;
    const std::string sizes =
        zip64 ? little(full, 4) + little(full, 4) : little(packed.size(), 4) + little(part.bytes.size(), 4);
    const std::string common =
        little(0, 2) + little(part.deflate ? 8 : 0, 2) + little(0, 4) + little(crc, 4) + sizes + little(name.size(), 2);
    archive += "PK\x03\x04" + little(45, 2) + common + little(0, 2) + name + packed;
    directory += "PK\x01\x02" + little(45, 2) + little(45, 2) + common + little(extra.size(), 2) + little(0, 2) +
                 little(0, 4) + little(0, 4) + little(zip64 ? full : offset, 4) + name + extra;
  }
  const std::size_t at = archive.size();
  archive += directory;
  if (zip64) {
    const std::size_t end = archive.size();
    archive += "PK\x06\x06" + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8) + little(parts.size(), 8) +
               little(parts.size(), 8) + little(directory.size(), 8) + little(at, 8);
    archive += "PK\x06\x07" + little(0, 4) + little(end, 8) + little(1, 4);
  }
  return archive + "PK\x05\x06" + little(0, 4) + little(parts.size(), 2) + little(parts.size(), 2) +
         little(directory.size(), 4) + little(at, 4) + little(0, 2);
}

Dataset good(const Result<Dataset>& data) {
  EXPECT_TRUE(data) << data.error().text();
  return data ? *data : Dataset{};
}
Dataset good(const std::string& bytes) {
  return good(read_npy(bytes, "a.npy", {}));
}
std::string refusal(const Result<Dataset>& data) {
  return data ? "accepted" : data.error().text();
}
std::string refusal(const std::string& bytes, const ReadOptions& options = {}) {
  return refusal(read_npy(bytes, "a.npy", options));
}

TEST(Npy, reads_doubles_in_c_order) {
  const Dataset data = good(npy("<f8", "(2, 3)", raw<double>({1, 2, 3, 4, 5.5, 6})));
  ASSERT_EQ(data.rows, 2);
  ASSERT_EQ(data.columns.size(), 3u);
  EXPECT_EQ(data.columns[0].name, "x1");
  EXPECT_EQ(data.columns[2].name, "x3");
  EXPECT_EQ(data.columns[1].type, ColumnType::real);
  EXPECT_EQ(numbers(data.columns[1]), (Numbers{2, 5.5}));
  EXPECT_EQ(data.notes.back(), "<f8 in C order");
}

TEST(Npy, reads_fortran_order_big_endian_and_later_versions) {
  for (int version : {1, 2, 3}) {
    const Dataset data = good(npy(">f4", "(2, 2)", raw<float>({1, 2, 3, 4}, true), true, version));
    EXPECT_EQ(numbers(data.columns[0]), (Numbers{1, 2}));
    EXPECT_EQ(numbers(data.columns[1]), (Numbers{3, 4}));
  }
}

TEST(Npy, reads_every_integer_width_and_booleans) {
  EXPECT_EQ(numbers(good(npy("|i1", "(2,)", raw<std::int8_t>({-128, 127}))).columns[0]), (Numbers{-128, 127}));
  EXPECT_EQ(numbers(good(npy("|u1", "(2,)", raw<std::uint8_t>({0, 255}))).columns[0]), (Numbers{0, 255}));
  EXPECT_EQ(numbers(good(npy("<i2", "(1,)", raw<std::int16_t>({-32768}))).columns[0]), (Numbers{-32768}));
  EXPECT_EQ(numbers(good(npy(">u2", "(1,)", raw<std::uint16_t>({513}, true))).columns[0]), (Numbers{513}));
  EXPECT_EQ(numbers(good(npy("<i4", "(1,)", raw<std::int32_t>({-5}))).columns[0]), (Numbers{-5}));
  EXPECT_EQ(numbers(good(npy(">u4", "(1,)", raw<std::uint32_t>({4000000000}, true))).columns[0]), (Numbers{4e9}));
  EXPECT_EQ(numbers(good(npy("<i8", "(1,)", raw<std::int64_t>({-(1LL << 53)}))).columns[0]), (Numbers{-0x1p53}));
  EXPECT_EQ(numbers(good(npy("<u8", "(1,)", raw<std::uint64_t>({1ULL << 63}))).columns[0]), (Numbers{0x1p63}));
  const Dataset flags = good(npy("|b1", "(3,)", std::string("\0\1\1", 3)));
  EXPECT_EQ(numbers(flags.columns[0]), (Numbers{0, 1, 1}));
  EXPECT_EQ(flags.columns[0].type, ColumnType::integer);
}

TEST(Npy, reads_half_precision) { // one, a third, the largest, the least, the least normal, minus zero, NaN
  const Dataset data =
      good(npy("<f2", "(7,)", raw<std::uint16_t>({0x3c00, 0x3555, 0x7bff, 1, 0x0400, 0x8000, 0x7e01})));
  const Values& x = data.columns[0].values;
  EXPECT_EQ(numbers(data.columns[0]).front(), 1);
  EXPECT_EQ(x[1], 0.333251953125);
  EXPECT_EQ(x[2], 65504);
  EXPECT_EQ(x[3], 0x1p-24);
  EXPECT_EQ(x[4], 0x1p-14);
  EXPECT_TRUE(x[5] == 0 && std::signbit(x[5]));
  EXPECT_TRUE(std::isnan(x[6]));
  EXPECT_EQ(numbers(good(npy(">f2", "(1,)", raw<std::uint16_t>({0xc248}, true))).columns[0]), (Numbers{-3.140625}));
  EXPECT_EQ(refusal(npy("<f2", "(1,)", raw<std::uint16_t>({0x7c00}))),
            "a.npy, row 1, column x1: the number is infinite; replace it, or by NaN if it is missing");
}

TEST(Npy, structured_arrays_give_named_columns) {
  const std::string items = raw<double>({1.5}) + raw<std::int32_t>({7}) + raw<double>({2.5}) + raw<std::int32_t>({8});
  const Dataset data =
      good(with_head("{'descr': [('weight', '<f8'), ('age', '<i4')], 'fortran_order': False, 'shape': (2,), }", items));
  ASSERT_EQ(data.columns.size(), 2u);
  EXPECT_EQ(data.columns[0].name, "weight");
  EXPECT_EQ(numbers(data.columns[0]), (Numbers{1.5, 2.5}));
  EXPECT_EQ(numbers(data.columns[1]), (Numbers{7, 8}));
}

TEST(Npy, nan_is_missing_and_infinity_is_refused_with_its_place) {
  EXPECT_TRUE(std::isnan(good(npy("<f8", "(1,)", raw<double>({NAN}))).columns[0].values[0]));
  EXPECT_EQ(refusal(npy("<f8", "(2, 2)", raw<double>({1, 2, 3, INFINITY}))),
            "a.npy, row 2, column x2: the number is infinite; replace it, or by NaN if it is missing");
}

TEST(Npy, what_cannot_be_a_table_is_refused_with_the_reason) {
  EXPECT_EQ(refusal(npy("|O", "(1,)", "x")),
            "a.npy: the array holds Python objects, and reading those runs their code; "
            "save it as numbers, for example with astype(float)");
  EXPECT_EQ(refusal(npy("<c16", "(1,)", std::string(16, 'x'))),
            "a.npy: the array has the type \"<c16\"; readable are float16, float32, float64, bool and integers of 8 to "
            "64 bits; "
            "convert it with astype(float)");
  EXPECT_EQ(refusal(npy("<f8", "(1, 2, 3)", "")),
            "a.npy: the array has 3 dimensions; a table has one or two; reshape it in NumPy");
  EXPECT_EQ(refusal(npy("<f8", "()", raw<double>({1}))),
            "a.npy: the array has 0 dimensions; a table has one or two; reshape it in NumPy");
  EXPECT_EQ(refusal(npy("<f8", "(0, 3)", "")),
            "a.npy: the array has 0 rows and 3 columns; there is nothing in it to learn from");
}

TEST(Npy, hostile_headers_are_refused_before_memory_is_asked_for) {
  const std::string one = raw<double>({1});
  EXPECT_NE(refusal(npy("<f8", "(4611686018427387904, 2)", one)).find("impossible"), std::string::npos);
  EXPECT_NE(refusal(npy("<f8", "(4611686018427387904,)", one)).find("impossible"), std::string::npos);
  EXPECT_NE(refusal(npy("<f8", "(99999999999999999999999,)", one)).find("a size was expected"), std::string::npos);
  EXPECT_NE(refusal(npy("<f8", "(1000000000,)", one)).find("promises 8000000000 bytes"), std::string::npos);
  EXPECT_NE(refusal(npy("<f8", "(1,)", one + "x")).find("promises 8 bytes of numbers and 9 follow"), std::string::npos);
  EXPECT_NE(refusal(npy("<f8", "(1, 20000000)", one)).find("more than the limit of 10000000"), std::string::npos);
  EXPECT_NE(refusal("\x93NUMPY\x02" + std::string(1, '\0') + "\xff\xff\xff\xff{").find("claims"), std::string::npos);
  EXPECT_NE(refusal("\x93NUMPY\x09" + std::string(4, '\0')).find("version 9.0"), std::string::npos);
  for (const char* text : {"", "{", "{}", "{'descr': '<f8'}", "{'descr': '<f8', 'descr': '<f8', 'shape': (1,)}",
                           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
                           "{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}",
                           "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
                           "{'descr': [], 'fortran_order': False, 'shape': (1,)}",
                           "{'descr': [('a', '<f8', (2,))], 'fortran_order': False, 'shape': (1,)}",
                           "{'descr': __import__('os'), 'fortran_order': False, 'shape': (1,)}"})
    EXPECT_NE(refusal(with_head(text, one)), "accepted") << text;
}

TEST(Npy, a_file_cut_off_anywhere_is_refused) {
  const std::string whole = npy("<f8", "(2, 2)", raw<double>({1, 2, 3, 4}));
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(refusal(whole.substr(0, size)), "accepted");
}

TEST(Npy, memory_is_limited) {
  ReadOptions options;
  options.max_memory = 16;
  EXPECT_NE(refusal(npy("|u1", "(3,)", "abc"), options).find("more than the limit of 16"), std::string::npos);
}

TEST(Npz, takes_x_and_y_stored_deflated_and_with_64_bit_sizes) {
  const std::string x = npy("<f8", "(2, 2)", raw<double>({1, 2, 3, 4})),
                    y = npy("<i8", "(2,)", raw<std::int64_t>({7, 9}));
  for (bool pack : {false, true})
    for (bool zip64 : {false, true}) {
      const Dataset data = good(read_npz(zip({{"y", y, pack}, {"X", x, pack}, {"extra", x}}, zip64), "a.npz", {}));
      ASSERT_EQ(data.columns.size(), 3u);
      EXPECT_EQ(numbers(data.columns[1]), (Numbers{2, 4}));
      EXPECT_EQ(data.columns[2].name, "y");
      EXPECT_EQ(numbers(data.columns[2]), (Numbers{7, 9}));
      EXPECT_EQ(data.notes.back(), "columns from \"X\", target from \"y\"");
    }
}

TEST(Npz, takes_the_only_array_whatever_its_name) {
  const std::string x = npy("<f8", "(2,)", raw<double>({1, 2}));
  EXPECT_EQ(numbers(good(read_npz(zip({{"arr_0", x}}), "a.npz", {})).columns[0]), (Numbers{1, 2}));
  EXPECT_EQ(refusal(read_npz(zip({{"a", x}, {"b", x}}), "a.npz", {})),
            "a.npz: none of its arrays is called X: \"a\", \"b\"; "
            "save the rows as X and the target as y: numpy.savez(file, X=X, y=y)");
  EXPECT_NE(refusal(read_npz(zip({}), "a.npz", {})).find("the archive is empty"), std::string::npos);
}

TEST(Npz, rows_and_targets_must_match) {
  const std::string x = npy("<f8", "(2,)", raw<double>({1, 2})), y = npy("<f8", "(1,)", raw<double>({1}));
  EXPECT_EQ(refusal(read_npz(zip({{"x", x}, {"y", y}}), "a.npz", {})),
            "a.npz: \"x\" has 2 rows and \"y\" has 1; they must have the same number of rows");
}

TEST(Npz, a_changed_byte_is_noticed) {
  std::string archive = zip({{"X", npy("<f8", "(2,)", raw<double>({1, 2}))}});
  const std::size_t at = archive.find("NUMPY") + 75;
  archive[at] = static_cast<char>(archive[at] ^ 1);
  EXPECT_NE(refusal(read_npz(archive, "a.npz", {})).find("checksum"), std::string::npos);
}

TEST(Npz, an_archive_cut_off_or_damaged_anywhere_is_refused_or_read_right) {
  const std::string x = npy("<f8", "(2,)", raw<double>({1, 2}));
  for (bool zip64 : {false, true}) {
    const std::string whole = zip({{"X", x, true}}, zip64);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_FALSE(read_npz(whole.substr(0, size), "a.npz", {})) << size;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0xFF);
      const auto data = read_npz(changed, "a.npz", {});
      if (data) {
        EXPECT_EQ(numbers(data->columns[0]), (Numbers{1, 2})) << at;
      }
    }
  }
}

TEST(Npz, expansion_is_limited) {
  const std::string zeros = npy("|u1", "(4000000,)", std::string(4000000, '\0'));
  ReadOptions options;
  options.max_expansion = 10;
  EXPECT_NE(refusal(read_npz(zip({{"X", zeros, true}}), "a.npz", options)).find("expands more than 10 times"),
            std::string::npos);
}

class File {
public:
  explicit File(std::string_view bytes)
      : path_((std::filesystem::temp_directory_path() / fmt::format("recta_npy_{}_{}.npy", getpid(), counter++))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }
  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), {});
  }

private:
  static inline int counter = 0;
  std::string path_;
};

TEST(Npy, blocks_together_are_the_whole_table_in_either_order) {
  std::vector<float> values(3 * 100);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k) / 4;
  for (bool fortran : {false, true}) {
    const File file(npy("<f4", "(100, 3)", raw(values), fortran));
    auto reader = stream_npy(std::move(*Input::open(file.path())), {}, 32);
    ASSERT_TRUE(reader) << reader.error().text();
    const Dataset whole = good(file.bytes());
    for (int round = 0; round < 2; ++round) {
      Numbers second;
      Dataset block;
      std::vector<Index> sizes;
      while (*(*reader)->next(block)) {
        sizes.push_back(block.rows);
        second.insert(second.end(), block.columns[1].values.begin(), block.columns[1].values.end());
      }
      EXPECT_EQ(second, numbers(whole.columns[1]));
      EXPECT_EQ(sizes, (std::vector<Index>{32, 32, 32, 4}));
      ASSERT_TRUE((*reader)->rewind());
    }
  }
}

TEST(Npy, a_stream_that_ends_early_or_late_says_so) {
  for (const char* end : {"", "too long, too long"}) {
    const File file(npy("<f8", "(3,)", raw<double>({1, 2}) + end));
    auto reader = stream_npy(std::move(*Input::open(file.path())), {}, 2);
    ASSERT_TRUE(reader);
    Dataset block;
    ASSERT_TRUE((*reader)->next(block));
    const auto second = (*reader)->next(block);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().what.find("promises 24 bytes"), std::string::npos);
  }
}

TEST(Npy, what_is_written_reads_back_with_zeros_for_what_sparse_columns_leave_out) {
  Dataset data;
  data.rows = 2;
  data.columns.resize(1);
  data.columns[0].name = "a";
  data.columns[0].values = {0.1, -7};
  data.sparse.cols = 2;
  data.sparse.start = {0, 1, 1};
  data.sparse.index = {1};
  data.sparse.value = {5};
  const File file("");
  ASSERT_TRUE(write_npy(data, file.path()));
  EXPECT_EQ((file.bytes().size() - 6 * 8) % 64, 0u);
  const Dataset back = good(file.bytes());
  EXPECT_EQ(numbers(back.columns[0]), (Numbers{0.1, -7}));
  EXPECT_EQ(numbers(back.columns[1]), (Numbers{0, 0}));
  EXPECT_EQ(numbers(back.columns[2]), (Numbers{5, 0}));
  data.columns[0].type = ColumnType::text;
  EXPECT_EQ(write_npy(data, file.path()).error().what, "a .npy file holds numbers, and this column holds text");
}

TEST(Npy, one_and_several_threads_give_the_same_table) {
  std::vector<std::int16_t> values(2 * 40000);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<std::int16_t>(k * 7919);
  const std::string bytes = npy("<i2", "(40000, 2)", raw(values));
  ReadOptions one, three;
  one.threads = 1;
  three.threads = 3;
  const Dataset a = good(read_npy(bytes, "a.npy", one)), b = good(read_npy(bytes, "a.npy", three));
  EXPECT_EQ(numbers(a.columns[1]), numbers(b.columns[1]));
  EXPECT_EQ(a.columns[1].values[39999], values[79999]);
}

} // namespace
} // namespace recta
