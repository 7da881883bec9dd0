// Where logits are taken from: one decode call, and the rows it leaves. The only file that knows how
// llama.cpp hands logits out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/context.h"
#include "llama.h"

namespace logit_audit {

// A batch of whole sequences; each wants the step after its last token.
class DecodeBatch {
 public:
  explicit DecodeBatch(size_t tokens);
  ~DecodeBatch();
  DecodeBatch(const DecodeBatch&) = delete;
  DecodeBatch& operator=(const DecodeBatch&) = delete;

  // Returns the index of the sequence's last token in the batch, which host_row takes.
  int32_t add(const std::vector<llama_token>& tokens, llama_seq_id sequence);

  // Empties the context's memory and decodes. Throws cancelled or engine_failed.
  void decode(Context& context);

 private:
  llama_batch batch_;
};

// The logits after a batch index, vocab floats in host memory, valid until the next decode.
const float* host_row(Context& context, int32_t index);

}  // namespace logit_audit
