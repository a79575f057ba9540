# Also without flakes: `nix-build -E '(import <nixpkgs> { }).callPackage packaging/nix/package.nix { }'`.
{ lib, rustPlatform, otf2 }:

rustPlatform.buildRustPackage {
  pname = "call-llac";
  version = "0.1.0";

  src = lib.cleanSource ../..;
  cargoLock.lockFile = ../../Cargo.lock;
  cargoBuildFlags = [ "-p" "call-compiler" "-p" "llac" ];

  buildInputs = [ otf2 ];

  # They need compilers of all kinds and MPI.
  doCheck = false;

  # Programs bring the MPI that they are compiled with.
  installPhase = ''
    runHook preInstall
    BINARIES=$(dirname "$(find target -name llac -path '*release/llac')") MPICC= PREFIX=$out scripts/install.sh
    runHook postInstall
  '';

  meta = {
    description = "Performance models of parallel programs";
    license = with lib.licenses; [ mit asl20 ];
    platforms = lib.platforms.linux;
    mainProgram = "llac";
  };
}
