// Where logits are taken from: the only file that knows how llama.cpp keeps sequences and hands rows out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/context.h"
#include "engine/plan.h"
#include "engine/sequence.h"

namespace logit_audit {

// A row of logits that is there: the step it belongs to, and `vocab` floats in host memory, valid until the
// callback returns. Steps of several sequences may share one row.
struct TappedRow {
  uint32_t sequence = 0;
  uint32_t step = 0;
  const float* logits = nullptr;
};

// Decodes a batch in as few calls as its size allows and hands out the rows of each call.
// The context must hold the batch before (or nothing, where this one holds nothing of it).
// Throws cancelled or engine_failed; the context is then to be cleared.
void decode_batch(Context& context, const std::vector<Sequence>& sequences, const Batch& batch,
                  const std::function<void(const std::vector<TappedRow>&)>& on_rows);

// Empties the context's memory.
void clear_memory(Context& context);

}  // namespace logit_audit
