# Two images: `translate`, without LibTorch, and `train`, with LibTorch. scripts/images.sh builds them, and
# docs/packages.md says how to use them.
ARG DEBIAN=12

FROM debian:${DEBIAN} AS source
WORKDIR /ventris
COPY . .

FROM source AS build-translate
RUN scripts/package.sh --without-libtorch

FROM source AS build-train
# Where pip looks for LibTorch; without them, pip's usual places.
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL
RUN scripts/package.sh
# LibTorch without its headers and its part for Python; the wheel for GPUs also needs the libraries in nvidia/.
RUN mkdir -p /libraries/torch && cd .venv/lib/python3*/site-packages && \
    cp -r torch/lib torch/version.py /libraries/torch && rm -f /libraries/torch/lib/libtorch_python.so && \
    if [ -d nvidia ]; then cp -r nvidia /libraries; fi

FROM debian:${DEBIAN}-slim AS train
COPY --from=build-train /libraries /opt/libraries
RUN --mount=type=bind,from=build-train,source=/ventris/build/packages,target=/packages \
    apt-get update && apt-get install -y --no-install-recommends /packages/ventris_*.deb && \
    rm -rf /var/lib/apt/lists/*
ENV VENTRIS_LIBTORCH=/opt/libraries/torch
WORKDIR /work
CMD ["ventris-train", "--help"]

FROM debian:${DEBIAN}-slim AS translate
RUN --mount=type=bind,from=build-translate,source=/ventris/build/packages,target=/packages \
    apt-get update && apt-get install -y --no-install-recommends /packages/ventris-minimal_*.deb && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /work
CMD ["ventris-translate", "--help"]
