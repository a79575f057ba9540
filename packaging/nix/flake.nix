# `nix build "path:.?dir=packaging/nix"` in the sources, or `nix run 'git+URL?dir=packaging/nix'`.
{
  description = "CALL: performance models of parallel programs";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: rec {
        call-llac = pkgs.callPackage ./package.nix { };
        default = call-llac;
      });
    };
}
