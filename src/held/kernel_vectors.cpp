// The rows and the kernel of a body, and both in a model file. Nothing that is read is believed before it is compared
// with everything it points into.
#include "base/numbers.hpp"
#include "held/kernel_data.hpp"
#include "kernel/combined.hpp"
#include "stats/from_zero_up.hpp"
#include "stats/rows.hpp"
#include "text/characters.hpp"
#include "text/read_terms.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace recta {

namespace {

// In UTF-8, which is what the bytes are already.
std::string document_of(const std::u32string& text, bool bytes) {
  if (!bytes) return text::utf8_of(text);
  std::string out;
  for (const char32_t code : text) out.push_back(static_cast<char>(code));
  return out;
}

std::u32string codes_of(std::string_view document, bool bytes) {
  if (!bytes) return text::codes_of(document);
  std::u32string out;
  for (const char byte : document) out.push_back(static_cast<unsigned char>(byte));
  return out;
}

} // namespace

void KernelVectors::take(const KernelData& from) {
  features = from.held->cols(), sparse = from.sparse(), texts = from.texts, bytes = from.bytes;
  if (texts) {
    for (const Index i : rows) documents.push_back(document_of(from.text(i), bytes));
    return;
  }
  std::vector<double> x(at(features));
  if (sparse) start = {0};
  if (!sparse) dense.reserve(rows.size() * x.size());
  for (const Index i : rows) {
    from.write_out(i, x.data());
    if (!sparse) {
      dense.insert(dense.end(), x.begin(), x.end());
      continue;
    }
    for (Index j = 0; j < features; ++j)
      if (x[at(j)] != 0) index.push_back(j), value.push_back(x[at(j)]);
    start.push_back(std::ssize(index));
  }
}

void KernelVectors::add_to(kernel::Points& points, Index k) const {
  if (texts) return points.add(codes_of(documents[at(k)], bytes));
  if (!sparse) {
    points.add(dense.data() + k * features, rows[at(k)]);
    return;
  }
  std::vector<double> x(at(features));
  for (Index s = start[at(k)]; s < start[at(k) + 1]; ++s) x[at(index[at(s)])] = value[at(s)];
  points.add(x.data(), rows[at(k)]);
}

kernel::Points KernelVectors::points(const kernel::Kernel& kernel) const {
  std::vector<Index> all(rows.size());
  std::iota(all.begin(), all.end(), Index{0});
  return points(kernel, all);
}

kernel::Points KernelVectors::points(const kernel::Kernel& kernel, std::span<const Index> places) const {
  const auto count = std::ssize(rows);
  std::vector<double> about = kernel.reads_texts() ? std::vector<double>() : centre;
  if (about.empty() && kernel.centred() && !kernel.reads_texts() && !sparse && count > 0) {
    about.resize(at(features));
    for (Index k = 0; k < count; ++k)
      for (Index j = 0; j < features; ++j) about[at(j)] += dense[at(k * features + j)] / static_cast<double>(count);
  }
  kernel::Points out =
      kernel.reads_texts() ? kernel::Points(kernel.texts()) : kernel::Points(features, sparse, std::move(about));
  out.expect(std::ssize(places));
  for (const Index k : places) add_to(out, k);
  return out;
}

void KernelVectors::write(TensorWriter& out, const std::string& prefix, bool numbers_only) const {
  const auto count = std::ssize(rows);
  out.add(prefix + ".rows", rows, {count});
  if (numbers_only) return;
  if (texts) {
    out.add(prefix + ".texts", documents);
    return;
  }
  if (!sparse) {
    out.add(prefix + ".vectors", dense, {count, features});
    if (!centre.empty()) out.add(prefix + ".centre", centre, {features});
    return;
  }
  out.add(prefix + ".vectors.start", start, {std::ssize(start)});
  out.add(prefix + ".vectors.index", index, {std::ssize(index)});
  out.add(prefix + ".vectors.value", value, {std::ssize(value)});
}

void KernelVectors::read(FieldReader& in, const std::string& prefix, const kernel::Kernel& kernel, const Schema& schema,
                         bool numbers_only) {
  rows = in.counts(prefix + ".rows");
  if (!in.ok() || numbers_only) return;
  const auto count = std::ssize(rows);
  texts = schema.texts.size() == 1 && schema.texts[0].is_sequence();
  bytes = texts && schema.texts[0].options.unit == TermUnit::bytes;
  in.require(texts == kernel.reads_texts(), "its kernel does not read the columns of its schema");
  if (!in.ok()) return;
  if (texts) {
    documents = in.strings(prefix + ".texts");
    in.require(std::ssize(documents) == count, fmt::format("\"{}.texts\" has another size", prefix));
    for (const std::string& document : documents) {
      in.require(text::check_utf8(document, {}, {}).has_value(), "one of its texts is not UTF-8");
      if (!in.ok()) return;
      in.require(kernel.fault(codes_of(document, bytes)).empty(), "its kernel does not take one of its texts");
    }
    return;
  }
  in.require(!kernel.by_place() || std::ranges::all_of(rows, [&](Index row) { return row < features; }),
             fmt::format("\"{}.rows\" points beyond the columns of its kernel", prefix));
  if (!in.ok()) return;
  if (!sparse) {
    dense = in.doubles(prefix + ".vectors");
    in.require(std::ssize(dense) == count * features, fmt::format("\"{}.vectors\" has another size", prefix));
    if (in.has(prefix + ".centre")) {
      centre = in.doubles(prefix + ".centre");
      in.require(std::ssize(centre) == features, fmt::format("\"{}.centre\" has another size", prefix));
    }
    return;
  }
  start = in.counts(prefix + ".vectors.start");
  index = in.counts(prefix + ".vectors.index");
  value = in.doubles(prefix + ".vectors.value");
  if (!in.ok()) return;
  in.require(std::ssize(start) == count + 1 && start.front() == 0 && start.back() == std::ssize(index) &&
                 std::ranges::is_sorted(start) && index.size() == value.size() &&
                 std::ranges::all_of(index, [&](Index j) { return j < features; }),
             fmt::format("\"{}.vectors\" are not rows of these features", prefix));
}

namespace {

Result<void> check_faults(const kernel::Settings& settings, const kernel::Kernel& kernel, const Batch& rows) {
  const auto* const codes = std::get_if<SparseView>(&rows.x);
  for (const Index i : present_rows(rows)) {
    const std::string fault = codes ? kernel.fault(kernel::text_of(*codes, i)) : "it is not a text";
    if (!fault.empty())
      return fail(ErrorCode::bad_data, fmt::format("row {}", rows.first_row + i + 1), fault,
                  fmt::format("correct the text: the kernel {} reads it", settings.word));
  }
  return {};
}

// The terms of an expansion that lie in a block of points, side by side.
class TermsInBlocks {
public:
  TermsInBlocks(const Expanded& expanded, Index queries)
      : expanded_(expanded), rows_(queries), sums_(at(queries)), sum_(at(queries)), size_(at(queries)) {}

  void add(Index first, Index count, const double* values, Index stride) {
    if (expanded_.support.empty()) return add_terms(count, expanded_.beta.data() + first, values, stride);
    const std::size_t begin = next_;
    while (next_ < expanded_.support.size() && expanded_.support[next_] < first + count) ++next_;
    if (next_ == begin) return;
    const auto some = static_cast<Index>(next_ - begin);
    room_.resize(at(rows_ * some));
    for (Index q = 0; q < rows_; ++q)
      for (Index s = 0; s < some; ++s)
        room_[at(q * some + s)] = values[q * stride + expanded_.support[begin + at(s)] - first];
    add_terms(some, expanded_.beta.data() + begin, room_.data(), some);
  }
  double score(std::size_t query) const { return sums_[query].taken().value + expanded_.b; }

private:
  void add_terms(Index count, const double* beta, const double* values, Index stride) {
    simd::kernels().term_sums({values, rows_, count, stride}, beta, sum_.data(), size_.data());
    for (std::size_t q = 0; q < sums_.size(); ++q) sums_[q].add_block(sum_[q], size_[q]);
  }

  const Expanded& expanded_;
  Index rows_;
  std::size_t next_ = 0; // of the support
  std::vector<kernel::Expanding> sums_;
  std::vector<double> sum_, size_, room_;
};

// use(query, expansion, score)
void expand_some(const kernel::Kernel& kernel, const kernel::Points& points, const kernel::Queries& queries,
                 std::span<const Expanded> expansions, const auto& use) {
  const Index rows = queries.count();
  std::vector<TermsInBlocks> sums;
  for (const Expanded& one : expansions) sums.emplace_back(one, rows);
  points.each_block(kernel, queries, [&](Index first, Index count, const double* values, Index stride) {
    for (TermsInBlocks& one : sums) one.add(first, count, values, stride);
  });
  for (std::size_t q = 0; q < at(rows); ++q)
    for (std::size_t p = 0; p < sums.size(); ++p) use(q, p, sums[p].score(q));
}

} // namespace

Result<void> expand(const kernel::Settings& settings, const kernel::Kernel& kernel, const kernel::Points& points,
                    const Batch& rows, std::span<const Expanded> expansions, double* out) {
  Batch features = rows;
  features.target = MatrixView{nullptr, rows.rows(), 0, 0, 1};
  if (auto good = check_numbers(features); !good) return good;
  if (kernel.reads_texts())
    if (auto good = check_faults(settings, kernel, rows); !good) return good;
  if (kernel.from_zero_up())
    if (auto good = check_from_zero_up(features, "the kernel " + settings.word); !good) return good;
  const std::vector<Index> present = present_rows(rows);
  constexpr std::size_t tile = kernel::Points::kQueriesTogether;
  for (std::size_t from = 0; from < present.size(); from += tile) {
    const std::span<const Index> some = std::span(present).subspan(from, std::min(tile, present.size() - from));
    kernel::Queries queries;
    points.expect(std::ssize(some), queries);
    for (const Index i : some) std::visit([&](const auto& view) { points.ask(view, i, queries); }, rows.x);
    expand_some(kernel, points, queries, expansions,
                [&](std::size_t q, std::size_t p, double score) { out[at(some[q]) * expansions.size() + p] = score; });
  }
  return {};
}

std::vector<FieldRule> kernel_rules(const std::string& prefix) {
  std::vector<FieldRule> out;
  for (const char* const setting :
       {".kernel", ".kernel_numbers", ".kernel_counts", ".kernel_decay", ".kernel_beta", ".kernel_network", ".shape"})
    out.push_back({prefix + setting, Rule::setting});
  for (const char* const rows :
       {".rows", ".texts", ".vectors", ".centre", ".vectors.start", ".vectors.index", ".vectors.value"})
    out.push_back({prefix + rows, Rule::recomputed});
  return out;
}

void write_kernel(TensorWriter& out, const std::string& prefix, const kernel::Settings& kernel) {
  out.add(prefix + ".kernel", std::vector<std::string>{kernel.word});
  out.add(prefix + ".kernel_numbers", std::vector<double>{kernel.gamma, kernel.coef}, {2});
  if (!kernel::make_kernel(kernel)->reads_texts()) return;
  const std::vector<Index> counts{kernel.length, kernel.mismatches, kernel.alphabet, kernel.rounds,
                                  kernel.normalise ? 1 : 0};
  out.add(prefix + ".kernel_counts", counts, {std::ssize(counts)});
  out.add(prefix + ".kernel_decay", std::vector<double>{kernel.decay}, {1});
  if (kernel.network.empty()) return;
  out.add(prefix + ".kernel_beta", std::vector<double>{kernel.beta}, {1});
  out.add(prefix + ".kernel_network", std::vector<std::string>{kernel.network});
}

kernel::Settings read_kernel(FieldReader& in, const std::string& prefix, Index degree) {
  const auto words = in.strings(prefix + ".kernel");
  const auto numbers = in.doubles(prefix + ".kernel_numbers");
  in.require(words.size() == 1 && numbers.size() == 2, "its kernel is not described");
  if (!in.ok()) return {};
  kernel::Settings out{words[0], numbers[0], numbers[1], degree};
  const auto info = kernel::find_kernel(words[0]);
  in.require(info.has_value(), "this Recta has no kernel \"" + words[0] + "\"");
  in.require(out.degree <= 1000, "the degree of its kernel is beyond all bounds");
  if (!in.ok() || !info->texts) return out;
  const auto counts = in.counts(prefix + ".kernel_counts");
  const auto decay = in.doubles(prefix + ".kernel_decay");
  in.require(counts.size() == 5 && decay.size() == 1, "its kernel is not described");
  if (!in.ok()) return out;
  out.length = counts[0], out.mismatches = counts[1], out.alphabet = counts[2], out.rounds = counts[3];
  out.normalise = counts[4] != 0, out.decay = decay[0];
  if (std::ranges::find(info->takes, "network") != info->takes.end()) {
    const auto beta = in.doubles(prefix + ".kernel_beta");
    const auto network = in.strings(prefix + ".kernel_network");
    in.require(beta.size() == 1 && network.size() == 1, "its kernel is not described");
    if (!in.ok()) return out;
    out.beta = beta[0], out.network = network[0];
  }
  in.require(counts[4] <= 1 && kernel::fault_of(out).empty(), "the numbers of its kernel are beyond their bounds");
  return out;
}

} // namespace recta
