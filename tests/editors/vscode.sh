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

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p "$work/data/User" "$work/project" "${pictures:=$work/pictures}"
cat >"$work/data/User/settings.json" <<END
{"security.workspace.trust.enabled": false, "condlint.path": "$condlint", "workbench.startupEditor": "none",
 "workbench.tips.enabled": false, "editor.minimap.enabled": false, "chat.commandCenter.enabled": false,
 "telemetry.telemetryLevel": "off", "workbench.colorTheme": "${CONDLINT_THEME:-Default Light Modern}"}
END
mkdir -p "$work/data/data/User" && cp "$work/data/User/settings.json" "$work/data/data/User/"
. "$here/project.sh"
project "$work/project"
cp "$root/examples/nested.onnx" "$work/project/model.onnx"
folders=(--user-data-dir "$work/data" --server-data-dir "$work/data" --extensions-dir "$work/extensions")
node "$code/out/server-main.js" --install-extension "$vsix" "${folders[@]}" >"$work/install.log" 2>&1 || {
  echo "FAILED: vscode: the extension cannot be installed"; tail -5 "$work/install.log"; exit 1; }
port=$((20000 + RANDOM % 20000))
node "$code/out/server-main.js" --host 127.0.0.1 --port "$port" --without-connection-token --accept-server-license-terms \
  "${folders[@]}" >"$work/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do grep -q 'Extension host agent listening' "$work/server.log" && break; sleep 0.3; done
if timeout 400 node "$here/vscode.mjs" "http://127.0.0.1:$port/?folder=$work/project" "$tools/playwright" "$chromium" \
    "$pictures" >"$work/log" 2>&1; then
  echo "ok: vscode: $(grep -c '^seen:' "$work/log") things seen"
else
  echo "FAILED: vscode"; tail -20 "$work/log"; exit 1
fi
