#include "engine/following.h"

#include <algorithm>

#include "engine/tokenizer.h"
#include "engine/tokens.h"
#include "engine/utf8.h"
#include "error.h"

namespace logit_audit {

namespace {

size_t control_tokens(const llama_vocab* vocab, const std::vector<llama_token>& tokens) {
  const auto is_one = [&](llama_token token) { return is_control(vocab, token); };
  return static_cast<size_t>(std::count_if(tokens.begin(), tokens.end(), is_one));
}

// A text that was written must not contain the end of a turn: the caller gets an error.
bool brings_control_tokens(const llama_vocab* vocab, const Request& request, const Sequence& prompt,
                           const std::vector<llama_token>& whole) {
  if (!request.special) return false;
  const auto behind = tokenize(vocab, request.then->text, false, true);
  return control_tokens(vocab, whole) != control_tokens(vocab, prompt.tokens) + control_tokens(vocab, behind);
}

// What lies in the slot.
std::vector<llama_token> held_tokens(const Sequence& prompt, const std::vector<llama_token>& chosen) {
  std::vector<llama_token> held = prompt.tokens;
  if (!chosen.empty()) held.insert(held.end(), chosen.begin(), chosen.end() - 1);
  return held;
}

}  // namespace

std::optional<Following> following_of(const llama_vocab* vocab, const Request& request,
                                      const Sequence& prompt, const std::vector<llama_token>& chosen,
                                      const std::string& written, bool cut) {
  // Outside, what is cut off in the midst of a character is another text.
  if (!is_utf8(written)) return std::nullopt;
  Following following;
  try {
    following.tokens =
        tokenize(vocab, request.texts[0] + written + request.then->text, true, request.special);
    if (brings_control_tokens(vocab, request, prompt, following.tokens)) return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  const size_t size = following.tokens.size();
  const size_t shared = std::min(common_prefix(following.tokens, held_tokens(prompt, chosen)), size - 1);
  // Cells of a prompt that others may share stay in use when this slot releases them.
  const size_t kept_of_prompt = cut ? std::min(shared, prompt.tokens.size()) : prompt.tokens.size();
  const uint64_t needed = uint64_t{size} + request.then->decoding.max_tokens - 1;
  if (needed > uint64_t{kept_of_prompt} + prompt.growth) return std::nullopt;
  following.kept = cut ? static_cast<uint32_t>(shared) : 0;
  return following;
}

}  // namespace logit_audit
