# Lasso, elastic net, multi-task lasso, Poisson, logistic and softmax regression of built-in sets by glmnet: the answers that
# test_glmnet.py expects, in glmnet.json. At thresh 1e-20 they have 8 digits, a small coefficient 7; at 1e-25, as here, 10.
# Run where R is (Debian: r-cran-glmnet), with recta on the path:
#
#   Rscript tests/peers/glmnet.R > tests/peers/glmnet.json
#
# What glmnet minimises, with its lambda and alpha (for one gaussian target sd is that of y, divided by n and weighted):
#   gaussian      sum_i v_i (y_i - z_i)^2 / (2 sum v) + lambda (alpha sum |w_j| + (1 - alpha)/(2 sd) sum w_j^2)
#   mgaussian     sum_it (y_it - z_it)^2 / (2 n) + lambda sum_j ||w_j||
#   the others    mean negative log-likelihood + lambda (alpha sum |w_j| + (1 - alpha)/2 sum w_j^2)
# Its penalty factors are scaled until they sum to p, so those below do.
suppressMessages({library(glmnet); library(Matrix)})

table <- function(name) read.csv(text = system2("recta", c("data", name), stdout = TRUE), check.names = FALSE)
number <- function(x) sprintf("%.17g", x)
object <- function(names, values) paste0("{", paste0("\"", names, "\": ", values, collapse = ", "), "}")
coefficients <- function(b) object(c("intercept", rownames(b)[-1]), number(b[, 1]))

exact <- function(x, y, ..., thresh = 1e-25) glmnet(x, y, thresh = thresh, maxit = 1e7, ...)

glmnet.control(fdev = 0, devmax = 1)
housing <- table("housing")
longley <- table("longley")
iris <- table("iris")
digits <- table("digits")
x <- as.matrix(housing[, 1:13])
y <- housing$price
few <- x[, colnames(x) != "age"]

one <- function(fit) coefficients(as.matrix(coef(fit)))
several <- function(fit) { b <- coef(fit); object(names(b), sapply(b, function(one) coefficients(as.matrix(one)))) }
path <- function(fit) {
  b <- as.matrix(coef(fit))
  paste0("[", paste(sapply(seq_len(ncol(b)), function(k) coefficients(b[, k, drop = FALSE])), collapse = ",\n  "), "]")
}

cases <- list(
  "lasso" = one(exact(x, y, lambda = 0.5, standardize = FALSE)),
  "lasso, standardised" = one(exact(x, y, lambda = 0.5)),
  "lasso without intercept" = one(exact(x, y, lambda = 0.5, standardize = FALSE, intercept = FALSE)),
  "elastic net" = one(exact(x, y, lambda = 0.5, alpha = 0.5, standardize = FALSE)),
  "elastic net, standardised" = one(exact(x, y, lambda = 0.5, alpha = 0.5)),
  "ridge" = one(exact(x, y, lambda = 0.5, alpha = 0, standardize = FALSE)),
  "penalty factors" = one(exact(x, y, lambda = 0.5, standardize = FALSE, penalty.factor = c(0, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 0.5, 1.5))),
  "limits" = one(exact(x, y, lambda = 0.1, standardize = FALSE, lower.limits = c(rep(-Inf, 12), -0.4), upper.limits = c(0, rep(Inf, 4), 2, rep(Inf, 7)))),
  "non-negative" = one(exact(x, y, lambda = 0.1, standardize = FALSE, lower.limits = 0)),
  "weights" = one(exact(few, y, lambda = 0.5, standardize = FALSE, weights = x[, "age"])),
  "weights, standardised" = one(exact(few, y, lambda = 0.5, weights = x[, "age"])),
  "longley" = one(exact(as.matrix(longley[, 2:7]), longley$y, lambda = 20, standardize = FALSE, thresh = 1e-29)),
  "path" = path(exact(x, y, lambda = c(5, 1, 0.2, 0.04, 0.008), standardize = FALSE)),
  "sparse" = one(exact(Matrix(as.matrix(digits[, 1:64]), sparse = TRUE), digits$digit, lambda = 0.1, standardize = FALSE)),
  "sparse elastic net" = one(exact(Matrix(as.matrix(digits[, 1:64]), sparse = TRUE), digits$digit, lambda = 0.1, alpha = 0.5, standardize = FALSE)),
  "multi-task" = several(exact(x[, 1:12], cbind(price = y, lstat = x[, "lstat"]), family = "mgaussian", lambda = 0.5, standardize = FALSE)),
  "poisson" = one(exact(few[, c("crim", "nox", "rm", "dis")], housing$rad, family = "poisson", lambda = 0.1, alpha = 0, standardize = FALSE)),
  "logistic ridge" = one(exact(as.matrix(iris[, 1:4]), iris$species == "Iris-versicolor", family = "binomial", lambda = 0.05, alpha = 0, standardize = FALSE)),
  "logistic lasso" = one(exact(as.matrix(iris[, 1:4]), iris$species == "Iris-versicolor", family = "binomial", lambda = 0.02, standardize = FALSE)),
  "logistic elastic net" = one(exact(as.matrix(iris[, 1:4]), iris$species == "Iris-versicolor", family = "binomial", lambda = 0.02, alpha = 0.5, standardize = FALSE)),
  "softmax lasso" = several(exact(as.matrix(iris[, 1:4]), iris$species, family = "multinomial", lambda = 0.02, standardize = FALSE)),
  "softmax elastic net" = several(exact(as.matrix(iris[, 1:4]), iris$species, family = "multinomial", lambda = 0.02, alpha = 0.5, standardize = FALSE))
)
cases <- c("glmnet" = paste0("\"", packageVersion("glmnet"), "\""), cases)
cat("{\n", paste0("\"", names(cases), "\": ", unlist(cases), collapse = ",\n"), "\n}\n", sep = "")
