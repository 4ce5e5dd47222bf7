# glmnet, asked by glmnet_peer.py: what data, by arguments KEY=VALUE; then a line a fit, "THRESH LAMBDA,...", on standard
# input. The slopes go as numbers without a header to the file `answer`, a strength after the other; the seconds to standard
# output. Rows of numbers as NumPy's tofile writes them, by column.
suppressMessages({library(glmnet); library(Matrix)})
glmnet.control(fdev = 0, devmax = 1) # every strength that was asked for

words <- strsplit(commandArgs(trailingOnly = TRUE), "=", fixed = TRUE)
job <- setNames(lapply(words, `[`, 2), sapply(words, `[`, 1))
numbers <- function(path, what = "double", size = 8) readBin(path, what, file.size(path) / size, size)
shape <- as.integer(c(job$rows, job$cols))
x <- if (is.null(job$start)) {
  matrix(numbers(job$x), shape[1], shape[2], byrow = job$order == "C")
} else {
  new("dgCMatrix", i = numbers(job$index, "integer", 4), p = numbers(job$start, "integer", 4), x = numbers(job$x), Dim = shape)
}
y <- numbers(job$y)
fit <- function(x, y, lambda, thresh) glmnet(x, y, lambda = lambda, thresh = thresh, maxit = 1e8, standardize = FALSE)
rows <- seq_len(min(50, shape[1]))
invisible(fit(x[rows, seq_len(min(50, shape[2]))], y[rows], 1, 1e-3)) # what is loaded at first use
cat(as.character(packageVersion("glmnet")), "\n", sep = "")

input <- file("stdin", "r")
while (length(line <- readLines(input, 1))) {
  asked <- strsplit(line, " ", fixed = TRUE)[[1]]
  lambda <- as.numeric(strsplit(asked[2], ",", fixed = TRUE)[[1]])
  start <- Sys.time()
  made <- fit(x, y, lambda, as.numeric(asked[1]))
  seconds <- as.numeric(difftime(Sys.time(), start, units = "secs"))
  writeBin(as.vector(as.matrix(made$beta)), job$answer)
  cat(sprintf("%.6f\n", seconds))
  flush(stdout())
}
