"""A bar for verbose=1: tqdm's where it is installed, else one line on standard error."""

import sys


class PlainBar:
    def __init__(self, stream=None):
        self.stream, self.width = stream or sys.stderr, 0

    def __call__(self, step):
        known = step.fraction >= 0
        filled = int(20 * step.fraction) if known else 0
        bar = "#" * filled + "." * (20 - filled)
        text = f"{step.stage:<24} [{bar}] {step.seconds:.1f} s" + (
            f", gap {step.gap:.1e}" if step.gap is not None else ""
        )
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = max(self.width, len(text))

    def close(self):
        if self.width:
            self.stream.write("\n")


class TqdmBar:
    def __init__(self, tqdm):
        self.bar = tqdm(total=100, bar_format="{desc} {bar} {elapsed}", leave=False)

    def __call__(self, step):
        self.bar.set_description_str(step.stage)
        self.bar.n = int(100 * max(step.fraction, 0))
        self.bar.refresh()

    def close(self):
        self.bar.close()


def reporter(verbose):
    """What the fit calls: nothing, a bar, or the caller's own function of a step (False stops the fit)."""
    if callable(verbose):
        return verbose
    if not verbose:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return PlainBar()
    return TqdmBar(tqdm)
