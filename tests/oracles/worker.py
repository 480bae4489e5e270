"""Runs an oracle's real system in a process of its own, so that what crashes takes nobody with it."""
import json
import os
import select
import subprocess
import time

PATIENCE = 120  # seconds of processor time for one model
IDLE = 30  # seconds without any: it waits for itself


def processor_seconds(pid):
    """What a process has used so far; seconds of the clock where that is not known."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Worker:
    """A process that answers a line with a line, and is started anew where it ends or takes too long."""

    def __init__(self, command, hello=False):
        self.command, self.hello, self.process, self.greeting = command, hello, None, {}
        self.asked = 0  # tasks of the process that runs now

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True,
                                        env={**os.environ, "OMP_NUM_THREADS": "1", "PATH": self.path()})
        self.asked = 0
        if self.hello:
            self.greeting = json.loads(self.process.stdout.readline() or "{}")

    def path(self):
        """Where programs that a package brings lie, beside its Python."""
        return os.path.dirname(os.path.abspath(self.command[0])) + os.pathsep + os.environ.get("PATH", "")

    def ask(self, task):
        """Nothing where the process ended."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        self.asked += 1
        try:
            self.process.stdin.write(json.dumps(task) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline() if self.answers_in_time() else ""
        except OSError:
            line = ""
        if line:
            return json.loads(line)
        self.stop()
        return None

    def stop(self):
        """The next task has a process of its own."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def answers_in_time(self):
        """Whether a line comes before the process used too much, or nothing; a machine that does much else makes no model slow."""
        began = used = processor_seconds(self.process.pid)
        moved = time.monotonic()
        while not select.select([self.process.stdout], [], [], 2)[0]:
            if self.process.poll() is not None:
                return False  # what it started may keep the pipe open
            now = processor_seconds(self.process.pid)
            moved = time.monotonic() if now != used else moved
            used = now
            if used - began > PATIENCE or time.monotonic() - moved > IDLE:
                return False
        return True

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None
