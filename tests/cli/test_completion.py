"""Shell completion: the scripts are sound and complete the words of the program."""

import re
import shutil
import subprocess

import pytest


def bash(script, words):
    """What bash offers after `words`, the last one being typed."""
    setup = " ".join(f"'{w}'" for w in words)
    line = f'source {script}; COMP_WORDS=({setup}); COMP_CWORD={len(words) - 1}; _recta; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-u", "-c", line], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.fixture
def script(run, tmp_path):
    done = run("completion", "bash")
    assert done.returncode == 0
    (tmp_path / "recta.bash").write_text(done.stdout)
    return tmp_path / "recta.bash"


@pytest.mark.parametrize(
    "words, offered",
    [
        (["recta", "pre"], {"predict"}),
        (["recta", "fit", "rid"], {"ridge", "ridge-classifier"}),
        (["recta", "fit", "ridge", "hous"], {"housing"}),
        (["recta", "fit", "ridge", "--lambda", "1", "hous"], {"housing"}),
        (["recta", "fit", "ridge", "housing", "--miss"], {"--missing", "--missing-neighbours", "--missing-tokens"}),
        (["recta", "fit", "ridge", "housing", "--missing", "m"], {"mean"}),
        (["recta", "completion", "z"], {"zsh"}),
        (["recta", "help", "ver"], {"verify", "version"}),
    ],
)
def test_bash_completes(script, words, offered):
    assert set(bash(script, words)) == offered


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_the_bash_script_has_no_faults(script):
    done = subprocess.run(["shellcheck", "-s", "bash", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_scripts_parse_where_their_shell_is_installed(run, tmp_path, shell):
    text = run("completion", shell).stdout
    assert "--holdout" in text or "-l holdout" in text
    if shutil.which(shell):
        (tmp_path / "script").write_text(text)
        done = subprocess.run([shell, "-n", tmp_path / "script"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_every_flag_of_the_help_is_completed(run):
    flags = set(re.findall(r"--[a-z0-9-]+", run("fit", "--help").stdout.split("Parameters of the models")[1]))
    script = run("completion", "bash").stdout
    assert flags and all(flag in script for flag in flags)
