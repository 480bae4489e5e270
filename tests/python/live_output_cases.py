"""As live_cases.py: modules whose branches write, print, log and warn.

torch.export drops what it knows for output (`print`, `logging.info`, `warnings.warn`), and stops at the rest.
"""

import io
import json
import logging
import os
import pathlib
import pickle
import sys
import time
import traceback
import warnings

import torch

from live_cases import BATCH, of

LOG = logging.getLogger("condlint.tests.output")
BUFFER = io.StringIO()
BYTES = io.BytesIO()
FILE = pathlib.Path(os.devnull)


def within(left, **held):
    def forward(self, x):
        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    module, args, kwargs, _ = of(forward, **held)
    return module, args, kwargs, {"x": {0: BATCH}}


def streams_asked():
    def left(x):
        sys.stdout.write("left")  # expect: error side-effect
        sys.stdout.writelines(["left"])  # expect: error side-effect
        sys.stdout.flush()  # expect: error side-effect
        sys.stderr.flush()  # expect: error side-effect
        if sys.stderr.isatty():  # expect: error side-effect
            x = x * 2
        return x + 1

    return within(left)


def streams_held_are_fine():
    def left(x):
        write, name = sys.stdout.write, sys.stdout.encoding
        if sys.stdout is None or sys.stderr.closed or write is None or sys.stdout.buffer is None:
            x = x * 2
        return x + len(name)

    return within(left)


def stream_exchanged():
    def forward(self, x):
        def left(x):
            sys.stdout = sys.stderr
            return x + 1

        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))  # expect: error global-mutation

    return of(forward)


def files_opened():
    def left(x):
        with open(os.devnull, "w") as file:  # expect: error side-effect
            file.write("left")  # expect: error side-effect
        open(os.devnull)  # expect: error side-effect
        io.open(os.devnull)  # expect: error side-effect
        FILE.open()  # expect: error side-effect
        return x + 1

    return within(left)


def files_written():
    def left(x):
        FILE.write_text("left")  # expect: error side-effect
        BUFFER.write("left")  # expect: error side-effect
        pickle.dump(1, BYTES)  # expect: error side-effect
        json.dump({}, BUFFER)  # expect: error side-effect
        return x + 1

    return within(left)


def paths_put_together_are_fine():
    held = pathlib.Path("a", "b")

    def left(x):
        return x + len((pathlib.Path("a") / "b").name) + len(FILE.suffix) + len(str(held)) + len(held.parts)

    return within(left)


def printed_elsewhere():
    def left(x):
        print("left", file=sys.stderr)  # expect: error side-effect
        print("left", file=BUFFER)  # expect: error side-effect
        print("rows", x.shape[0])  # expect: error side-effect
        print("half", x.shape[0] / 2)  # expect: error side-effect
        return x + 1

    return within(left)


def printed_as_dropped():
    def left(x):
        print("left", x, x.sum(), x.ndim, True)  # expect: warning side-effect
        print()
        return x + 1

    return within(left)


def logged_by_function():
    def left(x):
        logging.warning("%s", x.shape)  # expect: error side-effect
        logging.debug("%d rows", x.shape[0])  # expect: error side-effect
        logging.info("left", extra={})  # expect: error side-effect
        return x + 1

    return within(left)


def logged_and_dropped():
    def left(x):
        logging.critical("left %s %s", x, 3)  # expect: warning side-effect
        logging.debug("left %s", x.dtype)
        return x + 1

    return within(left)


def logging_changed():
    def left(x):
        logging.disable(10)  # expect: error side-effect
        logging.addLevelName(11, "eleven")  # expect: error side-effect
        logging.StreamHandler(BUFFER)  # expect: error side-effect
        LOG.level = LOG.level  # expect: error global-mutation
        LOG.disabled = True  # expect: error global-mutation
        LOG.handlers.clear()  # expect: error side-effect
        return x + 1

    return within(left)


def level_of_logger_asked():
    def left(x):
        if LOG.level <= logging.DEBUG:  # expect: error side-effect
            x = x + 1
        return x * 2 if LOG.propagate else x  # expect: error side-effect

    return within(left)


def level_of_logger_held_is_fine():
    def left(x):
        level, name = LOG.level, f"{LOG.name}"
        if level is None or LOG is None or LOG.parent is None or name is None:
            x = x + 1
        return x * logging.INFO

    return within(left)


def warned_otherwise():
    def left(x):
        warnings.warn_explicit("left", UserWarning, "file.py", 1)  # expect: error side-effect
        warnings.showwarning("left", UserWarning, "file.py", 1)  # expect: error side-effect
        traceback.print_stack()  # expect: error side-effect
        time.sleep(0)  # expect: error side-effect
        return x + 1

    return within(left)


def warned_by_name():
    def left(x):
        warnings.warn(message="left")  # expect: warning side-effect
        return x + 1

    return within(left)
