"""A process of its own that uses an embedded server: says what it found, then waits.

Run as a script with the server's folder. It prints whether it started the server, and lets go when
its standard input ends.
"""

import sys
from pathlib import Path

from config import embedded

if __name__ == "__main__":
    place = embedded.locate(Path(sys.argv[1]))
    with embedded.start(place, durable=False) as server:
        sys.stdout.write(f"{'started' if server.started else 'attached'}\n")
        sys.stdout.flush()
        sys.stdin.read()
