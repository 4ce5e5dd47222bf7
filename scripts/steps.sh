# shellcheck shell=bash
# Sourced by the scripts: named steps with their times, and the list of files a check looks at.

seconds_since() { # START, as EPOCHREALTIME gave it
  local now=$EPOCHREALTIME
  printf '%d.%d' $(((${now/[.,]/} - ${1/[.,]/}) / 1000000)) $(((${now/[.,]/} - ${1/[.,]/}) / 100000 % 10))
}

# Runs a command with its output in a log: one line when it works, the output as well when it does not.
step() { # NAME COMMAND...
  local name=$1 start=$EPOCHREALTIME status=0
  shift
  local log="build/logs/${name//[^A-Za-z0-9_.-]/_}.log"
  mkdir -p build/logs
  printf '  %-44s ' "$name"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if ((status == 0)); then
    printf '%8s s\n' "$(seconds_since "$start")"
  else
    printf '%8s s  FAILED\n' "$(seconds_since "$start")"
    # What failed first may stand far above the end: a build goes on with what it still can do.
    grep -n -m 20 -E '\berror\b.*:|^FAILED' "$log" | cut -c 1-300 | sed 's/^/    ! /'
    tail -n 150 "$log" | sed 's/^/    | /'
    printf '    the whole output: %s\n' "$log"
  fi
  return "$status"
}

# Files of the project by pattern, whether committed yet or not; without git, what is not a build product.
source_files() { # PATTERN...
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard -- "$@" | while IFS= read -r -d '' file; do
      [[ -f $file ]] && printf '%s\n' "$file"
    done
  else
    local pattern expression=()
    for pattern in "$@"; do expression+=(-o -path "./$pattern" -o -name "$pattern"); done
    find . \( -name 'build*' -o -name '.venv*' -o -name .git \) -prune -o \
      -type f \( "${expression[@]:1}" \) -print | sed 's|^\./||'
  fi
}

# Compilers of this code take up to about 1.2 GB each.
jobs_that_fit() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ {print int($2 / 1200000)}' /proc/meminfo)
  echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}
