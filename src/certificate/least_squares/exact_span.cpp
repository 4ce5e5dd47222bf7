#include "certificate/least_squares/exact_span.hpp"

#include "stats/pass.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

namespace recta {
namespace {

using Word = std::uint64_t;
__extension__ typedef unsigned __int128 DoubleWord;

constexpr double kMostSpanWork = 3e8; // products modulo a prime: about a second
constexpr double kPrimeBits = 60;     // every prime is above 2^60

Word times(Word a, Word b, Word p) {
  return static_cast<Word>(static_cast<DoubleWord>(a) * b % p);
}
Word power(Word base, Word exponent, Word p) {
  Word out = 1;
  for (; exponent > 0; exponent >>= 1, base = times(base, base, p))
    if (exponent & 1) out = times(out, base, p);
  return out;
}

// a b / 2^64 modulo p, for a, b < p < 2^63 and `inverse` of -p modulo 2^64 (Montgomery 1985): no division.
Word times_reduced(Word a, Word b, Word p, Word inverse) {
  const DoubleWord product = static_cast<DoubleWord>(a) * b;
  const Word multiple = static_cast<Word>(product) * inverse;
  const auto out = static_cast<Word>((product + static_cast<DoubleWord>(multiple) * p) >> 64);
  return out >= p ? out - p : out;
}

// Newton's steps double the bits that are right; p is its own inverse modulo 8.
Word inverse_of_negative(Word p) {
  Word x = p;
  for (int k = 0; k < 5; ++k) x *= 2 - p * x;
  return ~x + 1;
}

// Miller and Rabin; with these bases it is exact below 2^64 (Sorenson and Webster 2015).
bool is_prime(Word n) {
  const int twos = std::countr_zero(n - 1);
  for (const Word base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    Word x = power(base, (n - 1) >> twos, n);
    if (x == 1 || x == n - 1) continue;
    bool composite = true;
    for (int k = 1; composite && k < twos; ++k) {
      x = times(x, x, n);
      composite = x != n - 1;
    }
    if (composite) return false;
  }
  return true;
}

std::vector<Word> primes(std::size_t count) {
  std::vector<Word> out;
  for (Word n = (Word{1} << 61) - 1; out.size() < count; n -= 2)
    if (is_prime(n)) out.push_back(n);
  return out;
}

// x = sign * whole * 2^exponent, the whole number odd.
struct Whole {
  Word whole = 0;
  int exponent = 0;
  bool negative = false;

  explicit Whole(double x) : negative(x < 0) {
    if (x == 0) return;
    int e = 0;
    whole = static_cast<Word>(std::ldexp(std::frexp(std::abs(x), &e), 53));
    const int twos = std::countr_zero(whole);
    whole >>= twos;
    exponent = e - 53 + twos;
  }
  int bits() const { return static_cast<int>(std::bit_width(whole)); }
};

// Calls with every number of a row that is not zero: its column, then the number in whole parts.
template <class F>
void for_each_number(const Batch& batch, Index i, F&& call) {
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    for (Index j = 0; j < dense->cols; ++j)
      for (const double x : {element(*dense, i, j), element_low(*dense, i, j)})
        if (x != 0) call(j, Whole(x));
    return;
  }
  const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
  for (Index s = 0; s < row.count; ++s)
    if (row.value[s] != 0) call(row.column(s), Whole(row.value[s]));
}

// The least exponent of every column, and where its numbers end.
struct Extents : Saved<Extents> {
  std::vector<Index> least, end;

  explicit Extents(Index cols = 0)
      : least(static_cast<std::size_t>(cols), kNone), end(static_cast<std::size_t>(cols), -kNone) {}
  void add(std::size_t j, Index from, Index to) {
    least[j] = std::min(least[j], from);
    end[j] = std::max(end[j], to);
  }
  void accumulate(const Batch& batch) {
    for (const Index i : present_rows(batch))
      for_each_number(batch, i, [&](Index j, const Whole& x) {
        add(static_cast<std::size_t>(j), x.exponent, x.exponent + x.bits());
      });
  }
  void merge(const Extents& other) {
    for (std::size_t j = 0; j < least.size(); ++j) add(j, other.least[j], other.end[j]);
  }
  bool finite() const { return true; }
  static constexpr std::string_view kTag = "extn", kName = "extents of columns";
  static void fields(auto& s, auto& io) { io.each(io.size(s.least), s.least, s.end); }

  double bits(std::size_t j) const { return end[j] > least[j] ? static_cast<double>(end[j] - least[j] + 1) : 0; }
  static constexpr Index kNone = 100000;
};

struct Field {
  Word prime = 0, inverse = 0, shift = 0; // inverse: of -prime modulo 2^64; shift: 2^64 modulo prime
  std::vector<Word> powers;               // 2^64 times those of two, from the least exponent on

  Word product(Word a, Word shifted) const { return times_reduced(a, shifted, prime, inverse); }
};
struct Fields {
  std::vector<Field> fields;
  Index least = 0;                // exponent
  std::vector<std::size_t> place; // of a column in a row here: the constant first, then those of the span
  std::size_t cols = 0;
  bool constant = false;
};

// Rows of echelon form modulo each prime: each is zero before its pivot, where it is 1, and after at most `rank` rows
// no more is needed.
struct Echelons : Saved<Echelons> {
  struct Row {
    std::size_t pivot = 0;
    std::vector<Word> x, shifted; // shifted: 2^64 x
  };
  std::shared_ptr<const Fields> moduli;
  std::vector<std::vector<Row>> rows; // by prime

  Echelons() = default;
  explicit Echelons(std::shared_ptr<const Fields> of) : moduli(std::move(of)), rows(moduli->fields.size()) {}

  void add(std::size_t k, std::vector<Word> x) {
    const Field& field = moduli->fields[k];
    const Word p = field.prime;
    for (const Row& row : rows[k]) {
      const Word factor = x[row.pivot];
      if (factor == 0) continue;
      for (std::size_t j = row.pivot; j < x.size(); ++j) {
        const Word off = field.product(factor, row.shifted[j]);
        x[j] = x[j] >= off ? x[j] - off : x[j] + (p - off);
      }
    }
    const auto at = std::ranges::find_if(x, [](Word each) { return each != 0; });
    if (at == x.end()) return;
    const auto pivot = static_cast<std::size_t>(at - x.begin());
    const Word inverse = power(*at, p - 2, p);
    for (std::size_t j = pivot; j < x.size(); ++j) x[j] = times(x[j], inverse, p);
    std::vector<Word> shifted;
    for (const Word each : x) shifted.push_back(times(each, field.shift, p));
    const auto place = std::ranges::upper_bound(rows[k], pivot, {}, &Row::pivot);
    rows[k].insert(place, Row{pivot, std::move(x), std::move(shifted)});
  }
  void accumulate(const Batch& batch) {
    for (const Index i : present_rows(batch))
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const Field& field = moduli->fields[k];
        std::vector<Word> x(moduli->cols);
        for_each_number(batch, i, [&](Index j, const Whole& number) {
          const Word scaled =
              field.product(number.whole, field.powers[static_cast<std::size_t>(number.exponent - moduli->least)]);
          Word& sum = x[moduli->place[static_cast<std::size_t>(j)]];
          sum = (sum + (number.negative && scaled != 0 ? field.prime - scaled : scaled)) % field.prime;
        });
        if (moduli->constant) x[0] = 1;
        add(k, std::move(x));
      }
  }
  void merge(const Echelons& other) {
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (const Row& row : other.rows[k]) add(k, row.x);
  }
  bool finite() const { return true; }
  static constexpr std::string_view kTag = "eche", kName = "rows of echelon form";
  // Without the moduli, and with rows that merge() brings to their form.
  static void fields(auto& s, auto& io) {
    io.make_room(io.size(s.rows), s.rows);
    for (auto& each : s.rows) {
      io.make_room(io.size(each), each);
      for (auto& row : each) io.each(io.size(row.x), row.x);
    }
  }
  bool same_kind(const Echelons& other) const {
    const auto right = [&](const Row& row) { return row.x.size() == moduli->cols; };
    return other.rows.size() == rows.size() &&
           std::ranges::all_of(other.rows, [&](const auto& each) { return std::ranges::all_of(each, right); });
  }
};

// Bits of a minor of `size` columns, at most. The constant has one bit.
double minor_bits(const Extents& extents, Index size) {
  std::vector<double> bits{1};
  for (std::size_t j = 0; j < extents.least.size(); ++j) bits.push_back(extents.bits(j));
  std::ranges::sort(bits, std::greater<>{});
  double sum = static_cast<double>(size) / 2 * std::log2(static_cast<double>(size)) + 1;
  for (Index s = 0; s < std::min(size, std::ssize(bits)); ++s) sum += bits[static_cast<std::size_t>(s)];
  return sum * (1 + 1e-9);
}

std::shared_ptr<const Fields> fields_for(const Extents& extents, Index count, const std::vector<Index>& some,
                                         bool constant) {
  auto out = std::make_shared<Fields>();
  out->constant = constant;
  out->cols = constant ? 1 : 0;
  out->place.assign(extents.least.size(), 0);
  std::vector<char> placed(out->place.size());
  const auto put = [&](std::size_t j) { placed[j] = 1, out->place[j] = out->cols++; };
  for (const Index j : some) put(static_cast<std::size_t>(j));
  for (std::size_t j = 0; j < placed.size(); ++j)
    if (!placed[j]) put(j);
  out->least = std::ranges::min(extents.least);
  const Index end = std::max(out->least, std::ranges::max(extents.end));
  for (const Word p : primes(static_cast<std::size_t>(count))) {
    Field& field = out->fields.emplace_back(Field{p, inverse_of_negative(p), power(2, 64, p), {power(2, 64, p)}});
    for (Index e = out->least; e < end; ++e) {
      const Word twice = 2 * field.powers.back();
      field.powers.push_back(twice >= p ? twice - p : twice);
    }
  }
  return out;
}

} // namespace

Result<SpanLooked> look_at_span(const std::vector<Index>& some, bool constant, Index count, const RowReader& reader,
                                const ReduceOptions& pass) {
  SpanLooked out;
  const auto rank = some.size() + (constant ? 1 : 0);
  const Index cols = reader.rows.cols();
  const double work = static_cast<double>(count) * static_cast<double>(cols + 1) * static_cast<double>(rank + 1);
  if (work > kMostSpanWork) return out;
  const auto extents = fresh_pass(reader, Extents(cols), pass);
  if (!extents) return std::unexpected(extents.error());
  ++out.passes;
  const double needed = std::ceil(minor_bits(*extents, static_cast<Index>(rank) + 1) / kPrimeBits);
  if (work * needed > kMostSpanWork) return out;
  const auto fields = fields_for(*extents, static_cast<Index>(needed), some, constant);
  const auto echelons = fresh_pass(reader, Echelons(fields), pass);
  if (!echelons) return std::unexpected(echelons.error());
  ++out.passes;
  const auto no_more = [&](const std::vector<Echelons::Row>& each) { return each.size() <= rank; };
  const auto independent = [&](const std::vector<Echelons::Row>& each) {
    return std::ranges::count_if(each, [&](const Echelons::Row& row) { return row.pivot < rank; }) ==
           static_cast<std::ptrdiff_t>(rank);
  };
  out.all = std::ranges::all_of(echelons->rows, no_more) && std::ranges::any_of(echelons->rows, independent);
  return out;
}

} // namespace recta
