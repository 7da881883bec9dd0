#!/usr/bin/env bash
# What a machine with a CUDA card is needed for, in under 8 minutes and without a network: the kernels against the cpu
# kernels, their speed against the card's own copy, and, where there is time and a model, a whole build and an audit
# against decoding alone. Lines of JSON on stdout; steps that cannot be made are told on stderr and skipped.
#
#   bench/device.sh build            here, needs nvcc (NVCC) and a finished `npm run build`: build/device/device_bench
#   bench/device.sh [run]            on the card: runs that program, or builds it first where nvcc is
#   bench/device.sh full [MODEL]     then also builds the engine for CUDA, runs the native tests on the card, and
#                                    measures decoding with and without metrics on MODEL (a GGUF file)
#
# LOGIT_AUDIT_CUDA_ARCHITECTURES="80;90;120" says for which cards `build` compiles (default 90).
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "bench/device.sh: $*" >&2; }

find_nvcc() {
  for one in "${NVCC:-}" nvcc /usr/local/cuda/bin/nvcc; do
    if [ -n "$one" ] && "$one" --version >/dev/null 2>&1; then
      echo "$one"
      return
    fi
  done
}

build() {
  local nvcc
  nvcc="$(find_nvcc)"
  if [ -z "$nvcc" ]; then
    say "SKIPPED: there is no nvcc (set NVCC)"
    return 1
  fi
  local libraries=build/engine
  if [ ! -f "$libraries/liblogit_audit_core.a" ]; then
    say "SKIPPED: the engine is not built; run npm run build first"
    return 1
  fi
  local codes=() one asked="${LOGIT_AUDIT_CUDA_ARCHITECTURES:-90}"
  for one in ${asked//;/ }; do codes+=(-gencode "arch=compute_$one,code=sm_$one"); done
  mkdir -p build/device
  local toolkit
  toolkit="$(dirname "$(dirname "$(command -v "$nvcc")")")"
  local rust="${CARGO_TARGET_DIR:-target}/release"
  "$nvcc" -O3 -std=c++17 "${codes[@]}" -I native -I native/vendor/llama.cpp/ggml/include -cudart static \
    -L "$toolkit/lib" -L "$toolkit/lib64" \
    native/bench/device_bench.cu native/metrics/cuda/{cuda,pairs,rows}.cu \
    "$libraries/liblogit_audit_core.a" "$rust/liblogit_audit_metrics_ffi.a" \
    $(find "$libraries/vendor" -name 'libggml*.a' | sort -r) $(find "$libraries/vendor" -name 'libggml*.a' | sort -r) \
    -lpthread -ldl -lm -o build/device/device_bench
  say "built build/device/device_bench"
}

run() {
  if ! command -v nvidia-smi >/dev/null 2>&1; then say "there is no nvidia-smi here; a card is unlikely"; fi
  if [ ! -x build/device/device_bench ]; then build || return 0; fi
  build/device/device_bench
}

full() {
  run
  if [ -z "$(find_nvcc)" ]; then
    say "SKIPPED: without nvcc the engine cannot be built for CUDA"
    return 0
  fi
  LOGIT_AUDIT_DEVICE=cuda node native/build.mjs --tests >&2
  build/engine/native_tests >&2
  local model="${1:-}"
  if [ -z "$model" ]; then
    say "SKIPPED: no model was given, so decoding with and without metrics was not measured"
    return 0
  fi
  npx tsc -p tsconfig.build.json && npx tsc -p tsconfig.bench.json
  # On the device, and from host memory, each against decoding alone.
  for how in auto cpu; do
    node build/bench/js/bench/main.js engine overhead --json --model "$model" --metrics-impl "$how"
  done
}

case "${1:-run}" in
  build) build ;;
  run) run ;;
  full) shift; full "$@" ;;
  *) say "use build, run or full"; exit 2 ;;
esac
