#!/usr/bin/env bash
# Many calls in one process, from bash: a request a line, an answer a line, in the same order.
# Usage: examples/batch.sh [DIRECTORY]; the variable AGENT_LS names the command, if it is not on the path.
set -euo pipefail

root=$(cd "${1:-.}" && pwd)
read -ra command <<<"${AGENT_LS:-agent-ls}"

# The name in an answer, as JSON has it.
id='"id":"(([^"\]|\\.)*)"'

# Names of directories, as a listing for programs prints them; each becomes a request.
"${command[@]}" "$root" --dirs |
  while IFS= read -r directory; do
    # In JSON, backslashes and quotes need a backslash.
    name=${directory//\\/\\\\}
    name=${name//\"/\\\"}
    printf '{"id": "%s", "params": {"path": "%s", "limit": 200}}\n' "$name" "$name"
  done |
  "${command[@]}" call --stdin --root "$root" |
  while IFS= read -r answer; do
    [[ $answer =~ $id ]] && name=${BASH_REMATCH[1]//\\\"/\"}
    [[ $answer =~ \(Total:\ ([0-9]+)\ items ]] && echo "${name//\\\\/\\} ${BASH_REMATCH[1]}"
  done
