#!/usr/bin/env bash
# My data are larger than memory. A stream is read block by block; the answer has the same bits as in memory.
set -euo pipefail

# 50,000 rows by a small linear congruence: any awk, any machine, the same file.
awk 'function next_share() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
BEGIN {
  seed = 42
  print "a,b,c,y"
  for (i = 0; i < 50000; i++) {
    a = next_share(); b = next_share(); c = next_share()
    printf "%.6f,%.6f,%.6f,%.6f\n", a, b, c, 1 + 2 * a - 3 * b + 0.5 * c + (next_share() - 0.5) / 10
  }
}' >rows.csv

recta fit linear rows.csv --target y >memory.txt
recta fit linear rows.csv --target y --stream >stream.txt
sed -n '/^feature/,/^$/p' stream.txt
tail -n 1 stream.txt

all_digits() { # FLAGS...: the table of coefficients with every digit a double has
  recta fit linear rows.csv --target y --digits 17 "$@" | sed -n '/^feature/,/^$/p'
}
cmp <(all_digits) <(all_digits --stream) && echo "in memory: the same coefficients and errors, to the last bit"

echo
echo "from a pipe, which can be read only once:"
gzip -c rows.csv | recta fit linear - --format csv --target y -o pipe.recta -q | tail -n 1
echo "and proved later, where the rows are at hand, again as a stream:"
recta verify pipe.recta rows.csv --stream
