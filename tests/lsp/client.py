"""A small client of the language server protocol, for tests and measurements: messages go to a server's standard
input, and what it says is kept until somebody asks for it."""

import json
import os
import pathlib
import queue
import subprocess
import threading
import time


class Failure(Exception):
    """An error that the server answered with."""

    def __init__(self, error):
        super().__init__(error.get("message"))
        self.code = error.get("code")


FULL = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
    },
    "textDocument": {
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": True,
            "codeDescriptionSupport": True,
            "dataSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
}


class Client:
    def __init__(self, command, capabilities=None, folder=None, options=None, env=None, initialize=True):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **(env or {})}
        )
        self.number = 0
        self.answers = {}
        self.arrived = threading.Condition()
        self.published = {}  # the last diagnostics, by URI
        self.history = []  # of all published: (uri, params, time)
        self.notifications = []
        self.requests = []
        self.strays = []  # answers without an id
        self.ended = False
        self.versions = {}
        self.texts = {}
        threading.Thread(target=self._read, daemon=True).start()
        self.folder = pathlib.Path(folder) if folder else None
        if initialize:
            self.server = self.request(
                "initialize",
                {
                    "processId": os.getpid(),
                    "rootUri": self.folder.as_uri() if self.folder else None,
                    "workspaceFolders": [{"uri": self.folder.as_uri(), "name": "f"}] if self.folder else None,
                    "capabilities": FULL if capabilities is None else capabilities,
                    "initializationOptions": options or {},
                },
            )
            self.notify("initialized", {})

    # --- messages ---
    def send_bytes(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def start(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def request(self, method, params, timeout=60):
        return self.wait(self.start(method, params), timeout)

    def wait(self, number, timeout=60):
        self.until(lambda: number in self.answers, timeout, f"no answer to request {number}")
        message = self.answers.pop(number)
        if "error" in message:
            raise Failure(message["error"])
        return message.get("result")

    def until(self, condition, timeout=60, problem="it did not happen"):
        end = time.monotonic() + timeout
        with self.arrived:
            while not condition():
                left = end - time.monotonic()
                if left <= 0 or (self.ended and not condition()):
                    raise TimeoutError(problem)
                self.arrived.wait(min(left, 1))

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            for line in iter(out.readline, b"\r\n"):
                if not line:
                    with self.arrived:
                        self.ended = True
                        self.arrived.notify_all()
                    return
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(out.read(length))
            with self.arrived:
                self._take(message)
                self.arrived.notify_all()

    def _take(self, message):
        if "method" not in message:
            if message.get("id") is None:
                self.strays.append(message)
            else:
                self.answers[message["id"]] = message
        elif "id" in message:
            self.requests.append(message)
            try:
                self.send({"id": message["id"], "result": None})
            except (OSError, ValueError):
                pass  # it has ended
        elif message["method"] == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published[params["uri"]] = params
            self.history.append((params["uri"], params, time.monotonic()))
        else:
            self.notifications.append(message)

    # --- documents ---
    def open(self, path, text=None, language="cpp"):
        uri = pathlib.Path(path).as_uri()
        if text is None:
            text = pathlib.Path(path).read_text()
        self.versions[uri] = 1
        self.texts[uri] = text
        self.published.pop(uri, None)
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}},
        )
        return uri

    def change(self, uri, text):
        """The whole text anew."""
        self.versions[uri] += 1
        self.texts[uri] = text
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": [{"text": text}]},
        )

    def edit(self, uri, start, end, text):
        """A part of it, by places (line, character) from 0."""
        self.versions[uri] += 1
        place = lambda p: {"line": p[0], "character": p[1]}
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": self.versions[uri]},
                "contentChanges": [{"range": {"start": place(start), "end": place(end)}, "text": text}],
            },
        )

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri, timeout=60):
        """Those of the text as it is now."""
        version = self.versions.get(uri)
        self.until(
            lambda: uri in self.published and self.published[uri].get("version", version) == version,
            timeout,
            f"no diagnostics of {uri}",
        )
        return self.published[uri]["diagnostics"]

    def at(self, uri, method, line=None, character=None, **more):
        params = {"textDocument": {"uri": uri}, **more}
        if line is not None:
            params["position"] = {"line": line, "character": character}
        return self.request(method, params)

    def kill(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except OSError:
                pass

    def stop(self):
        try:
            self.request("shutdown", None, 10)
            self.notify("exit", None)
            return self.process.wait(10)
        finally:
            if self.process.poll() is None:
                self.process.kill()


def apply(text, edits):
    """What TextEdits in UTF-8 or ASCII make of \\p text."""
    lines = text.splitlines(keepends=True) + [""]
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line))
    offset = lambda p: begins[min(p["line"], len(lines))] + p["character"]
    for e in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[: offset(e["range"]["start"])] + e["newText"] + text[offset(e["range"]["end"]) :]
    return text
