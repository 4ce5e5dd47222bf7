#include "report/english.hpp"

#include <algorithm>
#include <utility>

namespace recta::report {
namespace {

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"advice.collinear.sparse",
     "advice\tcolumns nearly determine one another: penalise (fit ridge --condition 10:1000) "
     "or\ntransform them; recta check names them"},
    {"advice.collinear", "advice\tcolumns nearly determine one another: penalise (fit ridge --condition 10:1000), "
                         "select\n(--max-vif 10) or transform (--components 0.99); recta check names them"},
    {"alias", "aliased\t{feature} ={terms+}"},
    {"alias.constant", "aliased\t{feature} is constant"},
    {"alias.ignored", "aliased\t{feature} is ignored"},
    {"alias.more", "aliased\t... and {count} more; --all shows all"},
    {"alias.term.first", " {factor} {feature}"},
    {"alias.term.minus", " - {factor} {feature}"},
    {"alias.term.plus", " + {factor} {feature}"},
    {"classes.many", "classes\t{count} of {target}: {labels}"},
    {"classes.two", "classes\t{positive} (1) and {negative} (-1[: {rest}]) of {target}"},
    {"coefficients.more", "... and {count} smaller ones in standardised units; --all shows all"},
    {"design",
     "design\t{rows|row|rows}, {features|feature|features}[, {in_use} in use][, rank {rank}, condition number "
     "[{?estimate}about ]{condition:3} of the scaled columns]"},
    {"errors", "errors\t[{?classical}classical, one variance for all rows][by {clusters|cluster|clusters}]"
               "[{robust}, a variance of its own for each row], {freedom:6} degrees of freedom"},
    {"figure", "{title}: {value}"},
    {"likelihood.stated",
     "likelihood\tof the variances 1/weight that the weights state, AIC and BIC too; sigma and the standard errors\n"
     "are of a scale estimated beside them"},
    {"majority", "majority, always {class}"},
    {"list.more", ", ... and {count} more"},
    {"terms.more", " + ... {count} terms more"},
    {"model", "{word}[ of {targets}]"},
    {"model.title", "{word}[ of {targets}][ on {source}]\t[, {params}]"},
    {"objective", "objective\t{objective}"},
    {"penalty", "penalty\t[{target}: ][lambda1 = {lambda1}][psi = {psi}, whose multiplier is lambda1 = {multiplier}]"
                "[, lambda2 = {lambda2}]; from lambda1 = {lambda1_max} on all are zero; {nonzero} of {count} "
                "coefficients are not zero"},
    {"ratio", "all slopes zero: likelihood ratio {ratio}, {freedom|degree|degrees} of freedom, p = {p_value:~4}; AIC "
              "{aic}, BIC {bic}"},
    {"reference", "reference\t{levels}"},
    {"rows.more", "... and {count} more; --all shows all"},
    {"said", "{words}"},
    {"solver", "solver\t{name}: {reason}"},
    {"target", "target {target}\t"},
    {"calibrate.title", "{method} calibration of {model} on {source}\t, {rows}"},
    {"columns", "columns\t{note}"},
    {"confusion.large", "{count} classes: --json gives the confusion matrix"},
    {"eval.title", "{model} on {source}\t, {rows|row|rows}[, loss {loss}]"},
    {"held_out", "on {rows|row|rows} held out"},
    {"inspect.decision", "decides by {aim}[, threshold {threshold}]"},
    {"inspect.directions", "singular directions of the centred design\t"},
    {"inspect.ignored", "ignored {names}"},
    {"inspect.levels", "{levels}[ (reference {reference})]"},
    {"inspect.map", "map {map}[ at {learned}]"},
    {"inspect.needs", "what prediction needs\t"},
    {"inspect.offset", "offset {name}"},
    {"inspect.reading", "read with  {flags}"},
    {"inspect.rules", "missing values: {missing}; unseen categories: {unseen}"},
    {"inspect.sparse", "and {columns} sparse columns from {base} on"},
    {"inspect.trained",
     "trained on {rows|row|rows}, sha-256 {sha256}[{?held}; held out: --holdout {holdout} --seed {seed}]"},
    {"inspect.weights", "weights {name}"},
    {"labels.unseen", "the labels {labels} were not in training; every row that has them counts them as missed"},
    {"labels.unseen.one", "the label {labels} was not in training; every row that has it counts it as missed"},
    {"left_out", "left out\t{rows}"},
    {"left_out.alone", "left out {rows}"},
    {"left_out.column", "{column} ({rows|row|rows})"},
    {"left_out.rows", "{left_out} of {rows|row|rows}: [a value is missing in {columns}][{?somewhere}a value is "
                      "missing][{?both}; ][the weight is zero in {zero|row|rows}]"},
    {"terms.unknown", "{unknown} of {terms|term|terms} are not in the vocabulary and were left out[; "
                      "{without|row|rows} without any known term]"},
    {"text.buckets", "text\t{column}: {terms|bucket|buckets} of {documents|document|documents}, "
                     "{collisions|term|terms} share a bucket"},
    {"text.sequence", "text\t{column}: {documents|document|documents} as they are written, for the kernel"},
    {"text.terms", "text\t{column}: {terms|term|terms} of {documents|document|documents}"},
    {"thin.left_out", "every row left out"},
    {"thin.quicker", "a query is compared with {factor:3} times fewer rows"},
    {"thin.title", "{source}\t: {kept} of {rows|row|rows}, {method} ({percent:3} %)"},
    {"thin.training", "of all rows"},
    {"threshold.cost", "mean cost of a row"},
    {"threshold.costs", "The class of the least expected cost is taken: recta predict ... --decide."},
    {"threshold.score", "threshold of the score"},
    {"threshold.title", "{model} for {aim} on {source}\t, {rows|row|rows}"},
    {"threshold.two",
     "{class} is taken from this score on: recta predict ... --decide. These figures chose the threshold and are\na "
     "little too good; recta eval --decide --scores all on a third set of rows has the true ones."},
    {"time", "time\t{fit:s} to fit and prove[, {reading:s} to read]"},
    {"calibrated.against",
     "The scores of class {class} run against its rows: a is {a:3}. Look at the model before its probabilities."},
    {"calibrated.changed", "Calibration changes the class of {changed} of {rows} rows: {why}."},
    {"calibrated.coldest",
     "The scores tell all rows apart: the temperature is the least there is, and the probabilities "
     "are nearly 0 and 1. More rows, or platt, give better ones."},
    {"calibrated.half", "the probability passes one half elsewhere than at the model's border"},
    {"calibrated.hottest", "The scores say nothing about the classes: the temperature is the largest there is, and all "
                           "classes are nearly as probable."},
    {"calibrated.shares", "each class has a map of its own, and the largest share of their sum decides"},
    {"calibrated.step", "a step passes one half, or is level, elsewhere than at the model's border"},
    {"calibrated.ties", "the model breaks ties in a way that its scores do not show"},
    {"calibrated.unchanged", "Calibration changes the class of none of its rows."},
    {"column.constant", "{column} is constant in all rows and plays no part."},
    {"explain.classes", "Every number is less the mean over the classes: only differences count."},
    {"explain.row", "Row {row} is predicted as {answer}."},
    {"explain.target", "{target} {value:6}"},
    {"knn.best", "k = {k} has the least error when every row is predicted by the others: {error:17}."},
    {"knn.no_voters", "No training row lies within the radius."},
    {"labels.always", "Every row has the label {label} in training: it is a constant, not a model."},
    {"labels.chain", "The chain reads {labels}."},
    {"labels.chains", "There are {count} chains more."},
    {"labels.never", "No row has the label {label} in training: it is a constant, not a model."},
    {"lda.constant_in_classes",
     "{column} is constant inside every class and differs between them: it separates classes exactly, and plays no "
     "part here, since nothing inside the classes says how much it counts. Shrinkage gives it a variance."},
    {"lda.linear", "The scores are linear in the features: recta convert --as linear gives their weights."},
    {"lda.rank", "The covariance inside the classes has rank {rank} of {columns}: directions in which no class varies "
                 "play no part. Shrinkage gives them a variance."},
    {"lof.equal_rows", "Some rows have as many equal rows as there are neighbours to find: their density is "
                       "infinite, and their factor 1."},
    {"naive-bayes.constant",
     "{column} is constant in class {class}: its variance there is the smoothing alone, {variance:3}."},
    {"naive-bayes.contributions",
     "The contributions are naive: columns that depend on one another count their evidence twice."},
    {"naive-bayes.long", "There are {estimates} estimates per class, too many for a table."},
    {"naive-bayes.missing",
     "{column} is missing in every row of class {class}, which takes its mean and variance over all classes."},
    {"naive-bayes.naive", "The probabilities are naive: not calibrated. Columns that depend on one another count their "
                          "evidence twice; recta calibrate is the cure."},
    {"naive-bayes.very_long",
     "There are {estimates} estimates per class, too many for a report; the model file has them."},
    {"nearest-centroid.manhattan", "Distances are sums of absolute differences in the units of the data."},
    {"nearest-centroid.units",
     "Distances are those of the units of the data: a column with larger numbers counts more."},
    {"one-class.levels", "Every level from {lowest:17} to {highest:17} is optimal, and this is the middle."},
    {"qda.flat",
     "The rows of class {class} do not vary in every direction in which all rows do, so that it has no density to "
     "compare: {share:3} of the variances of all rows is added to its own. Shrinkage, towards-pooled or regularisation "
     "do it by more."},
    {"qda.rank", "{rank} of {columns} columns count; the others are combinations of earlier ones in all rows."},
    {"svm.intercepts", "Every intercept from {lowest:17} to {highest:17} is optimal, and this is the middle."},
    {"svm.passes",
     "Support vectors and multipliers are not listed: the rows were read in passes, and nothing was kept of "
     "single rows. A fit of rows in memory lists them."},
    {"blank", ""},
    {"certificate", "{verdict}: {claim}{conditions*}."},
    {"condition", "; {words}"},
    {"verdict.proved", "Proved"},
    {"verdict.measured", "Measured, not proved"},
    {"verdict.within_tolerance", "Within tolerance, not proved"},
    {"verdict.within_rounding", "Within what rounding can cost, not proved"},
    {"verdict.changed_by_hand", "Changed by hand, not proved"},
    {"verdict.stopped_early", "Stopped early ({stop}), not proved"},
    {"verdict.refuted", "Refuted"},
    {"claim.checked", "checked in a fresh pass over the rows"},
    {"claim.from_merged_statistics", "computed from merged statistics, without a fresh pass over the rows"},
    {"claim.within", "the objective {objective:6} is within {distance:^} of the optimum (tolerance {tolerance:2})"
                     "[{?duality}, by its duality gap]; {how}"},
    {"claim.within_rounding", "the objective {objective:6} is {distance:^} above the optimum as computed, and the "
                              "rounding of the check may hide "
                              "{slack:^} more (tolerance {tolerance:2})[{?duality}, by its duality gap]; {how}"},
    {"claim.above", "the objective {objective:6} may be {distance:^} above the optimum (tolerance {tolerance:2})"
                    "[{?duality}, by its duality gap]; {how}"},
    {"claim.not_within", "the objective {objective:6} is {distance:2} above the optimum, more than the tolerance "
                         "{tolerance:2}; {how}"},
    {"claim.kkt_residual",
     "the optimality condition holds up to {residual:2} (tolerance {tolerance:2}), a residual and "
     "no bound on the objective[; {how}]"},
    {"claim.separating_hyperplane",
     "the hyperplane separates the classes; every row lies at least {margin:6} on its side"},
    {"claim.not_separating", "the hyperplane does not separate the classes: the smallest margin is {margin:2}"},
    {"claim.not_separable", "no hyperplane separates the classes: {rows} rows, weighted, cancel up to {residual:2}"},
    {"claim.no_finite_maximum",
     "the likelihood has no finite maximum: it rises for ever along the direction stored with the model"},
    {"claim.counted", "the answer is a ratio of counts, exact by construction"},
    {"claim.searched", "every one of {candidates} candidates was compared"},
    {"claim.stationary",
     "a stationary point of a cost that is not convex (gradient {gradient:2}); no proof of an optimum"},
    {"claim.not_stationary",
     "the gradient is {gradient:2}, not yet a stationary point of a cost that is not convex; no "
     "proof of an optimum"},
    {"claim.changed_by_hand",
     "the coefficients are not those of the fit; verify says how far from the optimum they are"},
    {"claim.not_measured", "there was no time to see how far from the optimum it is; verify says it"},
    {"compare.ratio", "likelihood ratio {ratio}, chi squared with {added}, p = {p_value:4}"},
    {"curve.bias.classes", "Of more than two classes bias and variance do not add up to the error rate."},
    {"curve.bias.numbers",
     "The error is exactly the sum. Bias and noise cannot be told apart without several y of the same x."},
    {"curve.bias.title", "{model} for {target} in {source}, {rows} rows, {samples} bootstrap samples"},
    {"curve.bias.two", "The error rate is exactly bias and net variance: variance where most fits are right, less that "
                       "where they are wrong."},
    {"curve.failed", "{value}: {failure}"},
    {"curve.over.title", "{model} for {target} in {source}, {rows} rows, {splits} splits"},
    {"curve.title", "{model} for {target} in {source}, {rows} rows, {folds} folds"},
    {"cv.failed", "failed{place+}: {failure}"},
    {"cv.fitted", "fitted to all rows: {claim}"},
    {"cv.place", " {name} = {value}"},
    {"cv.title", "{model} for {target} in {source}, {rows} rows, {splits|split|splits}"},
    {"kernel.formula", "kernel\t{kernel}"},
    {"kernel.rows", "rows\t{rows} of {source}"},
    {"path.chosen", "lambda = {lambda}: {certificate}"},
    {"path.condition", "condition\tat lambda {lambda}: {conditions}"},
    {"path.gap", "gap\tat most {gap:3} at every point, by the solver's own count[; {checked|point|points} under a "
                 "small penalty solved alone, {proved} proved in a fresh pass over the rows]"},
    {"path.gap.proved", "gap\tat most {gap:3} at every point, each proved in a fresh pass over the rows"},
    {"path.gap.some", "gap\tat most {gap:3} at every point, in a fresh pass over the rows; proved to the tolerance at "
                      "{proved} of {points} points"},
    {"path.stopped", "stopped\t{sentence}; what was not finished chooses none"},
    {"path.stopped.points",
     "stopped\t{sentence}; {points|is|are} there, and none is chosen: the best may be among those missing"},
    {"path.title", "path of {model} of {target} on {source}\t, {rows|row|rows}, {features|feature|features}"},
    {"version", "recta {version}"},
    {"check.class", "{label} ({rows})"},
    {"check.classes", "  as labels, with their rows: {classes}"},
    {"check.cost",
     "a fit would take about {reading:s} to read the data, {fit:s} to fit and prove; of memory {table_bytes:B} "
     "for the table,\nwhich --stream does not keep, and {fit_bytes:B} for the fit"},
    {"check.duplicate", "same values as {column}"},
    {"check.engine", "--engine spark would take about {time:s} with {machines} machines like this one"},
    {"check.engine.later", "this machine is enough: --engine spark pays from about {rows:1} such rows"},
    {"check.missing", "first missing in row {row}"},
    {"check.rank",
     "rank {rank} of {features}, condition number {condition:3} of the scaled columns, scale spread {scale_spread:3}"},
    {"check.target", "target {name}\t: {type}, {distinct} distinct[, from {lowest} to {highest}, mean {mean}, sd "
                     "{deviation}][{?constant}, constant][{?complete}, none missing][, missing in {missing|row|rows}, "
                     "first in row {first}]"},
    {"check.title",
     "{source}\t: {rows|row|rows}, {columns|column|columns}, {features|numeric feature|numeric features}"},
    {"check.title.table", "{rows|row|rows}\t, {columns|column|columns}, {features|numeric feature|numeric features}"},
    {"columns.title", "columns"},
    {"diagnose.bounds", "remarked on above leverage {leverage:3}, Cook {cooks_distance:3}, DFFITS {dffits:3}"},
    {"diagnose.fine", "  nothing that speaks against the fit"},
    {"diagnose.index", "condition index {index:4}: {shares}"},
    {"diagnose.index.none", "condition index {index:4}: no coefficient has much of its variance here"},
    {"diagnose.press", "PRESS {press}, predicted r2 {predicted_r2}, skewness {skewness:4}, kurtosis {kurtosis:4}"},
    {"diagnose.rows", "most influential rows[ for {target}]"},
    {"diagnose.title.model",
     "{model} of {targets}\t: {rows|row|rows}, {parameters} parameters, {degrees_of_freedom} degrees "
     "of freedom"},
    {"diagnose.title", "{file} on {source}\t, {model} of {targets}: {rows|row|rows}, {parameters} parameters, "
                       "{degrees_of_freedom} degrees of freedom"},
    {"item", "  {words}"},
    {"rows.counted", "{count} rows in all; --all lists them"},
    {"separable.beyond", "beyond doubles"},
    {"separable.classes",
     "{apart} of {classes} classes can be separated from the rest; --json has every hyperplane and multiplier."},
    {"separable.margin", "widest margin {lower}[, the root of {squared}]"},
    {"separable.margin.between", "widest margin between {lower:17} and {upper:17}"},
    {"separable.mistakes", "a perceptron from zero makes at most {mistakes:17} mistakes: R {radius}, B {norm}"},
    {"separable.mistakes.beyond",
     "a perceptron from zero makes no more than (R B)^2 mistakes, which is beyond the doubles: R {radius}, B {norm}"},
    {"separable.on", "rows on the hyperplane: {rows}"},
    {"separable.origin", "distance of the origin {distance}"},
    {"separable.pair", "{positive} and {negative} ({verdict})"},
    {"separable.pairs", "{apart} of {pairs} pairs of classes can be separated[; not {others}]."},
    {"separable.title",
     "{source}\t: {rows|row|rows}, {features|feature|features}; {target} {positive} ({positives|row|rows}) against "
     "{negative} ({negatives|row|rows})[{?origin}; hyperplanes through the origin]"},
    {"separable.title.classes", "{source}\t: {rows|row|rows}, {features|feature|features}; {classes|class|classes}, "
                                "each against the rest[{?origin}; hyperplanes through the origin]"},
    {"separable.verdict", "{verdict}[{?exact}, exact][{?proved}, proved]"},
    {"trace.diverged", "It {stop}. The best cost was {cost}."},
    {"trace.ended", "Ended: {stop}; cost {cost}."},
    {"trace.safe", "rate\ta constant rate below {rate} is safe"},
    {"trace.settings", "{model} of {target} by {solver}, {count} settings side by side"},
    {"trace.title",
     "{model} of {target}[ on {source}] by {solver}[{?each}, each class against the rest][, {label} against the rest]"},
    {"trace.units", "units\tweights are those of (x - mean) / sd"},
};

} // namespace

std::string_view english(std::string_view key) {
  const auto* const at = std::ranges::find(kWords, key, &std::pair<std::string_view, std::string_view>::first);
  return at == std::end(kWords) ? key : at->second;
}

} // namespace recta::report
