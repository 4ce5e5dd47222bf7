#include "base/sha256.hpp"
#include "base/sha256_block.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(Sha256, known_answers_of_the_standard) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, pieces_of_any_length_give_the_digest_of_the_whole) {
  std::string text;
  for (int k = 0; k < 300; ++k) text += static_cast<char>(k * 7);
  const auto whole = sha256(text);
  for (std::size_t piece = 1; piece < 200; ++piece) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += piece) hash.add(std::string_view(text).substr(at, piece));
    EXPECT_EQ(hash.finish(), whole) << piece;
  }
}

TEST(Sha256, instructions_give_the_state_of_plain_code) {
  if (!sha256_block::has_instructions()) GTEST_SKIP() << "this processor has no instructions for SHA-256";
  std::string bytes;
  for (int k = 0; k < 64 * 9; ++k) bytes += static_cast<char>(k * k + 3 * k);
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  sha256_block::State plain{1, 2, 3, 4, 5, 6, 7, 0xffffffff}, by_instructions = plain;
  for (std::size_t blocks = 0; blocks < 9; ++blocks) {
    sha256_block::plain(plain, from, blocks);
    sha256_block::by_instructions(by_instructions, from, blocks);
    EXPECT_EQ(by_instructions, plain) << blocks;
  }
}

} // namespace
} // namespace recta
