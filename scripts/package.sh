#!/usr/bin/env bash
# Builds the programs and packs them: an archive that runs in any folder, and a package of Debian.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/package.sh [--without-libtorch] [--no-setup]

Makes ventris-VERSION-linux-ARCHITECTURE.tar.gz and ventris_VERSION_ARCHITECTURE.deb in build/packages. LibTorch is not
in them: the programs that need it look for it when they start (docs/packages.md). Also writes
ventris-VERSION.cdx.json: the libraries that the programs are linked to, with their versions (CycloneDX).

  --without-libtorch  Build and pack only the programs that need no LibTorch, as ventris-minimal
  --no-setup          Do not run scripts/setup.sh first, but pack what was built
  -h, --help          Show this help
TEXT
}

out=$root/build/packages

pack() {
  local generators=TGZ
  if command -v dpkg-shlibdeps >/dev/null && command -v file >/dev/null; then
    generators+=";DEB"
  else
    say "   dpkg-shlibdeps or file is missing, so no Debian package is made. On Debian: apt-get install dpkg-dev file"
  fi
  [[ -f $build/CPackConfig.cmake ]] || die "$build was not configured; run this script without --no-setup."
  mkdir -p "$out"
  rm -f "$out/$name"-[0-9]*.tar.gz "$out/${name}_"*.deb "$out/$name"-[0-9]*.cdx.json
  logged package cpack -G "$generators" --config "$build/CPackConfig.cmake" -B "$out" ||
    die "cpack could not make the packages; $logs/package.log says why."
  rm -rf "$out/_CPack_Packages"
  (cd "$out" && du -h -- "$name"-[0-9]*.tar.gz "${name}_"*.deb 2>/dev/null | sed 's/^/   /') || true
}

# The libraries of the programs, beside the packages.
list_libraries() {
  local archive version programs=()
  archive=$(basename "$out/$name"-[0-9]*.tar.gz)
  version=${archive#"$name"-}
  version=${version%%-linux-*}
  mapfile -t programs < <(find "$build/bin" -name 'ventris-*' -type f | sort)
  "$root/scripts/sbom.py" --version "$version" --output "$out/$name-$version.cdx.json" "${programs[@]}" ||
    die "the list of libraries could not be written; the lines above say why."
  say "   $(grep -c '"bom-ref"' "$out/$name-$version.cdx.json") entries: $name-$version.cdx.json"
}

setup_options=(--programs) build=$root/build/release name=ventris setup=yes
for argument in "$@"; do
  case $argument in
    --without-libtorch)
      setup_options+=(--without-libtorch)
      build=$root/build/minimal
      name=ventris-minimal
      ;;
    --no-setup) setup=no ;;
    -h | --help) usage; exit 0 ;;
    *) die "unknown option \"$argument\"; --help lists the options." ;;
  esac
done

if [[ $setup == yes ]]; then "$root/scripts/setup.sh" "${setup_options[@]}" || { said_why=yes; exit 1; }; fi
step "Packages in build/packages" pack
step "Libraries of the programs" list_libraries
