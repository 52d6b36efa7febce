"""The texts of `edgewise launch`: a Slurm script, and a manifest for Kubernetes.

Both run ``edgewise run ALGORITHM FILE --grid RxC``. Words of the user are quoted for the shell, or
for YAML as JSON strings, which YAML contains.
"""

from __future__ import annotations

import json
import shlex
from typing import NamedTuple

__all__ = ["TEMPLATES", "Job", "kubernetes", "slurm"]


class Job(NamedTuple):
    """A run of one algorithm on several nodes, and what each rank needs."""

    name: str
    command: tuple[str, ...]
    nodes: int
    ranks_per_node: int
    cores: int
    memory_gib: int
    gpu: bool
    time: str
    partition: str | None
    account: str | None
    image: str
    namespace: str
    claim: str
    mount: str

    @property
    def ranks(self) -> int:
        return self.nodes * self.ranks_per_node


def slurm(job: Job) -> str:
    """A batch script: ``sbatch SCRIPT`` runs it."""
    options = [
        f"--job-name={job.name}",
        f"--nodes={job.nodes}",
        f"--ntasks-per-node={job.ranks_per_node}",
        f"--cpus-per-task={job.cores}",
        f"--mem={job.memory_gib * job.ranks_per_node}G",
        f"--time={job.time}",
        "--output=%x-%j.log",
    ]
    options += [f"--gpus-per-node={job.ranks_per_node}"] if job.gpu else []
    options += [f"--partition={job.partition}"] if job.partition else []
    options += [f"--account={job.account}"] if job.account else []
    lines = [
        "#!/bin/bash",
        *(f"#SBATCH {shlex.quote(option)}" for option in options),
        "set -euo pipefail",
        "",
        "# Load the modules or the virtual environment that has Edgewise and the cluster's MPI:",
        "# module load mpi python",
        "# source $HOME/venv/bin/activate",
        "",
        'export EDGEWISE_NUM_THREADS="$SLURM_CPUS_PER_TASK"',
        "# Kernels are compiled once, to a folder that all nodes see.",
        'export EDGEWISE_CACHE_DIR="$HOME/.cache/edgewise/kernels"',
        f'srun --mpi="${{EDGEWISE_MPI:-pmix}}" {shlex.join(job.command)}',
    ]
    return "\n".join(lines) + "\n"


def kubernetes(job: Job) -> str:
    """An MPIJob (kubeflow.org/v2beta1): ``kubectl apply -f FILE`` runs it."""
    limits = {"cpu": str(job.cores * job.ranks_per_node),
              "memory": f"{job.memory_gib * job.ranks_per_node}Gi"}  # fmt: skip
    if job.gpu:
        limits["nvidia.com/gpu"] = str(job.ranks_per_node)
    hours, minutes, seconds = (int(part) for part in job.time.split(":"))
    command = ["mpiexec", "-n", str(job.ranks), *job.command]
    return f"""\
# Needs the MPI operator (https://github.com/kubeflow/mpi-operator), an image with Edgewise,
# MPICH and an SSH server, and a volume claim that all pods can mount at once (ReadWriteMany).
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: {_text(job.name)}
  namespace: {_text(job.namespace)}
spec:
  slotsPerWorker: {job.ranks_per_node}
  mpiImplementation: MPICH
  runPolicy:
    cleanPodPolicy: Running
    backoffLimit: 0
    activeDeadlineSeconds: {hours * 3600 + minutes * 60 + seconds}
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      restartPolicy: Never
      template:
        spec:
          containers:
            - name: launcher
              image: {_text(job.image)}
              command: {json.dumps(command)}
{_container(job)}
          volumes:
{_volume(job)}
    Worker:
      replicas: {job.nodes}
      restartPolicy: Never
      template:
        spec:
          containers:
            - name: worker
              image: {_text(job.image)}
              resources:
                requests: {json.dumps(limits)}
                limits: {json.dumps(limits)}
{_container(job)}
          volumes:
{_volume(job)}
"""


def _container(job: Job) -> str:
    """The variables and the folder of a container."""
    return f"""\
              env:
                - name: EDGEWISE_NUM_THREADS
                  value: {_text(str(job.cores))}
                - name: EDGEWISE_CACHE_DIR
                  value: {_text(f"{job.mount}/.edgewise/kernels")}
              volumeMounts:
                - name: data
                  mountPath: {_text(job.mount)}"""


def _volume(job: Job) -> str:
    return f"""\
            - name: data
              persistentVolumeClaim:
                claimName: {_text(job.claim)}"""


def _text(word: str) -> str:
    return json.dumps(word)


TEMPLATES = {"slurm": slurm, "kubernetes": kubernetes}
