#!/usr/bin/env bash
# My table has gaps and words in it. What becomes of them is never guessed: it is refused, or said.
set -uo pipefail

expect() { # STATUS COMMAND...: shows the command, and fails when its exit status is another
  local wanted=$1 status=0
  shift
  echo "\$ $*"
  "$@" 2>&1 || status=$?
  ((status == 0)) || echo "exit $status"
  echo
  [[ $status == "$wanted" ]] || exit 1
}

features() { # FLAGS...: names and coefficients only
  recta fit linear flats.csv --target rent --json "$@" | python3 -c '
import json, sys
fit = json.load(sys.stdin)
print(fit["design"]["rows"], "rows")
for c in fit["intercept"]["rent"], *fit["coefficients"]["rent"]:
    print("  %-22s %9.3f" % (c.get("feature", "(intercept)"), c["value"]))'
}

expect 3 recta fit linear flats.csv --target rent
for policy in drop mean indicator; do expect 0 features --missing "$policy"; done

recta fit linear flats.csv --target rent --missing drop -o strict.recta -q >fit.txt || exit 1
expect 3 recta predict strict.recta new.csv
recta fit linear flats.csv --target rent --missing drop --unseen zeros -o zeros.recta -q >fit.txt || exit 1
expect 0 recta predict zeros.recta new.csv
