#include "engine/tokenizer.h"

#include <algorithm>
#include <limits>

#include "engine/tokens.h"
#include "error.h"

namespace logit_audit {

bool is_control(const llama_vocab* vocab, llama_token token) {
  const auto attributes = static_cast<uint32_t>(llama_vocab_get_attr(vocab, token));
  constexpr uint32_t kPiece = LLAMA_TOKEN_ATTR_NORMAL | LLAMA_TOKEN_ATTR_USER_DEFINED;
  return (attributes & LLAMA_TOKEN_ATTR_CONTROL) != 0 && (attributes & kPiece) == 0;
}

namespace {

// llama.cpp does not look for control tokens in data, but a tokenizer may put one together all the same: SPM
// where merges of plain pieces lead to it, RWKV because its list knows no difference.
void check_tokens(const llama_vocab* vocab, const std::vector<llama_token>& tokens, bool special) {
  for (const llama_token token : tokens) {
    if (token == LLAMA_TOKEN_NULL) {
      throw Error(Code::kBadArgument,
                  "the text holds a character that this model's vocabulary has no token for");
    }
    if (special || !is_control(vocab, token)) continue;
    const std::string text = llama_vocab_get_text(vocab, token);
    throw Error(
        Code::kBadArgument,
        "the text holds \"" + text +
            "\", which this model's tokenizer reads as a control token even in plain text; take it out",
        {{"token", static_cast<double>(token)}, {"text", text}});
  }
}

// A UTF-8 text up to its first character that is no space: a tokenizer may drop spaces at the end.
std::string first_character(const std::string& text) {
  size_t end = std::min(text.find_first_not_of(' '), text.size() - 1) + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return text.substr(0, end);
}

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
  check_tokens(vocab, tokens, special);
  const llama_token bos_token = llama_vocab_bos(vocab);
  const bool wants_bos = bos && llama_vocab_get_add_bos(vocab) && bos_token != LLAMA_TOKEN_NULL;
  const bool has_bos = special && !tokens.empty() && tokens.front() == bos_token;
  if (has_bos && is_control(vocab, bos_token) && tokens.size() > 1 && tokens[1] == bos_token) {
    throw Error(Code::kBadArgument, std::string("the text begins with BOS (\"") +
                                        llama_vocab_get_text(vocab, bos_token) + "\") twice; once is right");
  }
  if (wants_bos && !has_bos) tokens.insert(tokens.begin(), bos_token);
  return tokens;
}

std::vector<llama_token> tokenize_whole(const llama_vocab* vocab, const std::string& text, bool special) {
  // Without the ends that are added, where control tokens are right.
  check_tokens(vocab, tokenize_by_llama(vocab, text, false, special), special);
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
  joint.boundary = common_prefix(alone, joint.ids);
  // Unknown characters in a row are one token: it may be the same and yet hold more than the prompt's.
  const bool unknown = joint.boundary > 0 && (llama_vocab_get_attr(vocab, joint.ids[joint.boundary - 1]) &
                                              LLAMA_TOKEN_ATTR_UNKNOWN) != 0;
  if (unknown && !continuation.empty() &&
      tokenize(vocab, prompt + first_character(continuation), bos, special) == alone) {
    --joint.boundary;
  }
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
  const size_t head = !tokens.empty() && is_control(vocab, tokens.front()) ? 1 : 0;
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
