#include "data/kept_input.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace recta {
namespace {

// A pipe: its bytes come once.
class Once final : public Input {
public:
  explicit Once(std::string text) : Input("pipe", 0), text_(std::move(text)) {}
  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), text_.size() - at_);
    std::copy_n(text_.data() + at_, size, buffer.data());
    at_ += size;
    return size;
  }
  Result<void> rewind() override { return fail(ErrorCode::usage, source_, "can be read only once"); }

private:
  std::string text_;
  std::size_t at_ = 0;
};

KeptInput kept(std::uint64_t max_memory = 0) {
  ReadOptions options;
  options.max_memory = max_memory;
  return {std::make_unique<Once>("0123456789"), options};
}

std::string next(Input& input, std::size_t size) {
  std::string text(size, '\0');
  text.resize(input.read(text).value());
  return text;
}

TEST(KeptInput, is_read_again_from_the_beginning_and_on) {
  KeptInput input = kept();
  EXPECT_EQ(next(input, 3), "012");
  ASSERT_TRUE(input.rewind());
  EXPECT_EQ(next(input, 2), "01");
  EXPECT_EQ(next(input, 5), "23456"); // partly held, partly new
  ASSERT_TRUE(input.rewind());
  EXPECT_EQ(next(input, 20), "0123456789");
  EXPECT_EQ(next(input, 20), "");
  ASSERT_TRUE(input.rewind());
  EXPECT_EQ(next(input, 20), "0123456789");
}

TEST(KeptInput, that_was_let_go_goes_on_where_it_stands_and_is_read_once) {
  KeptInput input = kept();
  EXPECT_EQ(next(input, 4), "0123");
  ASSERT_TRUE(input.rewind());
  EXPECT_EQ(next(input, 1), "0");
  input.let_go();
  EXPECT_EQ(input.rewind().error().code, ErrorCode::usage);
  EXPECT_EQ(next(input, 2), "12");
  EXPECT_EQ(next(input, 20), "3456789");
}

TEST(KeptInput, longer_than_the_limit_is_refused_only_where_it_is_needed_again) {
  KeptInput input = kept(5);
  EXPECT_EQ(next(input, 4), "0123");
  EXPECT_EQ(next(input, 4), "4567");
  const auto again = input.rewind();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::bad_data);
  EXPECT_EQ(again.error().text(),
            "pipe: holds more than the limit of 5 bytes, and its columns must be known before the "
            "fit; raise --max-memory, or save it to a file first");
  input.let_go();
  EXPECT_EQ(input.rewind().error().code, ErrorCode::usage);
  EXPECT_EQ(next(input, 4), "89");
}

} // namespace
} // namespace recta
