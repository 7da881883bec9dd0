// Text to token ids, with the rules that audits depend on: exactly one BOS where the model wants one, none
// otherwise; special-token texts in data are plain text; a prompt and its continuation are tokenized jointly.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "llama.h"

namespace logit_audit {

// Token ids of a text. With bos, the model's own rule decides whether BOS stands in front; EOS is never
// added. Texts such as "<s>" inside the data are not parsed as special tokens unless `special` says that the
// text is a rendered chat; then BOS is added only where the text does not begin with it. BOS cannot appear
// twice. Throws context_overflow for a text beyond any context, and bad_argument for data that the tokenizer
// makes a control token of, for a character without a token, and for a chat that begins with BOS twice.
std::vector<llama_token> tokenize(const llama_vocab* vocab, const std::string& text, bool bos,
                                  bool special = false);

// The same with what the model was trained to see at both ends of a text, EOS included where it wants one:
// for a text that is read as a whole and not continued.
std::vector<llama_token> tokenize_whole(const llama_vocab* vocab, const std::string& text,
                                        bool special = false);

struct JointTokens {
  std::vector<llama_token> ids;
  // Tokens before it belong to the prompt, the others to the continuation.
  size_t boundary = 0;
  // A token would have spanned the join: the boundary was moved back before it.
  bool backed_off = false;
};

// Tokenizes prompt + continuation as one text. The boundary is the longest prefix of tokens that the joint
// text shares with the prompt alone, which holds for every tokenizer without looking into its pieces. An
// unknown token that swallows the continuation's first character spans the join too.
JointTokens tokenize_joint(const llama_vocab* vocab, const std::string& prompt,
                           const std::string& continuation, bool bos, bool special = false);

// A control token of the file itself. llama.cpp also calls some ordinary pieces control tokens, by their
// text; those keep what they were.
bool is_control(const llama_vocab* vocab, llama_token token);

// One token as it stands in a text, a leading space included. Special tokens give their own text.
// Throws out_of_range where the id is no token.
std::string piece(const llama_vocab* vocab, llama_token token);

// The same of a token that continues a text: nothing for special tokens.
std::string continuing_piece(const llama_vocab* vocab, llama_token token);

// The text of a run of tokens; special tokens are left out.
std::string detokenize(const llama_vocab* vocab, const std::vector<llama_token>& tokens);

}  // namespace logit_audit
