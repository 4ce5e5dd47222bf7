"""The model words of the sweep: how a nasty problem of each is made, and what judges the answer."""

import claims
import exact
import gmpy2
import mean_loss
import tables
from gmpy2 import exp, mpfr
from mean_loss import Classes, Gamma, Groups, Hinge, Huber, Logistic, Poisson, Problem, Quantile, Squared, Tube


class Case:
    """A table, the flags of a fit, and judge(model, predict): what is wrong with its claim. predict(flag...) gives what the model prints."""

    def __init__(self, x, y, v, flags, judge):
        self.x, self.y, self.v, self.flags, self.judge = x, y, v, flags, judge


def strength(rng):
    return 10.0 ** rng.choice([rng.uniform(-3, 1), rng.uniform(-12, 4), rng.uniform(-50, 50)])


def mean_loss_case(rng, x, y, v, loss, flags, l1=0.0, l2=0.0, scales=True, labels=None, groups=None):
    intercept = rng.random() < 0.8
    standardise = scales and rng.random() < 0.3 and bool(l1 or l2 or groups)
    flags = flags if intercept else flags + ["--no-intercept"]
    if standardise:
        flags = flags + ["--standardise"]

    def judge(model, _):
        units = claims.deviations(x, v) if standardise else None
        hidden = (
            standardise and not intercept
        )  # standardised columns are about their means, so the stored intercept is -<w, mean>
        kind, penalty = (Groups, (groups, l2)) if groups else (Problem, (l1, l2))
        stored = kind(loss, x, labels or y, v, intercept or hidden, *penalty, units)
        point = claims.linear_point(model, stored.p, intercept or hidden)
        problem = kind(loss, claims.centred(x, v), labels or y, v, False, *penalty, units) if hidden else stored
        return claims.distance_to_optimum(model, problem, point[: problem.size], stored.value(point))

    return Case(x, y, v, flags, judge)


def nets(rng, l1_flag="--lambda1", l2_flag="--lambda2"):
    l1 = strength(rng) if rng.random() < 0.5 else 0.0
    l2 = strength(rng) if rng.random() < 0.6 or not l1 else 0.0
    return l1, l2, ([l1_flag, repr(l1)] if l1 else []) + ([l2_flag, repr(l2)] if l2 else [])


def size_of(y):
    return max(abs(each) for each in y) or 1.0


def linear(rng, x, v):
    return mean_loss_case(rng, x, tables.numbers(rng, x), v, Squared(), [], scales=False)


def ridge(rng, x, v):
    l2 = strength(rng)
    return mean_loss_case(rng, x, tables.numbers(rng, x), v, Squared(), ["--lambda", repr(l2)], l2=l2)


def lasso(rng, x, v):
    y = tables.numbers(rng, x)
    l1 = strength(rng) * min(size_of(y), 1e250)
    return mean_loss_case(rng, x, y, v, Squared(), ["--lambda", repr(l1)], l1=l1)


def elastic_net(rng, x, v):
    lam, share = strength(rng), rng.choice([0.01, 0.5, 0.9])
    return mean_loss_case(
        rng,
        x,
        tables.numbers(rng, x),
        v,
        Squared(),
        ["--lambda", repr(lam), "--l1-share", repr(share)],
        l1=lam * share,
        l2=lam * (1 - share),
    )


def group_lasso(rng, x, v):
    y, p = tables.numbers(rng, x), len(x[0])
    l1 = strength(rng) * min(size_of(y), 1e250)
    l2 = strength(rng) if rng.random() < 0.4 else 0.0
    first = rng.randint(1, p)
    parts = [each for each in (list(range(first)), list(range(first, p))) if each]
    groups = [(columns, mpfr(l1) * gmpy2.sqrt(mpfr(len(columns)))) for columns in parts]
    flags = ["--groups", ";".join(",".join(f"x{j}" for j in columns) for columns in parts), "--lambda1", repr(l1)]
    return mean_loss_case(
        rng, x, y, v, Squared(), flags + (["--lambda2", repr(l2)] if l2 else []), l2=l2, groups=groups
    )


def constant(rng, x, v):
    y, share = tables.numbers(rng, x), rng.choice([0, 0, 0.5, 0.1])
    flags = ["--statistic", "quantile", "--quantile", repr(share)] if share else ["--statistic", "mean"]

    def judge(model, _):
        problem = Problem(Quantile(mpfr(share)) if share else Squared(), [[0.0] for _ in y], y, v, True)
        return claims.distance_to_optimum(model, problem, [mpfr(0), claims.linear_point(model, 1, True)[-1]])

    return Case(x, y, v, flags, judge)


def by_penalty(rng):
    penalty, lam = rng.choice(["l1", "l2", "elastic-net"]), strength(rng)
    l1 = {"l1": 1.0, "l2": 0.0, "elastic-net": 0.5}[penalty] * lam
    return ["--penalty", penalty, "--lambda", repr(lam)], l1, {"l1": 0.0, "l2": 1.0, "elastic-net": 0.5}[penalty] * lam


def penalised(rng, x, v):
    y = tables.numbers(rng, x)
    flags, l1, l2 = by_penalty(rng)
    loss, more = rng.choice([(Squared(), ["--loss", "squared"]), (Huber(mpfr(1)), ["--loss", "huber", "--delta", "1"])])
    return mean_loss_case(rng, x, y, v, loss, flags + more, l1, l2, scales=False)


def penalised_classes(rng, x, v):
    y = tables.labels(rng, x, 2)
    flags, l1, l2 = by_penalty(rng)
    loss, word = rng.choice([(Logistic(), "logistic"), (Hinge(), "hinge")])
    return mean_loss_case(rng, x, y, v, loss, flags + ["--loss", word], l1, l2, scales=False, labels=signs(y))


def huber(rng, x, v):
    y = tables.numbers(rng, x)
    delta = min(size_of(y), 1e300) * 10.0 ** rng.uniform(-3, 0.5)
    l2 = strength(rng) if rng.random() < 0.5 else 0.0
    flags = ["--delta", repr(delta)] + (["--lambda", repr(l2)] if l2 else [])
    return mean_loss_case(rng, x, y, v, Huber(mpfr(delta)), flags, l2=l2)


def quantile(rng, x, v):
    share = rng.choice([0.5, 0.1, 0.9])
    l1, l2, flags = nets(rng)
    return mean_loss_case(
        rng, x, tables.numbers(rng, x), v, Quantile(mpfr(share)), ["--quantile", repr(share)] + flags, l1, l2
    )


def epsilon_insensitive(rng, x, v):
    y = tables.numbers(rng, x)
    epsilon = min(size_of(y), 1e300) * rng.choice([0.0, 0.01, 0.3])
    l1, l2, flags = nets(rng)
    return mean_loss_case(rng, x, y, v, Tube(mpfr(epsilon)), ["--epsilon", repr(epsilon)] + flags, l1, l2)


def poisson(rng, x, v):
    l2 = strength(rng) if rng.random() < 0.7 else 0.0
    return mean_loss_case(rng, x, tables.counts(rng, len(x)), v, Poisson(), ["--lambda", repr(l2)] if l2 else [], l2=l2)


def gamma(rng, x, v):
    l2 = strength(rng) if rng.random() < 0.7 else 0.0
    return mean_loss_case(rng, x, tables.positive(rng, len(x)), v, Gamma(), ["--lambda", repr(l2)] if l2 else [], l2=l2)


def signs(y):
    return [1 if label else -1 for label in y]


def logistic(rng, x, v):
    y = tables.labels(rng, x, 2)
    l1, l2, flags = nets(rng)
    return mean_loss_case(rng, x, y, v, Logistic(), flags, l1, l2, labels=signs(y))


def svm(rng, x, v):
    y, squared, l2 = tables.labels(rng, x, 2), rng.random() < 0.4, strength(rng)
    flags = ["--lambda", repr(l2)] + (["--loss", "squared-hinge"] if squared else [])
    return mean_loss_case(rng, x, y, v, Hinge(squared), flags, l2=l2, scales=False, labels=signs(y))


def svr(rng, x, v):
    y, squared, l2 = tables.numbers(rng, x), rng.random() < 0.4, strength(rng)
    epsilon = min(size_of(y), 1e300) * rng.choice([0.0, 0.01, 0.3])
    flags = ["--lambda", repr(l2), "--epsilon", repr(epsilon)] + (
        ["--loss", "squared-epsilon-insensitive"] if squared else []
    )
    return mean_loss_case(rng, x, y, v, Tube(mpfr(epsilon), squared), flags, l2=l2, scales=False)


def kernel_of(rng, x):
    """Flags of a kernel, and its matrix."""
    rows = [[mpfr(value) for value in row] for row in x]
    if rng.random() < 0.4:
        return ["--kernel", "linear"], [[sum(a * c for a, c in zip(p, q)) for q in rows] for p in rows]
    widest = max((abs(a - c) for p in x for q in x for a, c in zip(p, q)), default=0.0)
    gamma = 1.0 if not 1e-140 < widest < 1e140 else 10.0 ** rng.uniform(-2, 2) / widest**2
    flags = ["--kernel", "rbf", "--gamma", repr(gamma)]
    return flags, [[exp(-mpfr(gamma) * sum((a - c) ** 2 for a, c in zip(p, q))) for q in rows] for p in rows]


def kernel_case(x, y, v, loss, flags, kernel, point_of, l2_of, labels=None, intercept=True):
    """A machine over a kernel: a linear one over the rows of L, kernel = L L'. point_of(model): beta of the rows, then b."""

    def judge(model, _):
        lower = mean_loss.half_of_products(kernel)
        problem = Problem(loss, lower, labels or y, v, intercept, l2=l2_of(model))
        beta, b = point_of(model)
        w = [sum(lower[i][j] * beta[i] for i in range(len(beta))) for j in range(len(beta))]
        point = w + [b] * intercept
        scores = [sum(k * c for k, c in zip(row, beta)) + b for row in kernel]
        stored = Problem(loss, [[each] for each in scores], labels or y, v, False)
        value = (
            stored.value([mpfr(1)])
            + problem.l2[0] * sum(c * k * d for row, c in zip(kernel, beta) for k, d in zip(row, beta)) / 2
        )
        return claims.distance_to_optimum(model, problem, point, value)

    return Case(x, y, v, flags, judge)


def few(x, y, v, most=12):
    return x[:most], y[:most], v[:most] if v else v


def kernel_ridge(rng, x, v):
    x, y, v = few(x, tables.numbers(rng, x), v)
    flags, kernel = kernel_of(rng, x)
    l2 = strength(rng)

    def point(model):
        beta = [mpfr(0)] * len(x)
        for i, value in zip(model.numbers("kernel_ridge.rows"), model.numbers("kernel_ridge.alpha")):
            beta[int(i)] = mpfr(value)
        return beta, mpfr(model.numbers("kernel_ridge.b")[0])

    return kernel_case(x, y, v, Squared(), flags + ["--lambda", repr(l2)], kernel, point, lambda _: l2)


def machine_point(model, n):
    beta = [mpfr(0)] * n
    rows = model.numbers("svm.rows")
    for k, value in zip(model.numbers("svm.support"), model.numbers("svm.beta")):
        beta[int(rows[int(k)])] = mpfr(value)
    return beta, mpfr(model.numbers("svm.part_numbers")[0])


def kernel_svm(rng, x, v):
    x, y, v = few(x, tables.labels(rng, x, 2), v)
    flags, kernel = kernel_of(rng, x)
    l2, squared = strength(rng), rng.random() < 0.3
    flags = flags + ["--lambda", repr(l2)] + (["--loss", "squared-hinge"] if squared else [])
    if flags[1] == "linear":
        return svm(rng, x, v)
    return kernel_case(
        x, y, v, Hinge(squared), flags, kernel, lambda model: machine_point(model, len(x)), lambda _: l2, signs(y)
    )


def kernel_svr(rng, x, v):
    x, y, v = few(x, tables.numbers(rng, x), v)
    flags, kernel = kernel_of(rng, x)
    l2, squared = strength(rng), rng.random() < 0.3
    epsilon = min(size_of(y), 1e300) * rng.choice([0.0, 0.01, 0.3])
    flags = (
        flags
        + ["--lambda", repr(l2), "--epsilon", repr(epsilon)]
        + (["--loss", "squared-epsilon-insensitive"] if squared else [])
    )
    if flags[1] == "linear":
        return svr(rng, x, v)
    return kernel_case(
        x, y, v, Tube(mpfr(epsilon), squared), flags, kernel, lambda model: machine_point(model, len(x)), lambda _: l2
    )


def softmax(rng, x, v):
    x = [row[:3] for row in x]
    classes = min(3, len(x))
    y, l2 = tables.labels(rng, x, classes), strength(rng)
    intercept = rng.random() < 0.8

    def judge(model, _):
        present = sorted({label for label, s in zip(y, v or [1] * len(y)) if s > 0})
        if len(present) < 3:
            return []
        problem = Classes(x, y, v, classes, intercept, l2)
        w = model.numbers("coefficients") or [0.0] * (classes * len(x[0]))
        b, point = model.numbers("intercept"), []
        for k in range(classes):
            point += [mpfr(w[j * classes + k]) for j in range(len(x[0]))] + [mpfr(b[k])] * intercept
        return claims.distance_to_optimum(model, problem, point)

    return Case(x, y, v, ["--lambda", repr(l2)] + ([] if intercept else ["--no-intercept"]), judge)


def hard(rng, x, v):
    y = tables.labels(rng, x, 2)
    return Case(x, y, None, ["--hard"], lambda model, _: exact.side_of_rows(model, x, y))


def perceptron(rng, x, v):
    y = tables.labels(rng, x, 2)
    variant = rng.choice(["batch", "rosenblatt", "pocket"])
    return Case(x, y, None, ["--variant", variant, "--passes", "200"], lambda model, _: exact.side_of_rows(model, x, y))


def kernel_kmeans(rng, x, v):
    flags = ["--kernel", "linear", "--clusters", str(min(3, len(x)))]
    return Case(x, None, v, flags, lambda model, _: exact.clusters(model, x, v))


def kernel_pca(rng, x, v):
    flags = ["--kernel", "linear", "--components", str(min(2, len(x[0]), len(x) - 1))]
    return Case(x, None, None, flags, lambda model, _: exact.components(model, x))


def knn_regression(rng, x, v):
    y, k = tables.numbers(rng, x), min(rng.choice([1, 3]), len(x))

    def judge(model, predict):
        predictions = [row[0] for row in exact.table_of_numbers(predict())[1]]
        return exact.mean_of_neighbours(predictions, x, y, x, k)

    return Case(x, y, None, ["--k", str(k)], judge)


def posterior_case(x, y, v, flags, scores, allowed="1e-7"):
    def judge(model, predict):
        expected = scores()
        if model.verdict != "proved" or expected is None:
            return []
        return exact.posteriors_agree(exact.table_of_numbers(predict("--proba"))[1], expected, mpfr(allowed))

    return Case(x, y, v, flags, judge)


def gaussian_bayes(rng, x, v):
    y = tables.labels(rng, x, rng.choice([2, 3]))
    flags = ["--likelihood", "gaussian"]
    return posterior_case(x, y, v, flags, lambda: exact.gaussian_scores(x, y, v, 1e-9))


def count_bayes(rng, x, v):
    kind, alpha = rng.choice(["multinomial", "complement", "bernoulli"]), rng.choice([1.0, 0.1])
    size = rng.choice([1, 1, 2.0**40, 2.0**60])
    x = [[float(rng.choice([0, 0, 1, 2, 5])) * size + float(rng.random() < 0.2) for _ in row] for row in x]
    y = [rng.randrange(3) for _ in x]
    flags = ["--likelihood", kind, "--alpha", repr(alpha)]
    return posterior_case(x, y, v, flags, lambda: exact.count_scores(kind, x, y, v, alpha))


def lda(rng, x, v):
    y = tables.labels(rng, x, rng.choice([2, 3]))
    return posterior_case(x, y, v, [], lambda: exact.pooled_scores(x, y, v))


def qda(rng, x, v):
    x = [row[:2] for row in x]  # of more columns the covariance of a class is seldom whole
    y = tables.labels(rng, x, 2)
    return posterior_case(x, y, v, [], lambda: exact.quadratic_scores(x, y, v))


def nearest_centroid(rng, x, v):
    y = tables.labels(rng, x, rng.choice([2, 3]))
    return posterior_case(x, y, v, [], lambda: exact.centroid_scores(x, y, v))


# What is called by another word than its own: flags tell it apart.
CALLED = {
    "hard": "svm",
    "kernel-svm": "svm",
    "kernel-svr": "svr",
    "gaussian-bayes": "naive-bayes",
    "count-bayes": "naive-bayes",
}

WORDS = {
    "linear": linear,
    "ridge": ridge,
    "lasso": lasso,
    "elastic-net": elastic_net,
    "group-lasso": group_lasso,
    "constant": constant,
    "penalised": penalised,
    "penalised-classes": penalised_classes,
    "huber": huber,
    "quantile": quantile,
    "epsilon-insensitive": epsilon_insensitive,
    "poisson": poisson,
    "gamma": gamma,
    "logistic": logistic,
    "softmax": softmax,
    "svm": svm,
    "svr": svr,
    "kernel-ridge": kernel_ridge,
    "kernel-svm": kernel_svm,
    "kernel-svr": kernel_svr,
    "hard": hard,
    "perceptron": perceptron,
    "kernel-kmeans": kernel_kmeans,
    "kernel-pca": kernel_pca,
    "knn-regression": knn_regression,
    "gaussian-bayes": gaussian_bayes,
    "count-bayes": count_bayes,
    "lda": lda,
    "qda": qda,
    "nearest-centroid": nearest_centroid,
}
