"""Run the tests of this folder, or of the files named, and the examples of the package, with nothing but Python's own library."""

import sys
import unittest
from pathlib import Path


def main() -> bool:
    here = str(Path(__file__).parent)
    sys.path.insert(0, here)
    suite = unittest.TestSuite()
    for pattern in sys.argv[1:] or ["test_*.py"]:
        suite.addTests(unittest.defaultTestLoader.discover(here, pattern=pattern))
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    for test, why in result.skipped:
        print(f"SKIPPED: {test}: {why}")
    return result.wasSuccessful()


# Processes that a test starts import this file again.
if __name__ == "__main__":
    sys.exit(not main())
