#!/usr/bin/env bash
# Can I trust this fit? Check it again with Recta, then without; change the data, the model, and the file.
set -uo pipefail

expect() { # STATUS COMMAND...: shows the command, what it prints and its exit status, which must be that one
  local wanted=$1 status=0
  shift
  echo "\$ $*"
  "$@" 2>&1 || status=$?
  echo "exit $status"
  echo
  [[ $status == "$wanted" ]] || exit 1
}

recta data housing -o housing.csv -q || exit 1
recta fit ridge housing.csv --target price --lambda 0.1 -o m.recta -q >fit.txt || exit 1

echo "the claim holds:"
expect 0 recta verify m.recta housing.csv

echo "without Recta, by NumPy:"
expect 0 python3 check.py m.recta housing.csv

echo "one price changed by a cent:"
sed '7s/28.7$/28.70001/' housing.csv >other.csv
expect 3 recta verify m.recta other.csv

echo "one coefficient changed by a thousandth, and the file's checksum made to fit:"
python3 tamper.py m.recta changed.recta || exit 1
expect 4 recta verify changed.recta housing.csv

echo "one byte of the file changed:"
python3 -c 'b = bytearray(open("m.recta", "rb").read()); b[-100] ^= 1; open("damaged.recta", "wb").write(b)' || exit 1
expect 5 recta verify damaged.recta housing.csv
