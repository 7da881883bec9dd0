#include "engine/tokenizer.h"

#include <algorithm>
#include <limits>

#include "engine/error.h"

namespace logit_audit {

namespace {

std::vector<llama_token> tokenize_by_llama(const llama_vocab* vocab, const std::string& text, bool add_ends,
                                           bool special) {
  if (text.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max() / 2)) {
    throw Error(Code::kContextOverflow,
                "a text of " + std::to_string(text.size()) + " bytes is too long to tokenize");
  }
  const auto length = static_cast<int32_t>(text.size());
  std::vector<llama_token> tokens(text.size() + 8);
  int32_t count = llama_tokenize(vocab, text.data(), length, tokens.data(),
                                 static_cast<int32_t>(tokens.size()), add_ends, special);
  if (count == std::numeric_limits<int32_t>::min()) {
    throw Error(Code::kContextOverflow,
                "a text of " + std::to_string(text.size()) + " bytes has too many tokens");
  }
  if (count < 0) {
    tokens.resize(static_cast<size_t>(-count));
    count = llama_tokenize(vocab, text.data(), length, tokens.data(), -count, add_ends, special);
    if (count < 0) throw Error(Code::kEngineFailed, "llama.cpp could not tokenize a text");
  }
  tokens.resize(static_cast<size_t>(count));
  return tokens;
}

}  // namespace

std::vector<llama_token> tokenize(const llama_vocab* vocab, const std::string& text, bool bos, bool special) {
  // llama.cpp's own way to add BOS would also add EOS or SEP, which have no place before a next-token step.
  std::vector<llama_token> tokens = tokenize_by_llama(vocab, text, false, special);
  const llama_token bos_token = llama_vocab_bos(vocab);
  const bool wants_bos = bos && llama_vocab_get_add_bos(vocab) && bos_token != LLAMA_TOKEN_NULL;
  const bool has_bos = special && !tokens.empty() && tokens.front() == bos_token;
  if (wants_bos && !has_bos) tokens.insert(tokens.begin(), bos_token);
  return tokens;
}

std::vector<llama_token> tokenize_whole(const llama_vocab* vocab, const std::string& text, bool special) {
  std::vector<llama_token> tokens = tokenize_by_llama(vocab, text, true, special);
  const llama_token bos = llama_vocab_bos(vocab);
  // A rendered chat may bring its own.
  if (tokens.size() > 1 && bos != LLAMA_TOKEN_NULL && tokens[0] == bos && tokens[1] == bos)
    tokens.erase(tokens.begin());
  return tokens;
}

JointTokens tokenize_joint(const llama_vocab* vocab, const std::string& prompt,
                           const std::string& continuation, bool bos, bool special) {
  const std::vector<llama_token> alone = tokenize(vocab, prompt, bos, special);
  JointTokens joint;
  joint.ids = tokenize(vocab, prompt + continuation, bos, special);
  const auto [end, _] = std::mismatch(alone.begin(), alone.end(), joint.ids.begin(), joint.ids.end());
  joint.boundary = static_cast<size_t>(end - alone.begin());
  joint.backed_off = joint.boundary != alone.size();
  return joint;
}

namespace {

std::string piece_of(const llama_vocab* vocab, llama_token token, bool special) {
  std::string text(64, '\0');
  int32_t length =
      llama_token_to_piece(vocab, token, text.data(), static_cast<int32_t>(text.size()), 0, special);
  if (length < 0) {
    text.resize(static_cast<size_t>(-length));
    length = llama_token_to_piece(vocab, token, text.data(), -length, 0, special);
  }
  text.resize(static_cast<size_t>(std::max(length, 0)));
  return text;
}

}  // namespace

std::string piece(const llama_vocab* vocab, llama_token token) {
  if (token < 0 || token >= llama_vocab_n_tokens(vocab)) {
    throw Error(Code::kOutOfRange,
                "token id " + std::to_string(token) + " is outside the vocabulary of " +
                    std::to_string(llama_vocab_n_tokens(vocab)) + " tokens",
                {{"id", static_cast<double>(token)}});
  }
  return piece_of(vocab, token, true);
}

std::string continuing_piece(const llama_vocab* vocab, llama_token token) {
  return piece_of(vocab, token, false);
}

std::string detokenize(const llama_vocab* vocab, const std::vector<llama_token>& tokens) {
  for (const llama_token token : tokens) piece(vocab, token);  // refuses ids that are no token
  // llama.cpp takes away the space that its tokenizer put in front only where no BOS stands there.
  const size_t head = !tokens.empty() && tokens.front() == llama_vocab_bos(vocab) ? 1 : 0;
  const llama_token* first = tokens.data() + head;
  const auto count = static_cast<int32_t>(tokens.size() - head);
  std::string text(tokens.size() * 8 + 16, '\0');
  int32_t length =
      llama_detokenize(vocab, first, count, text.data(), static_cast<int32_t>(text.size()), true, false);
  if (length < 0) {
    text.resize(static_cast<size_t>(-length));
    length = llama_detokenize(vocab, first, count, text.data(), -length, true, false);
  }
  text.resize(static_cast<size_t>(std::max(length, 0)));
  return text;
}

}  // namespace logit_audit
