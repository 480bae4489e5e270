#!/usr/bin/env bash
# The language server with the capabilities of VS Code, Neovim and Emacs, where pytest-lsp is installed: profiles.sh CONDLINT
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${CONDLINT_PYTHON:-python3}
"$python" -c 'import pytest, pytest_lsp' 2>/dev/null || { echo "skipped: pytest-lsp is not installed"; exit 77; }
CONDLINT=$(realpath "$1") exec "$python" -m pytest -q -p no:cacheprovider "$here/profiles_test.py"
