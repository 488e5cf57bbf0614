"""Clusters of two workers with a core each, on this machine, and what kills them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

#: The most seconds that anything of a cluster may take to come up.
PATIENCE = 600


def free_port() -> int:
    """Return a port that no program uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(condition: Callable[[], object], what: str) -> None:
    """Wait for a condition."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {PATIENCE} s")
        time.sleep(0.05)


def listens(port: int) -> bool:
    """Return whether a program answers at a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def parents() -> dict[int, int]:
    """Return the parent of each process."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name of a program is in parentheses, and may have some itself.
            found[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    return found


def family(root: int) -> set[int]:
    """Return a process with all its descendants."""
    found, above = {root}, parents()
    while more := {pid for pid, parent in above.items() if parent in found} - found:
        found |= more
    return found


def is_alive(pid: int) -> bool:
    """Return whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(pids: set[int]) -> None:
    """Kill processes, with SIGKILL, and wait for their end."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    until(lambda: not any(map(is_alive, pids)), "the end of killed processes")


class pinned:
    """A core for the processes that are started inside."""

    def __init__(self, core: int) -> None:
        self.before = os.sched_getaffinity(0)
        cores = sorted(self.before)
        self.core = {cores[core % len(cores)]}

    def __enter__(self) -> None:
        os.sched_setaffinity(0, self.core)

    def __exit__(self, *_: object) -> None:
        os.sched_setaffinity(0, self.before)


class Ray:
    """Ray with a head that does no work, and two nodes of a core each."""

    def __init__(self, environment: dict[str, str]) -> None:
        from ray.cluster_utils import Cluster

        os.environ.update(environment)
        args = {"num_cpus": 0, "include_dashboard": False, "node_ip_address": "127.0.0.1"}
        self.cluster = Cluster(initialize_head=True, head_node_args=args)
        self.nodes: list[set[int]] = []
        for core in range(2):
            with pinned(core):
                node = self.cluster.add_node(num_cpus=1, node_ip_address="127.0.0.1")
            self.nodes.append({process.process.pid for kind in node.all_processes.values() for process in kind})

    @property
    def options(self) -> list[str]:
        """The part of a recipe's command line that names the cluster."""
        return ["--address", self.cluster.address]

    def node_of(self, pid: int) -> set[int]:
        """Return the processes of the node that a process belongs to."""
        return _node_of(self.nodes, pid)

    def stop(self) -> None:
        """Stop all nodes."""
        self.cluster.shutdown()


class Spark:
    """Spark's own cluster: a master, and two workers of a core each."""

    def __init__(self, environment: dict[str, str], memory: str = "1g") -> None:
        self.folder = tempfile.mkdtemp()
        port = free_port()
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.executor.memory": memory,
            "spark.executor.cores": "1",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.files.maxPartitionBytes": "4m",
            "spark.sql.files.openCostInBytes": "0",
        }
        Path(self.folder, "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
        os.environ.update(environment, SPARK_LOCAL_IP="127.0.0.1", SPARK_CONF_DIR=self.folder, PYSPARK_PYTHON=sys.executable)
        self.address = f"spark://127.0.0.1:{port}"
        self.started = [self._start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")]
        until(lambda: listens(port), "Spark's master")
        self.nodes: list[set[int]] = []
        for core in range(2):
            with pinned(core):
                work = ["--cores", "1", "--memory", memory, "--webui-port", "0", "--work-dir", f"{self.folder}/{core}"]
                worker = self._start("worker.Worker", "--host", "127.0.0.1", *work, self.address)
            self.started.append(worker)
            self.nodes.append({worker.pid})

    def _start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        import pyspark

        program = Path(pyspark.__file__).parent / "bin" / "spark-class"
        command = [str(program), f"org.apache.spark.deploy.{what}", *arguments]
        with open(Path(self.folder, f"{what}.log"), "ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    @property
    def options(self) -> list[str]:
        """The part of a recipe's command line that names the cluster."""
        return ["--master", self.address]

    def node_of(self, pid: int) -> set[int]:
        """Return the processes of the node that a process belongs to."""
        return _node_of(self.nodes, pid)

    def stop(self) -> None:
        """Stop all nodes."""
        for process in self.started:
            kill(family(process.pid))
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Sail:
    """A server of Sail: one process, whose workers are threads."""

    def __init__(self, environment: dict[str, str]) -> None:
        port = free_port()
        command = [str(Path(sys.executable).with_name("sail")), "spark", "server", "--ip", "127.0.0.1", "--port", str(port)]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, env={**os.environ, **environment}, stdin=quiet, stdout=quiet, stderr=quiet)
        until(lambda: listens(port), "Sail's server")
        self.options = ["--remote", f"sc://127.0.0.1:{port}"]

    def stop(self) -> None:
        """Stop the server."""
        kill(family(self.process.pid))
        self.process.wait()


def _node_of(nodes: list[set[int]], pid: int) -> set[int]:
    for roots in nodes:
        members = set().union(*map(family, roots))
        if pid in members:
            return members
    raise LookupError(f"process {pid} is in no node")
