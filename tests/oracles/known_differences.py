"""What an oracle and condlint are known to disagree about: the files known-*.txt."""


def read(path):
    """The reasons by (kind, name), of lines `KIND NAME REASON`; those that begin with # are remarks."""
    known = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                kind, name, reason = line.strip().split(None, 2)
                known[kind, name] = reason
    return known
