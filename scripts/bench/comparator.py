"""The other end of comparator.ts: a process that stays open and times one repetition for each line that it is sent."""
import json
import os
import sys
import time

import numpy

# what libraries print is not a reply
replies, sys.stdout = sys.stdout, sys.stderr


def numbers(name, kind="float32", *shape):
    """The numbers of the caller by their name, in rows."""
    return numpy.fromfile(f"{sys.argv[2]}/{name}", dtype=kind).reshape(shape or -1)


def threads():
    """How many threads libraries may use, in words."""
    count = int(os.environ["OMP_NUM_THREADS"])
    return f"{count} thread{'' if count == 1 else 's'}"


def serve(**tasks):
    """
    Runs the task of argv: a function of the arguments given that returns `about` (what it is, its precision and threads), `work` (what is
    timed; takes the arguments of a repetition) and perhaps `result` (makes JSON of what work returned) and `without` (what is timed
    and taken off, because it is no part of the work).
    """
    try:
        task = tasks[sys.argv[1]](**json.loads(sys.argv[3]))
    except ImportError as error:
        return say({"missing": str(error)})
    say({"about": task["about"]})
    for line in sys.stdin:
        started = time.perf_counter()
        returned = task["work"](**json.loads(line))
        seconds = time.perf_counter() - started
        if "without" in task:
            started = time.perf_counter()
            task["without"]()
            seconds -= time.perf_counter() - started
        say({"seconds": seconds, "result": task["result"](returned) if "result" in task else None})


def say(reply):
    replies.write(json.dumps(reply) + "\n")
    replies.flush()
