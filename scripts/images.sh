#!/usr/bin/env bash
# Builds the container images of the Dockerfile.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/images.sh [translate | train]...

Builds the images ventris:translate (translating, scoring and evaluating, without LibTorch) and ventris:train (all
programs, with LibTorch), or only those that are named. Each is compiled in a container of its own, from Debian 12.

  -h, --help   Show this help

Environment: DOCKER is the program to use, such as buildah (default: docker, else podman). PIP_INDEX_URL and
PIP_EXTRA_INDEX_URL say where pip looks for LibTorch. With the wheel for GPUs, ventris:train is 5 GB larger.
TEXT
}

find_docker() {
  local candidate
  for candidate in ${DOCKER:-docker podman}; do
    if command -v "$candidate" >/dev/null; then
      docker=$candidate
      return
    fi
  done
  die "${DOCKER:-docker (or podman)} was not found. Install it, or set DOCKER."
}

build_image() {
  DOCKER_BUILDKIT=1 "$docker" build --target "$1" --tag "ventris:$1" --build-arg PIP_INDEX_URL \
    --build-arg PIP_EXTRA_INDEX_URL "$root" || die "$docker could not build the image; the lines above say why."
}

images=()
for argument in "$@"; do
  case $argument in
    translate | train) images+=("$argument") ;;
    -h | --help) usage; exit 0 ;;
    *) die "unknown image \"$argument\"; --help lists the images." ;;
  esac
done
if ((${#images[@]} == 0)); then images=(translate train); fi

find_docker
for image in "${images[@]}"; do step "Image ventris:$image" build_image "$image"; done
