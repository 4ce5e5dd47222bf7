# Cross-validation of logistic regression with absolute values by glmnet, asked by selection_peers.py with arguments KEY=VALUE.
# Prints the version, the seconds, and the mean log-loss of the rows left out at each strength.
suppressMessages({library(glmnet); library(parallel)})
glmnet.control(fdev = 0, devmax = 1) # every strength that was asked for

words <- strsplit(commandArgs(trailingOnly = TRUE), "=", fixed = TRUE)
job <- setNames(lapply(words, `[`, 2), sapply(words, `[`, 1))
numbers <- function(path) readBin(path, "double", file.size(path) / 8)
x <- matrix(numbers(job$x), as.integer(job$rows), as.integer(job$cols), byrow = TRUE)
y <- numbers(job$y)
y <- as.numeric(y == max(y))
folds <- numbers(job$folds)
lambda <- as.numeric(strsplit(job$lambdas, ",", fixed = TRUE)[[1]])

losses <- function(fold) {
  out <- folds == fold
  model <- glmnet(x[!out, ], y[!out], family = "binomial", lambda = lambda, standardize = FALSE)
  score <- predict(model, x[out, ]) * ifelse(y[out] == 1, 1, -1)
  colMeans(pmax(-score, 0) + log1p(exp(-abs(score))))
}
start <- Sys.time()
by_fold <- mclapply(seq_len(max(folds)), losses, mc.cores = as.integer(job$threads))
seconds <- as.numeric(difftime(Sys.time(), start, units = "secs"))
cat(as.character(packageVersion("glmnet")), "\n", seconds, "\n", paste(format(rowMeans(do.call(cbind, by_fold)), digits = 15)), "\n", sep = " ")
