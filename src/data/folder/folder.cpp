#include "data/folder/folder.hpp"

#include "base/listening.hpp"
#include "data/dataset.hpp"
#include "data/input.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace recta {
namespace {

namespace fs = std::filesystem;

struct DocumentFile {
  std::string label, path; // label: empty if it lies in the folder itself
  auto operator<=>(const DocumentFile&) const = default;
};

// The files of a folder, without those that are hidden.
Result<void> add_files(const fs::path& folder, const std::string& label, std::vector<DocumentFile>& files) {
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with('.')) continue;
    std::error_code unknown;
    if (at->is_regular_file(unknown)) files.push_back({label, at->path().string()});
    if (!at->is_directory(unknown)) continue;
    if (!label.empty())
      return fail(ErrorCode::bad_data, at->path().string(), "is a folder within the folder of a class",
                  "put the documents of a class into one folder");
    if (auto done = add_files(at->path(), name, files); !done) return done;
  }
  if (error) return fail(ErrorCode::failure, folder.string(), "cannot be read: " + error.message());
  return {};
}

Result<std::string> document_in(const DocumentFile& file, const ReadOptions& options) {
  auto input = Input::open(file.path, options);
  if (!input) return std::unexpected(input.error());
  auto bytes = (*input)->read_all();
  if (!bytes) return std::unexpected(bytes.error());
  const std::string_view text = bytes->view();
  const std::size_t bad = invalid_utf8(text);
  if (bad == std::string_view::npos) return std::string(text);
  if (options.replace_invalid) return replaced_utf8(text);
  return fail(ErrorCode::bad_data, file.path, fmt::format("byte {} is not UTF-8", bad + 1),
              "convert the file first, or pass --bad-utf8 replace");
}

} // namespace

Result<Dataset> read_folder(const std::string& path, const ReadOptions& options) {
  std::vector<DocumentFile> files;
  if (auto done = add_files(path, "", files); !done) return std::unexpected(done.error());
  if (files.empty())
    return fail(ErrorCode::bad_data, path, "is a folder without documents",
                "name a file, or a folder with a folder of documents for each class");
  std::ranges::sort(files);
  Dataset data;
  data.source = path;
  data.rows = std::ssize(files);
  data.columns.resize(2);
  Column &text = data.columns[0], &label = data.columns[1];
  text.name = "text";
  text.type = ColumnType::text;
  label.name = "label";
  label.type = ColumnType::category;
  for (const DocumentFile& file : files) {
    keep_going();
    auto document = document_in(file, options);
    if (!document) return std::unexpected(document.error());
    text.levels.push_back(*std::move(document));
    if (!file.label.empty() && (label.levels.empty() || label.levels.back() != file.label))
      label.levels.push_back(file.label);
    label.codes.push_back(file.label.empty() ? -1 : static_cast<std::int32_t>(label.levels.size()) - 1);
    if (options.max_memory > 0 && data.bytes() > options.max_memory)
      return fail(ErrorCode::bad_data, path, "its documents take more memory than they may", "raise --max-memory");
  }
  sort_levels(label);
  return data;
}

} // namespace recta
