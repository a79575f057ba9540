# A recipe for Spack: copy it to packages/call_llac/package.py of a repository of yours (`spack repo create`).
from spack.package import *


class CallLlac(Package):
    """CALL: performance models of parallel programs. The translator call makes C programs with directives measure their blocks; the
    analyser llac fits constants, judges formulas and predicts run times."""

    # The places of the sources and of their releases.
    homepage = "https://example.org/call"
    url = "https://example.org/call-0.1.0.tar.gz"
    git = "https://example.org/call.git"

    license("MIT OR Apache-2.0", checked_by="call")

    version("main", branch="main")
    # Of the release's sources.
    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("mpi", default=True, description="The runtime as a library for MPI programs, too")
    variant("otf2", default=True, description="Read and write archives of OTF2")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("rust@1.88:", type="build")
    depends_on("mpi", when="+mpi")
    depends_on("otf2", when="+otf2")

    def setup_build_environment(self, env):
        if self.spec.satisfies("~otf2"):
            env.set("OTF2_CONFIG", "")

    def install(self, spec, prefix):
        mpicc = spec["mpi"].mpicc if spec.satisfies("+mpi") else ""
        make("build")
        make("install", f"PREFIX={prefix}", f"MPICC={mpicc}")
