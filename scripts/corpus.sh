#!/bin/sh
# Runs `call` over C of Debian's source packages: see scripts/corpus/README.md.
set -eu
exec python3 "$(dirname "$0")/corpus/corpus.py" "$@"
