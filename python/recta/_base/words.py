"""The library's advice names the flags of the command line; here it names what a Python caller writes."""

import re

WORDS = [  # compiled when first used: importing the package stays light
    (
        r"pass --missing mean, indicator, neighbours or drop|fill it in, or fit with --missing drop, mean, indicator or neighbours",
        "drop such rows or fill them in (sklearn.impute.SimpleImputer, where add_indicator=True marks them, or recta.neighbors.KNNImputer)",
    ),
    (r"remove the row, or fit with --missing drop", "drop such rows"),
    (r"pass --missing drop", "drop such rows"),
    (r"(?:pass|with) --ignore to leave (\S+) out", r"leave \1 out"),
    (r"(?:pass|drop it with) --ignore ([^\s;:]+)", r"leave out \1"),
    (r"pass --standardise", "use recta.preprocessing.StandardScaler"),
    (
        r"recta fit ridge --condition 10:1000, or --lambda above 0",
        "recta.linear_model.Ridge(condition=(10, 1000)), or with alpha above 0",
    ),
    (
        r"pass --max-vif (10|5), or --ignore ([^\s;:]+)",
        r"recta.feature_selection.VarianceInflationThreshold(max_vif=\1), or leave out \2",
    ),
    (
        r"fit with --max-vif 1000, which leaves them out",
        "recta.feature_selection.VarianceInflationThreshold(max_vif=1000) leaves them out",
    ),
    (r"\((?:recta )?fit ridge --condition 10:1000\)", "(recta.linear_model.Ridge(condition=(10, 1000)))"),
    (r"pass --components 0\.99,", "sklearn.decomposition.PCA(0.99) after recta.preprocessing.StandardScaler,"),
    (
        r"\((?:recta fit )?--components 0\.99\)",
        "(sklearn.decomposition.PCA(0.99) after recta.preprocessing.StandardScaler)",
    ),
    (r"\((?:recta fit )?--max-vif 10\)", "(recta.feature_selection.VarianceInflationThreshold(max_vif=10))"),
    (r"fit with --errors hc3", "take summary(X, y, errors='HC3')"),
    (r": --cluster groups the rows that depend", ": summary(X, y, cluster=...) groups the rows that depend"),
    (r"fit it again with --intervals", "fit it again with intervals=True"),
    (r"recta fit ridge with --lambda above 0", "recta.linear_model.Ridge with alpha above 0"),
    (r"recta fit ridge", "recta.linear_model.Ridge"),
    (r"\(--ignore\)", "(leave columns out)"),
    (r"predict or fit with --unseen zeros to let", "fit with unseen='zeros' to let"),
    (r"fit with --stream, in memory", "the command line fits a file in memory"),
    (r", or stream the file", ""),
    (r"--all (shows|lists)", r"text(top=0) \1"),
    (r"--types (.+?)=(real|integer|category|text)", r"types={'\1': '\2'}"),
    (r"--missing-tokens (?!if\b)(\S+)", r"missing=['\1']"),
    (r"--missing-tokens", "missing="),
    (r"--(decimal|thousands) ('.')", r"\1=\2"),
    (r"--header\b", "header=True"),
    (r"--(max-columns|index-base) (\d+)", lambda match: f"{match[1].replace('-', '_')}={match[2]}"),
    (r"--([a-z][a-z-]*)", lambda match: f"{match[1].replace('-', '_')}="),
    (r"recta eval measures", "score(X, y) measures"),
    (r"recta check\b", "recta.check"),
    (r"made by recta fit -o FILE", "made by save(path)"),
]


def in_python(text):
    for flag, python in WORDS:
        text = re.sub(flag, python, text)
    return text
