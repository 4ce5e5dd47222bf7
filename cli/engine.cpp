#include "engine.hpp"

#include "fit_flags.hpp"
#include "fitting.hpp"
#include "json.hpp"
#include "text_flags.hpp"

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
  for (const char* flag : {"stream", "holdout", "calibrate", "plot", "text-dir", "cluster", "max-vif", "components"})
    if (arguments.has(flag))
      return fail(ErrorCode::usage, std::string("--") + flag, "an engine does not do this",
                  "leave it out, or fit without --engine");
  if (options.missing == Missing::neighbours)
    return fail(ErrorCode::usage, "--missing",
                "the neighbours that fill values in are rows, which an engine has in parts",
                "take mean, indicator or drop");
  if (arguments.has("best-so-far") && !arguments.has("checkpoint"))
    return fail(ErrorCode::usage, "--best-so-far", "the best answer so far is in a checkpoint, and none is named",
                "give --checkpoint FILE as well");
  return {};
}

void params_field(Json& json, const Params& params) {
  json.key("params").object();
  for (const auto& [name, value] : params) std::visit([&](const auto& one) { json.field(name, one); }, value);
  json.end();
}

void label_fields(Json& json, const FitOptions& options) {
  json.field("label_set", options.label_set).field("label_separator", options.label_separator);
  json.list("label_columns", options.label_columns).list("chain", options.chain).field("chains", options.chains);
  json.field("chain_seed", static_cast<Index>(options.chain_seed)).field("threshold_share", options.threshold_share);
  json.key("label_thresholds").array();
  for (const auto& [label, threshold] : options.label_thresholds) json.array().value(label).value(threshold).end();
  json.end();
}

std::string job_of(const Arguments& arguments, const FitOptions& options, const std::string& file) {
  Json json;
  json.object().field("word", arguments.word(0)).field("path", arguments.word(1)).field("file", file);
  json.field("master", arguments.text("master")).field("checkpoint", arguments.text("checkpoint"));
  json.field("best_so_far", arguments.has("best-so-far"));
  json.field("order", arguments.text("sort-by"));
  json.list("ignore", options.ignore).key("options").object();
  json.list("target", options.target).field("weights", options.weights).field("offset", options.offset);
  label_fields(json, options);
  json.field("multiclass", options.multiclass);
  json.field("positive", options.positive).field("balanced", options.balanced);
  json.key("class_weights").array();
  for (const auto& [label, factor] : options.class_weights) json.array().value(label).value(factor).end();
  json.end();
  json.field("poly", options.poly)
      .field("poly_terms", word_of(options.poly_terms))
      .list("basis", options.basis)
      .list("feature", options.feature);
  json.field("intercept", options.intercept).field("standardise", options.standardise);
  json.field("tolerance", options.tolerance).field("confidence", options.confidence);
  json.field("errors", errors_name(options.errors)).field("time_limit", options.time_limit);
  json.field("condition_low", options.condition_low).field("condition_high", options.condition_high);
  json.field("seed", static_cast<Index>(options.seed))
      .field("intervals", options.intervals)
      .field("missing", word_of(options.missing));
  json.field("unseen", options.unseen == Unseen::zeros ? "zeros" : "refuse");
  json.field("weights_are", options.weights_are == WeightMeaning::frequency ? "frequency" : "precision");
  text_settings_field(json, options);
  params_field(json, options.params);
  json.end().end();
  return json.text();
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
