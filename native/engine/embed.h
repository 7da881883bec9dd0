// Texts as vectors: the last hidden states of a text's tokens, pooled as the model says and made of length 1.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/context.h"
#include "engine/model.h"
#include "engine/observations.h"
#include "engine/reduction.h"
#include "engine/request.h"

namespace logit_audit {

// Embeds the requests of kind kEmbed into `out.embeddings`; one that cannot be embedded becomes a failure of
// `reduction`. The mean over the tokens where the model names no pooling. What was in the context's memory is
// gone afterwards. Gives the number of decoded tokens. Throws cancelled or engine_failed.
uint64_t embed_texts(const Model& model, Context& context, const std::vector<Request>& requests,
                     Reduction& reduction, EmbeddingTable& out, const std::atomic<bool>& cancel);

}  // namespace logit_audit
