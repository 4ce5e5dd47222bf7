// A row whose stops are known, to numbers in scratch memory: field by field, or eight fields at a time if there is
// AVX-512. Both meet the fields that are no plain numbers in the order of the file, so that they fail at the same one.
#pragma once

#include "data/csv/fast_batch.hpp"
#include "data/csv/fast_number.hpp"
#include "data/csv/fast_rows.hpp"

namespace recta::csv {
namespace {

#if defined(RECTA_CSV_BATCHES)

template <bool all_numbers>
class RowStore {
public:
  // `base`: where the stops count from; `held`: rows that are in scratch already.
  [[gnu::always_inline]] RowStore(FastRows& rows, const char* base, Index held)
      : rows_(rows), base_(base), decimal_(_mm256_set1_epi8(rows.decimal)), done_(held * rows.cols) {}

  // The row at rows.at, number `held` in scratch. false: a field failed, and rows.at is its row.
  [[gnu::always_inline]] bool row(const std::uint32_t* stop, Index held) {
    starts_[held] = {stop, rows_.at};
    first_row_ = rows_.row - held;
    const char* field = rows_.at;
    for (Index col = 0; col < rows_.cols;) {
      const Index room = Waiting::kRoom - count_, left = rows_.cols - col;
      const Index count = left < room ? left : room;
      if (!take(field, stop + col, col, count)) return false;
      col += count;
      count_ += count;
      if (count_ == Waiting::kRoom && !convert()) [[unlikely]]
        return false;
    }
    return true;
  }

  // To be called before the list of stops changes, or scratch memory is emptied.
  [[gnu::always_inline]] bool finish() { return convert(); }
  [[gnu::always_inline]] void emptied() { done_ = 0; }

private:
  struct Start {
    const std::uint32_t* stop;
    const char* at;
  };

  // The next `count` fields. Local copies and running pointers, so that the loop keeps to its registers.
  [[gnu::always_inline]] bool take(const char*& field, const std::uint32_t* stop, Index col, Index count) {
    const char *const base = base_, *begin = field;
    const __m256i decimal = decimal_;
    unsigned char* digits = waiting_.digits[count_];
    std::uint32_t* shape = waiting_.shapes + count_;
    for (const std::uint32_t* const last = stop + count; stop != last; ++stop, ++shape, digits += 32, ++col) {
      const char* end = base + *stop;
      const bool number = all_numbers || rows_.kinds[col] == FieldKind::number;
      if (number && has_plain_length(begin, end)) [[likely]]
        *shape = take_digits(begin, end, decimal, digits);
      else if (!elsewhere(begin, end, col, shape - waiting_.shapes))
        return false;
      begin = end + 1;
    }
    field = begin;
    return true;
  }

  // A field that cannot be a plain number is read at once; it takes a place among those that wait, so that they keep
  // theirs.
  [[gnu::noinline]] bool elsewhere(const char* begin, const char* end, Index col, Index place) {
    waiting_.shapes[place] = Shape::kDone;
    std::memset(waiting_.digits[place], 0, sizeof waiting_.digits[place]);
    if (rows_.field(rows_.owner, begin, end, col, rows_.row, rows_.scratch + done_ + place)) return true;
    count_ = place;
    convert(); // what waits comes first: if it fails too, that is the failure to tell
    return false;
  }

  [[gnu::always_inline]] bool convert() {
    for (Index first = 0; first < count_; first += kBatch) {
      const Converted batch = convert_batch(waiting_, first);
      const Index left = count_ - first, place = done_ + first;
      const auto lanes = static_cast<__mmask8>((left < kBatch ? (1 << left) - 1 : 0xFF) & ~batch.done);
      _mm512_mask_storeu_pd(rows_.scratch + place, lanes, batch.values);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(rows_.points + place), _mm_maskz_set1_epi8(batch.points, 1));
      if (batch.odd & lanes) [[unlikely]]
        if (!odd_fields(place, batch.odd & lanes)) return false;
    }
    done_ += count_;
    count_ = 0;
    return true;
  }

  [[gnu::noinline]] bool odd_fields(Index place, unsigned lanes) {
    for (; lanes; lanes &= lanes - 1) {
      const Index at = place + __builtin_ctz(lanes), row = at / rows_.cols, col = at % rows_.cols;
      const Start& start = starts_[row];
      const char* begin = col == 0 ? start.at : base_ + start.stop[col - 1] + 1;
      if (rows_.field(rows_.owner, begin, base_ + start.stop[col], col, first_row_ + row, rows_.scratch + at)) continue;
      rows_.at = start.at;
      return false;
    }
    return true;
  }

  FastRows& rows_;
  const char* base_;
  __m256i decimal_;
  Index first_row_ = 0, done_, count_ = 0; // done: fields in scratch; count: fields waiting
  Start starts_[kMostScratchRows];
  Waiting waiting_{};
};

// Applies the points noted beside the `held` rows in scratch to their columns.
[[gnu::always_inline]] inline void note_points(const FastRows& rows, Index held) {
  for (Index col = 0; col < rows.cols; ++col) {
    if (rows.kinds[col] != FieldKind::number || rows.real[col]) continue;
    const std::uint8_t* points = rows.points + col;
    for (Index i = 0; i < held; ++i, points += rows.cols) rows.real[col] |= *points;
  }
}

#else

template <bool all_numbers>
class RowStore {
public:
  [[gnu::always_inline]] RowStore(FastRows& rows, const char* base, Index)
      : rows_(rows), base_(base), decimal_(rows.decimal) {}

  [[gnu::always_inline]] bool row(const std::uint32_t* stop, Index held) {
    double* place = rows_.scratch + held * rows_.cols;
    const char* field = rows_.at;
    for (Index col = 0; col < rows_.cols; ++col) {
      const char* end = base_ + stop[col];
      const bool number = all_numbers || rows_.kinds[col] == FieldKind::number;
      if (!number || !fast_number(field, end, decimal_, place[col], rows_.real[col])) [[unlikely]]
        if (!rows_.field(rows_.owner, field, end, col, rows_.row, place + col)) return false;
      field = end + 1;
    }
    return true;
  }

  [[gnu::always_inline]] bool finish() { return true; }
  [[gnu::always_inline]] void emptied() {}

private:
  FastRows& rows_;
  const char* base_;
  DecimalMark decimal_;
};

[[gnu::always_inline]] inline void note_points(const FastRows&, Index) {} // the store did

#endif

} // namespace
} // namespace recta::csv
