// Where logits are taken from: the only file that knows how llama.cpp keeps sequences and hands rows out.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/context.h"
#include "engine/plan.h"
#include "engine/sequence.h"
#include "metrics/place.h"

namespace logit_audit {

// A row of logits that is there: the step it belongs to, and where its logits lie, valid until the callback
// returns. Steps of several sequences may share one row.
struct TappedRow {
  uint32_t sequence = 0;
  uint32_t step = 0;
  metrics::Row row;
};

// Decodes a batch in as few calls as its size allows and hands out the rows of each call. Gives the number of
// tokens that were decoded: the batch's own, and those that it was to hold where memory no longer holds some.
// The context must hold the batch before (or nothing, where this one holds nothing of it).
// Throws cancelled or engine_failed; the context is then to be cleared.
uint64_t decode_batch(Context& context, const std::vector<Sequence>& sequences, const Batch& batch,
                      const std::function<void(const std::vector<TappedRow>&)>& on_rows);

// The same behind what the slots hold already: what a slot of a run has behind its `cached` tokens is taken
// out of memory first, and stays with the slots that share it.
uint64_t decode_behind(Context& context, const std::vector<Sequence>& sequences, const Batch& batch,
                       const std::function<void(const std::vector<TappedRow>&)>& on_rows);

// Is a slot's text in memory from its first token on? Layers that see a window alone give up the cells of
// what lies behind it, and would miss it where the text is cut.
bool holds_whole(const Context& context, uint32_t slot);

// While it lives, the first tokens in a slot stay in memory, also when the slot is reused; when it goes, the
// slot holds them and nothing else. Of no tokens it does nothing.
class KeptPrefix {
 public:
  KeptPrefix(Context& context, uint32_t slot, uint32_t tokens);
  ~KeptPrefix();
  KeptPrefix(const KeptPrefix&) = delete;
  KeptPrefix& operator=(const KeptPrefix&) = delete;

 private:
  Context& context_;
  uint32_t slot_;
  uint32_t tokens_;
};

// A token after those in a slot.
struct NextToken {
  uint32_t sequence = 0;
  uint32_t step = 0;  // the one after it
  uint32_t slot = 0;
  llama_token token = 0;
  uint32_t position = 0;
};

// Decodes one more token of each of some slots of the batch that is in the context, and hands out a row for
// each. Throws as decode_batch.
void decode_next(Context& context, const std::vector<NextToken>& tokens,
                 const std::function<void(const std::vector<TappedRow>&)>& on_rows);

// Decodes one call's tokens. Throws cancelled or engine_failed, with llama.cpp's own reason.
void decode_or_throw(Context& context, const llama_batch& batch);

// Empties the context's memory.
void clear_memory(Context& context);

}  // namespace logit_audit
