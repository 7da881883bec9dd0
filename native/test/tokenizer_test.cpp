#include "engine/tokenizer.h"

#include <algorithm>
#include <filesystem>

#include "engine/model.h"
#include "error.h"
#include "test/check.h"
#include "test/files.h"

namespace logit_audit::test {

namespace {

size_t count_of(const std::vector<llama_token>& tokens, llama_token token) {
  return static_cast<size_t>(std::count(tokens.begin(), tokens.end(), token));
}

}  // namespace

TEST("tokenizer: ids, BOS, pieces (stories260K)") {
  if (!std::filesystem::exists(stories_model())) return skip("no shared model beside the checkout");
  const Model model(stories_model());
  const llama_vocab* vocab = model.vocab();
  const std::vector<llama_token> ids = {1, 291, 297, 425, 420, 372, 336, 351};
  CHECK(tokenize(vocab, "The nurse said that", true) == ids);
  CHECK(tokenize(vocab, "The nurse said that", false) ==
        std::vector<llama_token>(ids.begin() + 1, ids.end()));
  CHECK(tokenize(vocab, "", true) == std::vector<llama_token>({1}));
  CHECK(tokenize(vocab, "", false).empty());

  // The text of a special token in the data is text: BOS is there once, in front.
  const auto spoofed = tokenize(vocab, "<s>The nurse</s><s>", true);
  CHECK_EQ(count_of(spoofed, llama_vocab_bos(vocab)), size_t{1});
  CHECK_EQ(spoofed.front(), llama_vocab_bos(vocab));
  CHECK_EQ(count_of(spoofed, llama_vocab_eos(vocab)), size_t{0});

  // In a rendered chat it is the token, and a BOS that the chat brings is the only one.
  CHECK(tokenize(vocab, "<s>The nurse said that", true, true) == ids);
  CHECK(tokenize(vocab, "The nurse said that", true, true) == ids);
  CHECK_EQ(count_of(tokenize(vocab, "The nurse</s>", true, true), llama_vocab_eos(vocab)), size_t{1});
  CHECK(model.info().control_tokens == std::vector<std::string>({"<unk>", "<s>", "</s>"}));
  CHECK_EQ(model.info().bos_text, std::string("<s>"));
  CHECK_EQ(model.info().eos_text, std::string("</s>"));

  CHECK_EQ(piece(vocab, 281), std::string(" he"));
  CHECK_EQ(piece(vocab, 358), std::string(" she"));
  CHECK_FAULT(piece(vocab, 512), Code::kOutOfRange);
  CHECK_FAULT(piece(vocab, -1), Code::kOutOfRange);
  CHECK_FAULT(detokenize(vocab, {1, 9999}), Code::kOutOfRange);
  CHECK_EQ(detokenize(vocab, tokenize(vocab, "The nurse said that", true)),
           std::string("The nurse said that"));
}

TEST("tokenizer: text outside the vocabulary survives the round trip") {
  if (!std::filesystem::exists(stories_model())) return skip("no shared model beside the checkout");
  const Model model(stories_model());
  for (const std::string text : {"naïve café", "日本語", "a\nb\tc", "🙂", "x  y"}) {
    CHECK_EQ(detokenize(model.vocab(), tokenize(model.vocab(), text, true)), text);
  }
}

TEST("tokenizer: joint tokenization finds the join, or backs off") {
  if (!std::filesystem::exists(stories_model())) return skip("no shared model beside the checkout");
  const Model model(stories_model());
  const JointTokens clean = tokenize_joint(model.vocab(), "The nurse said that", " she", true);
  CHECK(!clean.backed_off);
  CHECK_EQ(clean.boundary, size_t{8});
  CHECK_EQ(clean.ids.back(), llama_token{358});

  // " h" + "e" is the one token " he": it spans the join, so the boundary stands in front of it.
  const JointTokens spanning = tokenize_joint(model.vocab(), "The nurse said that h", "e", true);
  CHECK(spanning.backed_off);
  CHECK_EQ(spanning.boundary, size_t{8});
  CHECK_EQ(spanning.ids.back(), llama_token{281});

  const JointTokens nothing = tokenize_joint(model.vocab(), "The nurse", "", true);
  CHECK(!nothing.backed_off);
  CHECK_EQ(nothing.boundary, nothing.ids.size());

  // Special tokens in the prompt and at the join are tokens, and no piece spans them.
  const JointTokens special = tokenize_joint(model.vocab(), "<s>The nurse</s>", "said", true, true);
  CHECK(!special.backed_off);
  CHECK_EQ(special.boundary, nothing.ids.size() + 1);
  CHECK_EQ(special.ids[special.boundary - 1], llama_vocab_eos(model.vocab()));
}

}  // namespace logit_audit::test
