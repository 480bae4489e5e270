"""Runs an oracle's real system in a process of its own, so that what crashes takes nobody with it."""
import json
import os
import select
import subprocess

PATIENCE = 120  # seconds for one model


class Worker:
    """A process that answers a line with a line, and is started anew where it ends or takes too long."""

    def __init__(self, command, hello=False):
        self.command, self.hello, self.process, self.greeting = command, hello, None, {}

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True,
                                        env={**os.environ, "OMP_NUM_THREADS": "1", "PATH": self.path()})
        if self.hello:
            self.greeting = json.loads(self.process.stdout.readline() or "{}")

    def path(self):
        """Where programs that a package brings lie, beside its Python."""
        return os.path.dirname(os.path.abspath(self.command[0])) + os.pathsep + os.environ.get("PATH", "")

    def ask(self, task):
        """Nothing where the process ended."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        try:
            self.process.stdin.write(json.dumps(task) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline() if select.select([self.process.stdout], [], [], PATIENCE)[0] else ""
        except OSError:
            line = ""
        if line:
            return json.loads(line)
        self.process.kill()
        self.process.wait()
        self.process = None
        return None

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None
