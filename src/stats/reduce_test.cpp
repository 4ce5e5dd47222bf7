#include "stats/gram/gram.hpp"
#include "stats/moments/moments.hpp"
#include "stats/reduce.hpp"
#include "stats/test_rows.hpp"

#include <gtest/gtest.h>
#include <new>
#include <thread>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;

// Records how it was merged: "(0 1)" is block 0 joined with block 1.
struct Trail {
  std::string text;
  void accumulate(const Batch& batch) { text = std::to_string(batch.first_row); }
  void merge(const Trail& other) { text = "(" + text + " " + other.text + ")"; }
  std::string to_bytes() const { return text; }
  static Result<Trail> from_bytes(std::string_view bytes) { return Trail{std::string(bytes)}; }
};
static_assert(Accumulator<Trail>);
static_assert(WideAccumulator<Gram> && FiniteAccumulator<Gram> && RoomyAccumulator<Gram>);
static_assert(Accumulator<Both<Gram, Moments>> && WideAccumulator<Both<Gram, Moments>>);

// A source whose block of that number arrives after others.
auto late_at(Index late) {
  return [late](Index block, Batch batch) -> Result<Batch> {
    if (block == late) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return batch;
  };
}

TEST(Reduce, merges_along_one_tree_whatever_the_threads_and_whoever_is_late) {
  const Table t = Table::integers(7, 1, 9);
  for (const int threads : {1, 2, 3, 8})
    for (const Index late : {0, 3, 6}) {
      TableRows rows(t, 1);
      rows.on_load = late_at(late);
      Pool pool(threads);
      const auto partial = reduce(rows, Trail{}, pool);
      EXPECT_EQ(partial->nodes(), 3);
      EXPECT_EQ(partial->total().text, "((((0 1) (2 3)) (4 5)) 6)");
    }
}

TEST(Reduce, joins_shards_into_the_tree_of_the_whole) {
  const Table t = Table::integers(23, 1, 9);
  Pool pool(2);
  TableRows all(t, 1);
  const std::string whole = reduce(all, Trail{}, pool)->to_bytes();
  for (Index a = 0; a <= 23; ++a)
    for (Index b = a; b <= 23; ++b) {
      TableRows first(t, 1, 0, a), second(t, 1, a, b), third(t, 1, b, 23);
      auto joined = reduce(first, Trail{}, pool);
      auto rest = reduce(second, Trail{}, pool);
      ASSERT_TRUE(rest->append(*reduce(third, Trail{}, pool)));
      ASSERT_TRUE(joined->append(*rest));
      EXPECT_EQ(joined->to_bytes(), whole) << a << " " << b;
    }
}

// Records which blocks shared a state: "0,1" were taken one after the other.
struct LongTrail : Trail {
  static constexpr Index kRun = 3;
  Index run_blocks() const { return kRun; }
  void accumulate(const Batch& batch) { text += (text.empty() ? "" : ",") + std::to_string(batch.first_row); }
  static Result<LongTrail> from_bytes(std::string_view bytes) { return LongTrail{{std::string(bytes)}}; }
};
static_assert(RunAccumulator<LongTrail> && !RunAccumulator<Trail>);

TEST(Reduce, gives_neighbouring_blocks_one_state_where_states_are_long) {
  const Table t = Table::integers(11, 1, 9);
  for (const int threads : {1, 2, 3, 8})
    for (const Index late : {0, 4, 10}) {
      TableRows rows(t, 1);
      rows.on_load = late_at(late);
      Pool pool(threads);
      EXPECT_EQ(reduce(rows, LongTrail{}, pool)->total().text, "(((0,1,2 3,4,5) 6,7,8) 9,10)");
    }
  Pool pool(2);
  TableRows first(t, 1, 0, 6), second(t, 1, 6, 11); // cut where a run ends
  auto joined = reduce(first, LongTrail{}, pool);
  ASSERT_TRUE(joined->append(*reduce(second, LongTrail{}, pool)));
  EXPECT_EQ(joined->total().text, "(((0,1,2 3,4,5) 6,7,8) 9,10)");
}

TEST(Reduce, returns_the_error_of_the_first_block_that_fails_in_a_run) {
  const Table t = Table::integers(40, 1, 9);
  for (const int threads : {1, 2, 8}) {
    TableRows rows(t, 1);
    rows.on_load = [](Index block, Batch batch) -> Result<Batch> {
      if (block == 5) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (block >= 5) return fail(ErrorCode::bad_data, "block " + std::to_string(block), "broken");
      return batch;
    };
    Pool pool(threads);
    EXPECT_EQ(reduce(rows, LongTrail{}, pool).error().where, "block 5") << threads;
  }
}

TEST(Reduce, refuses_parts_with_a_gap_or_out_of_order) {
  const Table t = Table::integers(9, 1, 9);
  Pool pool(1);
  TableRows first(t, 1, 0, 3), third(t, 1, 6, 9);
  auto joined = reduce(first, Trail{}, pool);
  const auto refused = joined->append(*reduce(third, Trail{}, pool));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "the second part begins at block 6, the first ends at 3");
}

TEST(Reduce, returns_the_error_of_the_first_block_that_fails) {
  const Table t = Table::integers(40, 1, 9);
  for (const int threads : {1, 2, 3, 8}) {
    TableRows rows(t, 1);
    rows.on_load = [](Index block, Batch batch) -> Result<Batch> {
      if (block == 5) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (block >= 5) return fail(ErrorCode::bad_data, "block " + std::to_string(block), "broken");
      return batch;
    };
    Pool pool(threads);
    EXPECT_EQ(reduce(rows, Trail{}, pool).error().where, "block 5") << threads;
  }
}

TEST(Reduce, names_bad_weights_and_offsets) {
  Table t = Table::integers(20, 1, 9);
  t.weight.assign(20, 1.0);
  t.weight[13] = -2;
  Pool pool(2);
  TableRows rows(t, 4);
  EXPECT_EQ(reduce(rows, Trail{}, pool).error().text(),
            "row 14, weight: -2 found; weights must be finite and not negative");
}

TEST(Reduce, stops_when_the_watch_says_so) {
  const Table t = Table::integers(1000, 1, 9);
  for (const int threads : {1, 3}) {
    TableRows rows(t, 1);
    rows.on_load = [](Index, Batch batch) -> Result<Batch> {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return batch;
    };
    Pool pool(threads);
    int calls = 0;
    const auto caller = std::this_thread::get_id();
    const auto stopped = reduce(rows, Trail{}, pool, [&](const Progress& progress) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(progress.stage, "gathering statistics");
      EXPECT_LT(progress.fraction, 1);
      return ++calls < 3;
    });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
    EXPECT_EQ(calls, 3);
  }
}

TEST(Reduce, passes_on_that_memory_ran_out) {
  const Table t = Table::integers(50, 1, 9);
  for (const int threads : {1, 3}) {
    TableRows rows(t, 1);
    rows.on_load = [](Index block, Batch batch) -> Result<Batch> {
      if (block == 20) throw std::bad_alloc();
      return batch;
    };
    Pool pool(threads);
    EXPECT_THROW(static_cast<void>(reduce(rows, Trail{}, pool)), std::bad_alloc);
  }
}

TEST(Reduce, of_no_rows_is_the_empty_state) {
  const Table t = Table::integers(0, 3, 9);
  Pool pool(2);
  TableRows rows(t, 4);
  const auto partial = reduce(rows, Gram(3, 1), pool);
  EXPECT_TRUE(partial->empty());
  EXPECT_EQ(partial->total().rows, 0);
}

TEST(Reduce, gathers_two_statistics_in_one_pass_as_each_by_itself) {
  const Table t = Table::integers(100, 3, 9);
  Pool pool(2);
  TableRows rows(t, 8);
  const auto both = reduce(rows, Both<Gram, Moments>{Gram(3, 1), Moments(3, 1)}, pool)->total();
  static_cast<void>(rows.rewind());
  EXPECT_EQ(both.first.to_bytes(), reduce(rows, Gram(3, 1), pool)->total().to_bytes());
  static_cast<void>(rows.rewind());
  EXPECT_EQ(both.second.to_bytes(), reduce(rows, Moments(3, 1), pool)->total().to_bytes());
  const auto again = Both<Gram, Moments>::from_bytes(both.to_bytes());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->to_bytes(), both.to_bytes());
  EXPECT_FALSE((Both<Gram, Moments>::from_bytes(both.to_bytes() + "x")));
}

TEST(Reduce, of_two_statistics_sees_a_bad_number_if_either_minds) {
  Table t = Table::integers(30, 2, 9);
  t.x[21] = std::numeric_limits<double>::quiet_NaN();
  Pool pool(2);
  TableRows rows(t, 8);
  const auto bad = reduce(rows, Both<Moments, Gram>{Moments(2, 1), Gram(2, 1)}, pool);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, "row 11, column 2");
}

TEST(Reduce, joins_wide_shards_cut_inside_a_leaf_to_the_same_answer) {
  const Table t = Table::integers(90, 510, 9);
  Pool pool(2);
  const Gram empty(510, 1);
  TableRows all(t, 16), first(t, 16, 0, 3), second(t, 16, 3);
  const Gram whole = reduce(all, empty, pool)->total(&pool);
  auto joined = reduce(first, empty, pool);
  ASSERT_TRUE(joined->append(*reduce(second, empty, pool)));
  const Gram cut = joined->total(&pool);
  for (std::size_t i = 0; i < whole.scatter.size(); ++i)
    ASSERT_NEAR(cut.scatter[i], whole.scatter[i], 1e-11 * whole.scatter[0]);
  EXPECT_EQ(cut.rows, whole.rows);
}

// The same if a run of blocks goes into one state: "(0 1, 2)" is the state of blocks 0 and 1 joined with block 2.
struct RunTrail {
  std::string text{};

  void accumulate(const Batch& batch) { text += (text.empty() ? "" : " ") + std::to_string(batch.first_row / 2); }
  void merge(const RunTrail& other) { text = text.empty() ? other.text : "(" + text + ", " + other.text + ")"; }
  bool finite() const { return true; }
  Index run_blocks() const { return 16; }
  std::string to_bytes() const { return text; }
  static Result<RunTrail> from_bytes(std::string_view bytes) { return RunTrail{std::string(bytes)}; }
};

TEST(Reduce, of_a_stream_shares_a_state_among_four_blocks_at_most) {
  const Table t = Table::integers(20, 1, 9);
  for (const int threads : {1, 3}) {
    Pool pool(threads);
    TableRows stream(t, 2), held(t, 2);
    stream.known_length = false;
    EXPECT_EQ(reduce(stream, RunTrail{}, pool)->total().text, "((0 1 2 3, 4 5 6 7), 8 9)");
    EXPECT_EQ(reduce(held, RunTrail{}, pool)->total().text, "0 1 2 3 4 5 6 7 8 9");
  }
}

} // namespace
} // namespace recta
