#include "engine.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace recta::cli {
namespace {

// A folder of our own that is removed at the end.
class Scratch {
public:
  Scratch() : path_((std::filesystem::temp_directory_path() / "recta-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string file(const std::string& name) const { return path_.empty() ? "" : path_ + "/" + name; }

private:
  std::string path_;
};

// Refuses, before anything begins, options that an engine does not take.
Result<void> check_options(const Arguments& arguments, const FitOptions& options) {
  std::vector<std::string> flags = {"stream", "holdout", "calibrate", "plot", "text-dir"};
  for (const Option<FitOptions>& option : fit_option_table())
    if (option.more.reach == OptionReach::one_table) flags.push_back(option.flag());
  for (const std::string& flag : flags)
    if (arguments.has(flag))
      return fail(ErrorCode::usage, "--" + flag, "an engine does not do this", "leave it out, or fit without --engine");
  if (options.missing == Missing::neighbours)
    return fail(ErrorCode::usage, "--missing",
                "the neighbours that fill values in are rows, which an engine holds in parts",
                "take mean, indicator or drop");
  if (arguments.has("best-so-far") && !arguments.has("checkpoint"))
    return fail(ErrorCode::usage, "--best-so-far", "the best answer so far is in a checkpoint, and none is named",
                "give --checkpoint FILE as well");
  return {};
}

std::string job_of(const Arguments& arguments, const FitOptions& options, const std::string& file) {
  report::Group told;
  for (const Option<FitOptions>& option : fit_option_table())
    if (option.more.reach >= OptionReach::steering) told.add(std::string(option.name), option_value(option, options));
  return report::to_json({{"word", arguments.word(0)},
                          {"path", arguments.word(1)},
                          {"file", file},
                          {"master", arguments.text("master")},
                          {"checkpoint", arguments.text("checkpoint")},
                          {"best_so_far", arguments.has("best-so-far")},
                          {"order", arguments.text("sort-by")},
                          {"options", std::move(told)}});
}

// The ends of a child that never came to the fit.
constexpr int kNoRecta = 126, kNoPython = 127;
constexpr const char* kProgram = "import importlib.util, sys\n"
                                 "if importlib.util.find_spec('recta') is None: sys.exit(126)\n"
                                 "from recta._distributed.engine_program import main\n"
                                 "sys.exit(main())";

// Runs Python with the job as its standard input; its messages go to standard error.
Result<int> run_python(const std::string& python, const std::string& job) {
  int ends[2];
  if (pipe(ends) != 0) return fail(ErrorCode::failure, "--engine", std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) return fail(ErrorCode::failure, "--engine", std::strerror(errno));
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execlp(python.c_str(), python.c_str(), "-c", kProgram, nullptr);
    _exit(kNoPython);
  }
  close(ends[0]);
  const auto before = std::signal(SIGPIPE, SIG_IGN); // a child that ends early has a status
  std::size_t written = 0;
  while (written < job.size()) {
    const ssize_t some = ::write(ends[1], job.data() + written, job.size() - written);
    if (some <= 0) break; // the child is gone, and its status says why
    written += static_cast<std::size_t>(some);
  }
  close(ends[1]);
  std::signal(SIGPIPE, before);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

FlagGroup engine_flags() {
  return {"On many machines",
          {{.name = "engine",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary = "fit where the rows are; DATA is what Spark reads: Parquet, CSV, ... (docs/cluster.md)",
            .choices = {"spark"}},
           {.name = "master",
            .kind = FlagKind::text,
            .value = "URL",
            .summary = "of the cluster: spark://HOST:7077, yarn, local[2]",
            .initial = "Spark's own setting"},
           {.name = "sort-by",
            .kind = FlagKind::text,
            .value = "COL",
            .summary = "sort the rows by it first, so that a shuffle changes no bit of the model"},
           {.name = "checkpoint",
            .kind = FlagKind::file,
            .value = "FILE",
            .summary = "keep the answers so far, and go on from there"},
           {.name = "best-so-far",
            .summary =
                "the best answer of the checkpoint, without a further step, and how far it may be from the optimum"}}};
}

Result<Model> fit_by_engine(const Arguments& arguments, const FitOptions& options) {
  if (auto good = check_options(arguments, options); !good) return std::unexpected(good.error());
  const Scratch scratch;
  const std::string file = scratch.file("model.recta");
  if (file.empty()) return fail(ErrorCode::failure, "--engine", "no folder can be made for the model", "set TMPDIR");
  const char* chosen = std::getenv("RECTA_PYTHON");
  const std::string python = chosen != nullptr ? chosen : "python3";
  const auto status = run_python(python, job_of(arguments, options, file));
  if (!status) return std::unexpected(status.error());
  if (*status == kNoPython || *status == kNoRecta)
    return fail(ErrorCode::failure, "--engine",
                python + (*status == kNoPython ? " cannot be run" : " has no package recta"),
                "set RECTA_PYTHON to a Python that has recta and pyspark");
  if (*status != 0)
    return fail(*status == 2   ? ErrorCode::usage
                : *status == 3 ? ErrorCode::bad_data
                               : ErrorCode::failure,
                "--engine", fmt::format("the fit in {} ended with status {}", python, *status),
                "its own message stands above");
  return Model::load(file);
}

} // namespace recta::cli
