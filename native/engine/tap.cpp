#include "engine/tap.h"

#include <string>

#include "engine/error.h"
#include "engine/log.h"

namespace logit_audit {

DecodeBatch::DecodeBatch(size_t tokens) : batch_(llama_batch_init(static_cast<int32_t>(tokens), 0, 1)) {}

DecodeBatch::~DecodeBatch() { llama_batch_free(batch_); }

int32_t DecodeBatch::add(const std::vector<llama_token>& tokens, llama_seq_id sequence) {
  for (size_t position = 0; position < tokens.size(); ++position) {
    const int32_t at = batch_.n_tokens++;
    batch_.token[at] = tokens[position];
    batch_.pos[at] = static_cast<llama_pos>(position);
    batch_.n_seq_id[at] = 1;
    batch_.seq_id[at][0] = sequence;
    batch_.logits[at] = position + 1 == tokens.size();
  }
  return batch_.n_tokens - 1;
}

void DecodeBatch::decode(Context& context) {
  llama_memory_clear(llama_get_memory(context.get()), /*data=*/false);
  ErrorLines lines;
  const int32_t status = llama_decode(context.get(), batch_);
  if (status == 0) return;
  if (status == 2) throw Error(Code::kCancelled, "the observation was cancelled");
  throw Error(Code::kEngineFailed, "llama.cpp could not decode a batch of " +
                                       std::to_string(batch_.n_tokens) + " tokens (status " +
                                       std::to_string(status) + ": " + lines.summary() +
                                       "); lower --batch or --ctx");
}

const float* host_row(Context& context, int32_t index) {
  const float* row = llama_get_logits_ith(context.get(), index);
  if (row == nullptr)
    throw Error(Code::kEngineFailed, "llama.cpp gave no logits; is it a causal language model?");
  return row;
}

}  // namespace logit_audit
