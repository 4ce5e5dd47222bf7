"""The distance of a ridge model to the optimum, from its file and its training data, without a line of Recta."""

import json
import sys

import numpy as np
from safetensors import safe_open

with safe_open(sys.argv[1], "numpy") as f:
    w, b = f.get_tensor("coefficients")[:, 0], f.get_tensor("intercept")[0]
    about = json.loads(f.metadata()["recta"])
rows = np.genfromtxt(sys.argv[2], delimiter=",", skip_header=1)
X, y, lam = rows[:, :-1], rows[:, -1], about["summary"]["lambda2"]
Xc, r = X - X.mean(0), y - X @ w - b
H = Xc.T @ Xc / len(y) + lam * np.eye(X.shape[1])
g = Xc.T @ r / len(y) - lam * w
distance = 0.5 * g @ np.linalg.solve(H, g) + 0.5 * r.mean() ** 2
print(f"F = {0.5 * (r @ r) / len(y) + 0.5 * lam * (w @ w):.6g}, the file says {about['certificate']['objective']:.6g}")
print("F - F* is below 1e-20 of F:", bool(distance < 1e-20 * about["certificate"]["objective"]))
