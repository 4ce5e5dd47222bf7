#!/usr/bin/env bash
# My columns go together: what does that do, and what helps? Longley's six columns nearly determine one another.
set -euo pipefail

echo "what the data doctor says:"
recta check longley | sed -n '/^column/,/^$/p; /^rank/p; /^near dependencies/,/^$/p'

coefficients() { # FLAGS...: one number per feature, of the standardised columns
  recta fit "$@" --json | python3 -c '
import json, sys
fit = json.load(sys.stdin)
print(" ".join("%8.1f" % c["standardised"] for c in fit["coefficients"]["y"]))'
}

echo "coefficients of the standardised columns, all rows and without the last year:"
recta data longley -o longley.csv -q
head -n 16 longley.csv >shorter.csv
echo "linear      $(coefficients linear longley.csv --target y)"
echo "  one less  $(coefficients linear shorter.csv --target y)"
echo "ridge       $(coefficients ridge longley.csv --target y --standardise --lambda 0.05)"
echo "  one less  $(coefficients ridge shorter.csv --target y --standardise --lambda 0.05)"
echo "x3, x4, x6  $(coefficients linear longley.csv --target y --ignore x1,x2,x5)"

echo
echo "how much ridge keeps of each singular direction:"
recta fit ridge longley --standardise --lambda 0.05 -o m.recta -q >fit.txt
recta inspect m.recta | sed -n '/^direction/,/^$/p'
