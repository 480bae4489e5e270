#!/usr/bin/env bash
# The extension in the real VS Code, as code-server holds it: vscode.sh [--fetch] CONDLINT TOOLS [PICTURES]
#
# --fetch brings code-server and playwright-core from npm into TOOLS; the browser is Debian's package chromium. 77 where
# something is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
fetch=
[ "${1:-}" = --fetch ] && { fetch=1; shift; }
condlint=$(realpath "$1") tools=$2 pictures=${3:-}
only=${CONDLINT_VSCODE_ONLY:-} # names of what is looked at, instead of all
missing() { echo "skipped: vscode: $1"; exit 77; }

command -v node >/dev/null || missing "node is not installed"
chromium=$(command -v chromium) || missing "chromium is not installed"
code=$tools/code/package/lib/vscode
if [ -n "$fetch" ] && [ ! -e "$tools/code/ready" ]; then
  mkdir -p "$tools/code" "$tools/playwright"
  (cd "$tools/code" && npm pack code-server@4.100.3 >/dev/null && tar xzf code-server-4.100.3.tgz)
  # A script of one dependency would download; what is built is built from what is here.
  (cd "$code" && npm install --omit=dev --ignore-scripts --no-audit --no-fund >/dev/null
   npm_config_nodedir=/usr npm rebuild @vscode/spdlog native-watchdog node-pty >/dev/null 2>&1 || true
   ln -sf node_modules node_modules.asar)
  (cd "$tools/playwright" && npm init -y >/dev/null && npm install playwright-core --no-audit --no-fund >/dev/null)
  touch "$tools/code/ready"
fi
[ -e "$tools/code/ready" ] || missing "code-server is not in $tools (--fetch)"
vsix=$root/integration/vscode/condlint.vsix
if [ ! -e "$vsix" ]; then
  [ -n "$fetch" ] || missing "the extension is not built: npm install && npm run package in integration/vscode"
  (cd "$root/integration/vscode" && npm install --no-audit --no-fund >/dev/null && npm run package >/dev/null)
fi

# The extension of clangd, where somebody has put it there.
beside=
clangd=$(command -v clangd-22 || true)
[ -z "$clangd" ] || [ ! -e "$tools/clangd.vsix" ] || beside=clangd
[ -n "$beside" ] || echo "left out: vscode beside clangd: it needs clangd-22 and its extension as $tools/clangd.vsix"

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p "${pictures:=$work/pictures}"
. "$here/project.sh"

# judge NAME FOLDER SETTINGS [CIRCUMSTANCE]...: opens the folder in a fresh VS Code with these settings of the user
judge() {
  local name=$1 folder=$2 settings=$3 own=$work/$1
  shift 3
  [ -z "$only" ] || [[ " $only " == *" $name "* ]] || return 0
  mkdir -p "$own/data/User" "$own/data/data/User"
  cat >"$own/data/User/settings.json" <<END
{"workbench.startupEditor": "none", "workbench.tips.enabled": false, "editor.minimap.enabled": false,
 "chat.commandCenter.enabled": false, "telemetry.telemetryLevel": "off", "clangd.path": "$clangd",
 "clangd.checkUpdates": false, "workbench.colorTheme": "${CONDLINT_THEME:-Default Light Modern}", $settings}
END
  cp "$own/data/User/settings.json" "$own/data/data/User/"
  local folders=(--user-data-dir "$own/data" --server-data-dir "$own/data" --extensions-dir "$own/extensions") vsixes=("$vsix")
  [ "$beside" != clangd ] || vsixes+=("$tools/clangd.vsix")
  for each in "${vsixes[@]}"; do
    node "$code/out/server-main.js" --install-extension "$each" "${folders[@]}" >"$own/install.log" 2>&1 || {
      echo "FAILED: vscode: $each cannot be installed"; tail -5 "$own/install.log"; exit 1; }
  done
  local port=$((20000 + RANDOM % 20000)) code_is=0
  # What the extension finds is on the PATH of the editor, which may be another than that of this script.
  PATH=${EDITOR_PATH:-$PATH} node "$code/out/server-main.js" --host 127.0.0.1 --port "$port" --without-connection-token --accept-server-license-terms \
    ${EDITOR_PATH:+--force-disable-user-env} "${folders[@]}" >"$own/server.log" 2>&1 &
  server=$!
  for _ in $(seq 100); do grep -qs 'Extension host agent listening' "$own/server.log" && break; sleep 0.3; done
  timeout 600 node "$here/vscode.mjs" "http://127.0.0.1:$port/?folder=$folder" "$tools/playwright" "$chromium" \
    "$pictures" "$@" >"$own/log" 2>&1 || code_is=$?
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=
  [ $code_is = 0 ] || { echo "FAILED: $name"; tail -20 "$own/log"; exit 1; }
  echo "ok: $name: $(grep -c '^seen:' "$own/log") things seen"
}

# choosing PROGRAM FOLDER: a project that names the program in its settings, and has it as that of its Python
choosing() {
  project "$2"
  mkdir -p "$2/.vscode" "$2/.venv/bin"
  cp "$root/examples/nested.onnx" "$2/model.onnx"
  printf '{"condlint.path": "%s"}\n' "$1" >"$2/.vscode/settings.json"
  ln -s "$1" "$2/.venv/bin/condlint"
}

untrusting='"security.workspace.trust.startupPrompt": "never", "security.workspace.trust.banner": "never"'
trusting='"security.workspace.trust.enabled": false'

choosing "$condlint" "$work/project"
judge "vscode${beside:+-beside-clangd}" "$work/project" "$trusting" $beside
beside=

# As one begins: the program and the extension are installed, the folder with the examples is opened.
mkdir -p "$work/tests" "$work/home/.local/bin"
ln -s "$condlint" "$work/home/.local/bin/condlint"
cp -r "$root/examples" "$work/"
ln -s "$root/include" "$work/include"
ln -s "$root/tests/mocks" "$work/tests/mocks"
HOME=$work/home judge vscode-examples "$work/examples" "$trusting" examples

network "$work/network"
judge vscode-network "$work/network" "$trusting, \"condlint.path\": \"$condlint\"" network
exported "$work/exported"
judge vscode-script "$work/exported" "$trusting, \"condlint.path\": \"$condlint\"" script

# There is no program: what is to be done is said, the first steps are shown, and it is found once it is there.
project "$work/without"
mkdir -p "$work/bin" "$work/nobody/.local/bin"
for each in node env bash sh uname which; do ln -sf "$(command -v $each)" "$work/bin/$each"; done
CONDLINT=$condlint CONDLINT_PLACE=$work/nobody/.local/bin/condlint HOME=$work/nobody EDITOR_PATH=$work/bin VIRTUAL_ENV='' CONDA_PREFIX='' judge vscode-first-steps "$work/without" "$trusting" without

# Nobody has said that the workspace is to be trusted: what it names as the program is not run.
printf '#!/bin/sh\ntouch "%s"\nexec "%s" "$@"\n' "$work/was-run" "$condlint" >"$work/trap"
chmod +x "$work/trap"
choosing "$work/trap" "$work/stranger"
judge vscode-restricted "$work/stranger" "$untrusting, \"condlint.path\": \"$condlint\"" restricted
[ ! -e "$work/was-run" ] || { echo "FAILED: vscode: a restricted workspace chose the program"; exit 1; }
choosing "$work/trap" "$work/friend"
judge vscode-trusted "$work/friend" "$trusting" trusted
[ -n "$only" ] || [ -e "$work/was-run" ] || { echo "FAILED: vscode: a trusted workspace could not choose the program"; exit 1; }
