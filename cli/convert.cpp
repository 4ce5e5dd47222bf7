// recta convert: from one file format to another.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
#include "rows.hpp"
#include "table.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace recta::cli {

namespace {

Result<int> run_convert(const Arguments& arguments) {
  const Voice voice(arguments);
  Result<Dataset> data = read_data(arguments.word(0), arguments, voice);
  if (!data) return std::unexpected(data.error());
  const std::string to = arguments.word(1);
  if (to == "-") {
    Result<Output> out = Output::to_standard_output();
    write_csv(*out, *data, data->rows);
    if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
    return 0;
  }
  interrupt::remove_at_end(fmt::format("{}.{}.tmp", to, getpid())); // what write() calls a file until it is whole
  Result<void> written = write(*data, to, arguments.text("target"));
  interrupt::remove_at_end({});
  if (!written) return std::unexpected(written.error());
  voice.note(fmt::format("wrote {}: {}", to, count_text(data->rows, "row", "rows")));
  return 0;
}

} // namespace

CommandInfo convert_command() {
  FlagGroup output = output_flags();
  std::erase_if(output.flags, [](const FlagInfo& flag) { return flag.name == "json" || flag.name == "digits"; });
  return {.name = "convert",
          .summary = "write data in another format",
          .examples = {{"recta convert a.csv b.libsvm --target y", "the label is y"},
                       {"recta convert a.arff.gz b.csv", "any format that is read"},
                       {"recta convert a.npy -", "CSV on standard output"}},
          .words = {{"IN", WordKind::data}, {"OUT", WordKind::file}},
          .groups = {{"Writing",
                      {{.name = "target",
                        .kind = FlagKind::columns,
                        .value = "COL",
                        .summary = "the label column of a LIBSVM file"},
                       threads_flag()}},
                     output,
                     reading_flags()},
          .notes = "The format is that of OUT's ending: .csv .tsv .libsvm .svm .npy, each also .gz or .zst.",
          .run = run_convert};
}

} // namespace recta::cli
