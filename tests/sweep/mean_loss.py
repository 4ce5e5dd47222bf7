"""The least value of a mean loss with a penalty, in 110 decimal digits and without a line of Recta.

Every loss here is a smooth convex function plus kinks max(0, u). A kink is rounded to (u + sqrt(u^2 + mu^2)) / 2, which is above it by mu / 2 at
most, and Newton's method follows the minimum as mu falls from the size of the kinks to 1e-45 of it. No step is believed: the least value of the
objective itself at any point on the way is what is compared with a claim. So the oracle may miss a false claim, and never accuses a true one.
"""

import gmpy2
from gmpy2 import exp, log, mpfr, sqrt

gmpy2.get_context().precision = 370
gmpy2.get_context().emin, gmpy2.get_context().emax = gmpy2.get_emin_min(), gmpy2.get_emax_max()

ZERO, HALF, ONE = mpfr(0), mpfr("0.5"), mpfr(1)


class Loss:
    """smooth(y, f): value and two derivatives; kinks(y, f): pairs (u, du/df, factor) of terms factor * max(0, u)."""

    def smooth(self, y, f):
        return ZERO, ZERO, ZERO

    def kinks(self, y, f):
        return []

    # ends of pieces of another curvature: pairs (u, du/df, factor) of terms factor * max(0, u)^2 / 2
    def ramps(self, y, f):
        return []


class Squared(Loss):
    def smooth(self, y, f):
        return (y - f) ** 2 / 2, f - y, ONE


class Huber(Loss):
    def __init__(self, delta):
        self.delta = delta

    def smooth(self, y, f):
        return (y - f) ** 2 / 2, f - y, ONE

    def ramps(self, y, f):  # beyond delta the parabola is taken away again
        return [(y - f - self.delta, -ONE, -ONE), (f - y - self.delta, ONE, -ONE)]


class Quantile(Loss):
    def __init__(self, share):
        self.share = share

    def kinks(self, y, f):
        return [(y - f, -ONE, self.share), (f - y, ONE, 1 - self.share)]


class Tube(Loss):
    def __init__(self, epsilon, squared=False):
        self.epsilon, self.squared = epsilon, squared

    def sides(self, y, f):
        return [(y - f - self.epsilon, -ONE, ONE), (f - y - self.epsilon, ONE, ONE)]

    def kinks(self, y, f):
        return [] if self.squared else self.sides(y, f)

    def ramps(self, y, f):
        return self.sides(y, f) if self.squared else []


class Hinge(Loss):
    def __init__(self, squared=False):
        self.squared = squared

    def kinks(self, y, f):
        return [] if self.squared else [(1 - y * f, -y, ONE)]

    def ramps(self, y, f):
        return [(1 - y * f, -y, ONE)] if self.squared else []


class Poisson(Loss):
    def smooth(self, y, f):
        mean = exp(f)
        return mean - y - (y * (f - log(y)) if y else ZERO), mean - y, mean


class Gamma(Loss):
    def smooth(self, y, f):
        ratio = y * exp(-f)
        return ratio - 1 - (log(y) - f), 1 - ratio, ratio


class Logistic(Loss):
    def smooth(self, y, f):
        m = y * f
        tail = exp(-abs(m))
        p = tail / (1 + tail)  # of the less likely label
        miss = p if m > 0 else 1 - p
        return gmpy2.log1p(tail) + max(ZERO, -m), -y * miss, p * (1 - p)


class Problem:
    """F(u), u = (w, b if there is one): mean loss, l1 and l2 penalties with a factor per column."""

    def __init__(self, loss, x, y, v, intercept, l1=0, l2=0, deviations=None):
        self.loss, self.y = loss, [mpfr(each) for each in y]
        kept = [i for i in range(len(y)) if v is None or v[i] > 0]
        self.y = [self.y[i] for i in kept]
        self.rows = [[mpfr(value) for value in x[i]] + [ONE] * intercept for i in kept]
        weight = [mpfr(1 if v is None else v[i]) for i in kept]
        total = sum(weight)
        self.share = [each / total for each in weight]
        self.p = len(x[0])
        self.size = self.p + intercept
        units = deviations or [ONE] * self.p
        self.l1 = [mpfr(l1) * unit for unit in units]
        self.l2 = [mpfr(l2) * unit**2 for unit in units]

    def kinked(self):
        return any(self.l1) or bool(self.loss.kinks(ONE, ZERO))

    def penalty(self, u):
        return sum(a * abs(c) + q * c * c / 2 for a, q, c in zip(self.l1, self.l2, u))

    def scores(self, u):
        return [sum(a * c for a, c in zip(row, u)) for row in self.rows]

    def value(self, u):
        total = ZERO
        for y, f, share in zip(self.y, self.scores(u), self.share):
            loss = self.loss.smooth(y, f)[0]
            loss += sum(factor * max(ZERO, k) for k, _, factor in self.loss.kinks(y, f))
            loss += sum(factor * max(ZERO, k) ** 2 / 2 for k, _, factor in self.loss.ramps(y, f))
            total += share * loss
        return total + self.penalty(u)

    def rounded(self, u, mu, nu):
        """Value, gradient and Hessian with kinks rounded: those of the loss by mu, |w_j| by nu_j."""
        g, h = [ZERO] * self.size, [[ZERO] * self.size for _ in range(self.size)]
        value = ZERO
        for y, f, share, row in zip(self.y, self.scores(u), self.share, self.rows):
            loss, slope, curve = self.loss.smooth(y, f)
            for k, turn, factor in self.loss.kinks(y, f):
                root = sqrt(k * k + mu * mu)
                loss += factor * (k + root) / 2
                slope += factor * turn * (1 + k / root) / 2
                curve += factor * turn * turn * mu * mu / root**3 / 2
            for k, turn, factor in self.loss.ramps(y, f):
                if k > 0:
                    loss, slope, curve = (
                        loss + factor * k * k / 2,
                        slope + factor * turn * k,
                        curve + factor * turn * turn,
                    )
            value += share * loss
            for i in range(self.size):
                gi = share * slope * row[i]
                hi = share * curve * row[i]
                g[i] += gi
                for j in range(i + 1):
                    h[i][j] += hi * row[j]
        value += self.rounded_penalty(u, nu, g, h)
        for i in range(self.size):
            for j in range(i):
                h[j][i] = h[i][j]
        return value, g, h

    def rounded_penalty(self, u, nu, g, h):
        value = ZERO
        for j in range(self.p):
            a, q, c = self.l1[j], self.l2[j], u[j]
            root = sqrt(c * c + nu[j] * nu[j]) if a else ONE
            value += a * root + q * c * c / 2
            g[j] += a * c / root + q * c
            h[j][j] += q + (a * nu[j] * nu[j] / root**3 if a else ZERO)
        return value


class Groups(Problem):
    """A penalty on the lengths of groups of coefficients, in the units of the deviations if there are some; `groups`: pairs (columns, strength)."""

    def __init__(self, loss, x, y, v, intercept, groups, l2=0, deviations=None):
        super().__init__(loss, x, y, v, intercept, 0, l2, deviations)
        self.groups, self.units = groups, deviations or [ONE] * self.p

    def kinked(self):
        return any(strength for _, strength in self.groups)

    def length(self, columns, u):
        return sqrt(sum((self.units[j] * u[j]) ** 2 for j in columns))

    def penalty(self, u):
        return super().penalty(u) + sum(strength * self.length(columns, u) for columns, strength in self.groups)

    def rounded_penalty(self, u, nu, g, h):
        value = super().rounded_penalty(u, nu, g, h)
        for columns, a in self.groups:
            small = max(self.units[j] * nu[j] for j in columns)
            root = sqrt(self.length(columns, u) ** 2 + small**2) if a and small else None
            if root is None:
                continue
            value += a * root
            scaled = {j: self.units[j] ** 2 * u[j] for j in columns}
            for i in columns:
                g[i] += a * scaled[i] / root
                h[i][i] += a * self.units[i] ** 2 / root
                for j in columns:
                    if j <= i:
                        h[i][j] -= a * scaled[i] * scaled[j] / root**3
        return value


def solve(h, rhs):
    """Cholesky of the matrix with its diagonal raised by 1e-70 of itself; columns of zeros are left where they are."""
    n = len(rhs)
    lower = [[ZERO] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = h[i][j] - sum(lower[i][k] * lower[j][k] for k in range(j))
            if i == j:
                lower[i][i] = sqrt(max(rest, h[i][i] * mpfr("1e-70")))
            elif lower[j][j]:
                lower[i][j] = rest / lower[j][j]
    z = []
    for i in range(n):
        z.append((rhs[i] - sum(lower[i][k] * z[k] for k in range(i))) / lower[i][i] if lower[i][i] else ZERO)
    out = [ZERO] * n
    for i in reversed(range(n)):
        if lower[i][i]:
            out[i] = (z[i] - sum(lower[k][i] * out[k] for k in range(i + 1, n))) / lower[i][i]
    return out


def newton(problem, u, mu, nu, best, steps):
    """Some steps at one rounding; gives the point and the least value of the objective itself."""
    now = problem.rounded(u, mu, nu)
    for _ in range(steps):
        value, g, h = now
        move = solve(h, [-each for each in g])
        falls = -sum(a * c for a, c in zip(g, move))
        if not falls > abs(value) * mpfr("1e-95"):
            break
        t = ONE
        while True:
            there = [a + t * c for a, c in zip(u, move)]
            now = problem.rounded(there, mu, nu)
            if now[0] <= value - falls * t / 16:
                break
            t /= 4
            if t < mpfr("1e-12"):
                return u, best
        u = there
        best = min(best, problem.value(u))
    return u, best


def sizes_of_kinks(problem, u):
    largest = max(
        (abs(k) for y, f in zip(problem.y, problem.scores(u)) for k, _, _ in problem.loss.kinks(y, f)), default=ZERO
    )
    spans = []
    for j in range(problem.p):
        widest = max(abs(row[j]) for row in problem.rows)
        y = max(abs(each) for each in problem.y) or ONE
        spans.append(max(abs(u[j]), y / widest if widest else ONE) or ONE)
    return largest or ONE, spans


def least(problem, start):
    """The least value of the objective that is found from `start` and from zero on."""
    best = problem.value(start)
    if not problem.kinked():
        return newton(problem, start, ONE, [ONE] * problem.p, best, 80)[1]
    mu, nu = sizes_of_kinks(problem, start)
    u = list(start)
    for _ in range(30):
        u, best = newton(problem, u, mu, nu, best, 6)
        mu, nu = mu / 32, [each / 32 for each in nu]
    return best


class Classes(Problem):
    """softmax: u = (w_0, b_0, w_1, b_1, ...), one row of weights and an intercept per class."""

    def __init__(self, x, y, v, classes, intercept, l2):
        super().__init__(Squared(), x, y, v, intercept)
        self.each, self.classes, self.lam = self.size, classes, mpfr(l2)
        self.size = self.each * classes
        self.y = [int(label) for label in self.y]

    def value(self, u):
        return self.rounded(u, None, None, derivatives=False)[0]

    def rounded(self, u, mu, nu, derivatives=True):
        m, g = self.each, [ZERO] * self.size
        h = [[ZERO] * self.size for _ in range(self.size)]
        value = ZERO
        for y, share, row in zip(self.y, self.share, self.rows):
            z = [sum(a * c for a, c in zip(row, u[k * m : (k + 1) * m])) for k in range(self.classes)]
            top = max(z)
            parts = [exp(each - top) for each in z]
            whole = sum(parts)
            value += share * (log(whole) + top - z[y])
            if not derivatives:
                continue
            p = [each / whole for each in parts]
            for k in range(self.classes):
                for i in range(m):
                    g[k * m + i] += share * (p[k] - (k == y)) * row[i]
                    for q in range(self.classes):
                        curve = share * p[k] * ((k == q) - p[q]) * row[i]
                        for j in range(m):
                            h[k * m + i][q * m + j] += curve * row[j]
        for k in range(self.classes):
            for j in range(self.p):
                at = k * m + j
                value += self.lam * u[at] ** 2 / 2
                g[at] += self.lam * u[at]
                h[at][at] += self.lam
        return value, g, h


def half_of_products(kernel):
    """L with L L' = kernel, in which a kernel machine is a linear one: rows are those of L, and w = L' beta."""
    n = len(kernel)
    lower = [[ZERO] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = kernel[i][j] - sum(lower[i][k] * lower[j][k] for k in range(j))
            if i == j:
                lower[i][i] = sqrt(max(rest, ZERO))
            elif lower[j][j]:
                lower[i][j] = rest / lower[j][j]
    return lower
