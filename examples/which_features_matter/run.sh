#!/usr/bin/env bash
# Which features matter? Standardised coefficients say by how much, intervals say how surely.
set -euo pipefail

recta fit linear housing --ignore b --json >fit.json

python3 - <<'PYTHON'
import json

fit = json.load(open("fit.json"))
rows = fit["coefficients"]["price"]
rows.sort(key=lambda row: -abs(row["standardised"]))
print("price in 1000 dollars; one standard deviation more of the feature changes it by")
for row in rows:
    sign = "?" if row["lower"] < 0 < row["upper"] else " "
    print(f"{row['feature']:8} {row['standardised']:8.3f} {sign}   a unit more: {row['value']:9.4f}, "
          f"95 % from {row['lower']:9.4f} to {row['upper']:9.4f}, p = {row['p_value']:.2g}")
print("? the interval has zero in it: these rows cannot tell the sign")
print(fit["certificate"]["sentence"])
PYTHON

echo
echo "without the two that say nothing:"
recta fit linear housing --ignore b,age,indus --json | python3 -c '
import json, sys
m = json.load(sys.stdin)["metrics"]["price"]
print("r2 = %.4f, adjusted r2 = %.4f" % (m["r2"], m["adjusted_r2"]))'
