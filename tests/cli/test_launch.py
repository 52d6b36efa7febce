"""`edgewise launch`: scripts that a shell parses and manifests that are YAML, with every option."""

from __future__ import annotations

import subprocess

import pytest


def test_a_slurm_script(edgewise, tmp_path):
    done = edgewise("launch", "pagerank", "/scratch/my graph.ew", "--template", "slurm",
                    "--nodes", 8, "--ranks-per-node", 2, "--cores", 12, "--memory-gib", 30,
                    "--device", "cuda", "--time", "02:30:00", "--name", "ranks",
                    "--partition", "gpu", "--account", "lab", "-o", "/scratch/rank.npy",
                    "--", "--alpha", "0.9")  # fmt: skip
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "#!/bin/bash"
    options = {line.removeprefix("#SBATCH ") for line in lines if line.startswith("#SBATCH ")}
    assert options == {
        "--job-name=ranks", "--nodes=8", "--ntasks-per-node=2", "--cpus-per-task=12",
        "--mem=60G", "--time=02:30:00", "--output=%x-%j.log", "--gpus-per-node=2",
        "--partition=gpu", "--account=lab",
    }  # fmt: skip
    assert lines[-1].endswith(
        "edgewise run pagerank '/scratch/my graph.ew' --alpha 0.9 --grid 4x4 --device cuda "
        "-o /scratch/rank.npy"
    )
    script = tmp_path / "job.sh"
    script.write_text(done.out)
    assert subprocess.run(["bash", "-n", script]).returncode == 0


def test_the_script_runs_the_command(edgewise, tmp_path):
    """With stand-ins for srun and Slurm's variables, the command has the words that it should."""
    done = edgewise("launch", "bfs", "it's $HOME.ew", "--template", "slurm", "--", "0")
    script, srun = tmp_path / "job.sh", tmp_path / "srun"
    script.write_text(done.out)
    srun.write_text('#!/bin/bash\nprintf "%s\\n" "$@"\n')
    srun.chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin", "SLURM_CPUS_PER_TASK": "3", "HOME": "/home/me"}
    found = subprocess.run(["bash", script], env=path, capture_output=True, text=True)
    assert found.stdout.splitlines() == [
        "--mpi=pmix", "edgewise", "run", "bfs", "it's $HOME.ew", "0", "--grid", "2x2",
        "-o", "result.npz",
    ]  # fmt: skip


def test_a_kubernetes_manifest(edgewise):
    yaml = pytest.importorskip("yaml")
    done = edgewise("launch", "louvain", "/data/g: 1.ew", "--template", "kubernetes",
                    "--nodes", 3, "--ranks-per-node", 2, "--cores", 4, "--memory-gib", 8,
                    "--device", "cuda", "--time", "00:10:30", "--image", "me/edgewise:1",
                    "--namespace", "graphs", "--claim", "files", "--mount", "/data/")  # fmt: skip
    assert done.code == 0
    job = yaml.safe_load(done.out)
    assert (job["apiVersion"], job["kind"]) == ("kubeflow.org/v2beta1", "MPIJob")
    assert job["metadata"] == {"name": "edgewise", "namespace": "graphs"}
    spec = job["spec"]
    assert spec["slotsPerWorker"] == 2 and spec["runPolicy"]["activeDeadlineSeconds"] == 630
    launcher, worker = (spec["mpiReplicaSpecs"][one] for one in ("Launcher", "Worker"))
    assert (launcher["replicas"], worker["replicas"]) == (1, 3)
    (first,), (second,) = (one["template"]["spec"]["containers"] for one in (launcher, worker))
    assert first["command"] == [
        "mpiexec", "-n", "6", "edgewise", "run", "communities.louvain", "/data/g: 1.ew",
        "--grid", "2x3", "--device", "cuda", "-o", "/data/result.npy",
    ]  # fmt: skip
    assert second["resources"]["limits"] == {"cpu": "8", "memory": "16Gi", "nvidia.com/gpu": "2"}
    for one in (first, second):
        assert one["image"] == "me/edgewise:1"
        assert {"name": "EDGEWISE_NUM_THREADS", "value": "4"} in one["env"]
        assert one["volumeMounts"] == [{"name": "data", "mountPath": "/data"}]
    for one in (launcher, worker):
        (volume,) = one["template"]["spec"]["volumes"]
        assert volume["persistentVolumeClaim"] == {"claimName": "files"}


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ([], "/data/result.npy"),
        (["--mount", "/work/"], "/work/result.npy"),
        (["-o", "out/ranks.parquet", "--mount", "/work"], "/work/out/ranks.parquet"),
        (["-o", "/elsewhere/x.npy"], "/elsewhere/x.npy"),
    ],
)
def test_pods_write_to_the_volume(edgewise, words, path):
    """A relative path would end with the pod."""
    yaml = pytest.importorskip("yaml")
    done = edgewise("launch", "pagerank", "g.ew", "--template", "kubernetes", *words)
    launcher = yaml.safe_load(done.out)["spec"]["mpiReplicaSpecs"]["Launcher"]
    (container,) = launcher["template"]["spec"]["containers"]
    assert container["command"][-2:] == ["-o", path]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["simple_cycles", "g.ew"], "ALGORITHM must be one that runs on a grid"),
        (["pagerank", "g.ew", "--time", "1h"], "--time must be HH:MM:SS"),
        (["pagerank", "g.ew", "--name", "My Job"], "--name must be up to 63 lowercase"),
        (["pagerank", "g.ew", "--account", "a b"], "--account must be a word"),
        (["pagerank", "g.ew", "-o", "x.docx"], "results go to"),
        (["bfs", "g.ew", "-o", "x.npy"], "a .npy file takes one value per vertex"),
        (["pagerank", "g.ew", "--nodes", "0"], "nodes"),
    ],
)
def test_bad_arguments(edgewise, words, text):
    done = edgewise("launch", *words, "--template", "slurm")
    assert done.code != 0 and text in done.err
