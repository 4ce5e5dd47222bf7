#include "data/block_reader.hpp"

#include <recta/dataset.hpp>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

class Folder {
public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("recta_formats_{}_{}", getpid(), counter++)) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string put(const std::string& name, std::string_view bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }

private:
  static inline int counter = 0;
  std::filesystem::path path_;
};

TEST(Formats, a_built_in_set_is_read_by_its_name) {
  const auto iris = read("iris");
  ASSERT_TRUE(iris);
  EXPECT_EQ(iris->rows, 150);
  EXPECT_NE(iris->find("species"), nullptr);
}

TEST(Formats, a_built_in_set_is_streamed_in_blocks) {
  auto stream = open_stream("housing", {}, 200);
  ASSERT_TRUE(stream);
  EXPECT_EQ((*stream)->header().columns.size(), 14u);
  EXPECT_EQ((*stream)->header().rows, 0);
  const Dataset whole = *read("housing");
  for (int round = 0; round < 2; ++round) {
    Dataset block;
    std::vector<Index> sizes;
    std::vector<double> prices;
    while (*(*stream)->next(block)) {
      EXPECT_EQ(block.first_row, static_cast<Index>(prices.size()));
      sizes.push_back(block.rows);
      const Column& price = *block.find("price");
      prices.insert(prices.end(), price.values.begin(), price.values.end());
    }
    EXPECT_EQ(sizes, (std::vector<Index>{200, 200, 106}));
    EXPECT_TRUE(std::ranges::equal(prices, whole.find("price")->values));
    ASSERT_TRUE((*stream)->rewind());
  }
}

TEST(Formats, a_type_that_the_format_cannot_give_is_refused) {
  ReadOptions options;
  const auto refusal = [&](const std::string& path) {
    const auto whole = read(path, options);
    const auto stream = open_stream(path, options);
    EXPECT_EQ(whole ? "accepted" : whole.error().text(), stream ? "accepted" : stream.error().text());
    return whole ? "accepted" : whole.error().text();
  };
  const Folder folder;
  const std::string lines = folder.put("t.jsonl", "{\"zip\": \"08001\", \"n\": 1}\n{\"zip\": 2, \"n\": 2}\n");
  const std::string sparse = folder.put("t.libsvm", "1 1:2 3:4\n0 2:1\n");
  options.types = {{"zip", ColumnType::text}, {"n", ColumnType::category}};
  const Dataset data = read(lines, options).value();
  EXPECT_EQ(data.find("zip")->type, ColumnType::text);
  EXPECT_EQ(data.find("n")->levels, (std::vector<std::string>{"1", "2"}));
  options.types = {{"zop", ColumnType::text}};
  EXPECT_EQ(refusal(lines), lines + ": there is no column \"zop\" to give a type to; did you mean zip?");
  EXPECT_EQ(refusal(sparse), sparse + ": there is no column \"zop\" to give a type to");
  options.types = {{"3", ColumnType::category}};
  EXPECT_EQ(refusal(sparse), sparse + ", column 3: the file says that it is real, and category is asked for; "
                                      "convert the table to CSV with recta convert, and give the type there");
  options.types = {{"label", ColumnType::category}, {"3", ColumnType::real}};
  EXPECT_EQ(refusal(sparse), "accepted");
  options.types = {{"species", ColumnType::real}};
  EXPECT_NE(refusal("iris").find("the file says that it is category, and real is asked for"), std::string::npos);
}

TEST(Formats, every_stream_is_a_block_reader) {
  const auto stream = open_stream("iris");
  ASSERT_TRUE(stream);
  EXPECT_NE(dynamic_cast<BlockReader*>(stream->get()), nullptr);
}

TEST(Formats, a_slip_in_the_name_of_a_built_in_set_gets_a_suggestion) {
  const auto data = read("huosing");
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().text(),
            "huosing: there is no such file and no built-in set of that name; did you mean housing?");
  EXPECT_EQ(open_stream("huosing").error().text(), data.error().text());
}

TEST(Formats, a_slip_in_the_name_of_a_file_gets_a_suggestion_from_its_folder) {
  const Folder folder;
  folder.put("train.libsvm", "1 1:1\n");
  EXPECT_EQ(read(folder.file("trian.libsvm")).error().advice,
            fmt::format("did you mean {}?", folder.file("train.libsvm")));
}

TEST(Formats, a_name_like_nothing_points_to_the_list) {
  EXPECT_EQ(read("zzzzzzzzzzzzzzzzzzzzzzzzzz").error().advice, "`recta data` lists the built-in sets");
  EXPECT_FALSE(read(""));
}

TEST(Formats, an_unknown_format_is_refused_with_a_suggestion) {
  ReadOptions options;
  options.format = "libsmv";
  EXPECT_EQ(parse("1 1:1\n", "a", options).error().text(),
            "format: there is no format \"libsmv\"; did you mean libsvm?");
}

TEST(Formats, the_ending_decides_and_compression_is_looked_through) {
  const Folder folder;
  const Dataset data = *read("line-1234");
  for (const char* name : {"a.libsvm", "a.svm", "a.SVM", "a.libsvm.gz", "a.svm.zst", "a.npy", "a.npy.gz", "a.npy.zst",
                           "a.csv", "a.tsv", "a.csv.gz", "a.tsv.zst"}) {
    const auto written = write(data, folder.file(name), "class");
    ASSERT_TRUE(written) << written.error().text();
    const auto back = read(folder.file(name));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->rows, 4) << name;
    EXPECT_EQ(back->columns.size() + static_cast<std::size_t>(back->sparse.cols), 2u) << name;
  }
}

TEST(Formats, without_an_ending_the_content_decides) {
  const Folder folder;
  EXPECT_EQ(read(folder.put("rows", "# c\n-1 3:1\n"))->sparse.cols, 3);
  EXPECT_EQ(read(folder.put("table", "@relation r\n@attribute a real\n@data\n5\n"))->columns[0].name, "a");
  EXPECT_EQ(read(folder.put("marked", "\xEF\xBB\xBF-1 3:1\n"))->sparse.cols, 3);
  auto stream = open_stream(folder.file("rows"));
  ASSERT_TRUE(stream);
  EXPECT_EQ((*stream)->header().sparse.cols, 3);
}

TEST(Formats, what_no_other_format_claims_is_csv) {
  const Folder folder;
  const auto table = read(folder.put("rows.txt", "a,b\n1,2\n3,4\n"));
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->rows, 2);
  EXPECT_EQ(table->columns[1].name, "b");
  const auto tabs = read(folder.put("rows.tsv", "a\tb\n1\t2\n"));
  ASSERT_TRUE(tabs);
  EXPECT_EQ(tabs->columns.size(), 2u);
}

TEST(Formats, csv_is_streamed_in_blocks) {
  const Folder folder;
  auto stream = open_stream(folder.put("rows", "a,b\n1,2\n3,4\n5,6\n"), {}, 2);
  ASSERT_TRUE(stream) << stream.error().text();
  Dataset block;
  ASSERT_TRUE(*(*stream)->next(block));
  EXPECT_EQ(block.rows, 2);
  ASSERT_TRUE(*(*stream)->next(block));
  EXPECT_EQ(block.columns[1].values[0], 6);
}

// Standard input for the length of a test.
class Piped {
public:
  explicit Piped(std::string_view bytes) : before_(dup(0)) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    EXPECT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    close(ends[1]);
    dup2(ends[0], 0);
    close(ends[0]);
  }
  ~Piped() {
    dup2(before_, 0);
    close(before_);
  }

private:
  int before_;
};

TEST(Formats, standard_input_is_recognised_by_its_content) {
  {
    const Piped piped("-1 3:1\n1 1:2\n");
    auto stream = open_stream("-", {}, 1);
    ASSERT_TRUE(stream) << stream.error().text();
    Dataset block;
    ASSERT_TRUE(*(*stream)->next(block));
    EXPECT_EQ(block.columns[0].values[0], -1);
    ASSERT_TRUE(*(*stream)->next(block));
    EXPECT_FALSE(*(*stream)->next(block));
    EXPECT_FALSE((*stream)->rewind());
  }
  {
    const Piped piped("@relation r\n@attribute a real\n@data\n5\n");
    const auto data = read("-");
    ASSERT_TRUE(data) << data.error().text();
    EXPECT_EQ(data->columns[0].values[0], 5);
  }
  const Piped piped("a,b\n1,2\n");
  auto stream = open_stream("-");
  ASSERT_TRUE(stream) << stream.error().text();
  Dataset block;
  ASSERT_TRUE(*(*stream)->next(block));
  EXPECT_EQ(block.columns[1].values[0], 2);
}

TEST(Formats, a_format_given_overrides_the_ending) {
  ReadOptions options;
  options.format = "libsvm";
  EXPECT_EQ(parse("1 4:1\n", "a.npy", options)->sparse.cols, 4);
}

TEST(Formats, a_name_that_tells_no_format_is_not_written) {
  EXPECT_EQ(write(*read("xor"), "a.xyz").error().what, "the name's ending does not tell a format that can be written");
}

} // namespace
} // namespace recta
