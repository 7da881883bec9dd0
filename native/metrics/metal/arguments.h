// What the host tells the Metal kernels. Never compiled nor run so far: docs/devices.md.
#pragma once

namespace logit_audit {
namespace metal_kernels {

struct RowArguments {
  unsigned int vocab;
  unsigned int top;
  unsigned int groups;
  unsigned int targets_per_row;
  // Numbers of a row's result: 5, masses, top logits, top ids as bits, target logits, how many are larger.
  unsigned int columns;
};

struct PairArguments {
  unsigned int vocab;
  unsigned int members;
  // Numbers of a pair's result: 8, and the members' logits on both sides.
  unsigned int columns;
};

}  // namespace metal_kernels
}  // namespace logit_audit
