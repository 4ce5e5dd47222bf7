// Which program a file is of, and the way to and from the disk.
#include "base/guard.hpp"
#include "data/input.hpp"
#include "foreign/liblinear_file.hpp"
#include "foreign/libsvm_file.hpp"
#include "model_file/atomic_write.hpp"

#include <algorithm>
#include <array>
#include <fstream>

namespace recta {
namespace {

constexpr std::string_view kLibsvm = "svm_type ", kLiblinear = "solver_type ";

} // namespace

Index ForeignModel::scores() const {
  return classes == 2 && type != "MCSVM_CS" ? 1 : classes;
}

Index ForeignModel::last_feature() const {
  if (program == "liblinear") return features;
  if (kernel != "precomputed") return index.empty() ? 0 : *std::ranges::max_element(index);
  return value.empty() ? 0 : static_cast<Index>(*std::ranges::max_element(value));
}

bool is_foreign_model(const std::string& path) {
  std::array<char, kLiblinear.size()> first{};
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), first.size());
  const std::string_view read(first.data(), static_cast<std::size_t>(file.gcount()));
  return read.starts_with(kLibsvm) || read.starts_with(kLiblinear);
}

Result<ForeignModel> parse_foreign(std::string_view bytes, const std::string& source) {
  return guarded(source, cure::kFree, [&]() -> Result<ForeignModel> {
    foreign::Lines lines(bytes, source);
    if (bytes.starts_with(kLibsvm)) return foreign::parse_libsvm(lines);
    if (bytes.starts_with(kLiblinear)) return foreign::parse_liblinear(lines);
    return fail(ErrorCode::bad_model_file, source, "it begins with neither \"svm_type\" nor \"solver_type\"",
                "give a model file of libsvm or liblinear");
  });
}

Result<ForeignModel> read_foreign(const std::string& path) {
  return guarded(path, cure::kFree, [&]() -> Result<ForeignModel> {
    auto input = Input::open(path);
    if (!input) return std::unexpected(input.error());
    const auto bytes = (*input)->read_all();
    if (!bytes) return std::unexpected(bytes.error());
    return parse_foreign(bytes->view(), path);
  });
}

std::string foreign_text(const ForeignModel& model) {
  return model.program == "libsvm" ? foreign::libsvm_text(model) : foreign::liblinear_text(model);
}

Result<void> write_foreign(const ForeignModel& model, const std::string& path) {
  return guarded(path, cure::kFree, [&] { return write_atomically(path, foreign_text(model)); });
}

} // namespace recta
