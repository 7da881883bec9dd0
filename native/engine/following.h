// Texts that continue after they are written: what is appended to them, as tokens, and how much of that
// lies in the KV cache already. Pure, but for the vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/request.h"
#include "engine/sequence.h"
#include "llama.h"

namespace logit_audit {

struct Following {
  // Prompt, written text and `then`, tokenized as one text: what a request of its own would be given.
  std::vector<llama_token> tokens;
  // How many of them lie in the slot: fewer than all, as the last one's row is wanted.
  uint32_t kept = 0;
};

// Of a request with `then` whose prompt is `prompt`: `chosen` are the tokens of what it wrote, all but the
// last of which were decoded. `cut`: memory can be cut at a token; else nothing is kept. Nothing where a
// request of its own is to say what comes of it: the written text is no whole UTF-8 or holds a control token,
// the whole cannot be tokenized, or it has no room in what the prompt's growth reserves.
std::optional<Following> following_of(const llama_vocab* vocab, const Request& request,
                                      const Sequence& prompt, const std::vector<llama_token>& chosen,
                                      const std::string& written, bool cut);

}  // namespace logit_audit
