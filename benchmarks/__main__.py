"""./bench [FAMILY ...] [--only TEXT] [--quick] [--json FILE]: one table of ratios a family."""

import argparse
import json
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from families import FAMILIES
from harness import DATA, run_case, run_together


def main():
    parser = argparse.ArgumentParser(prog="./bench", description=__doc__)
    parser.add_argument("family", nargs="*", choices=[*FAMILIES, []], help="all when none is named")
    parser.add_argument("--only", default="", metavar="TEXT", help="the cases whose names have this in them")
    parser.add_argument(
        "--quick", action="store_true", help="small data, NumPy and scikit-learn the only peers: a smoke run"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    arguments = parser.parse_args()
    DATA.mkdir(parents=True, exist_ok=True)
    cases = (
        case
        for name in arguments.family or FAMILIES
        for case in FAMILIES[name](arguments.quick)
        if arguments.only in case.name
    )
    results = list(run_together(cases) if arguments.quick else map(run_case, cases))
    bars = [bar for result in results for bar in result["bars"]]
    print(f"\n{sum(bar['stands'] for bar in bars)} of {len(bars)} bars stand")
    if arguments.json:
        document = {
            "schema": "recta/bench/1",
            "machine": platform.machine(),
            "quick": arguments.quick,
            "results": results,
        }
        arguments.json.write_text(json.dumps(document, indent=1) + "\n")
    if arguments.quick and not all(bar["stands"] for bar in bars):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
