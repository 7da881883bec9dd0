// Sequences that grow: tokens are chosen from their rows and decoded behind them, all of a batch in step,
// until each has come to its end.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/context.h"
#include "engine/generated_text.h"
#include "engine/model.h"
#include "engine/observations.h"
#include "engine/plan.h"
#include "engine/reduction.h"
#include "engine/request.h"
#include "engine/tap.h"
#include "engine/token_choice.h"

namespace logit_audit {

class Generation {
 public:
  // `model` outlives it.
  Generation(const Model& model, const Context& context)
      : model_(model),
        context_length_(context.context_length()),
        cut_(context.plan().share()),
        vocab_(static_cast<size_t>(model.info().vocab_size)) {}

  // Takes up every request whose text grows; one that cannot becomes a failure of `reduction`, which outlives
  // this, as do the requests.
  void take_up(const std::vector<Request>& requests, Reduction& reduction);

  // Chooses the tokens that follow rows of growing sequences; other rows are passed over.
  void choose(const std::vector<TappedRow>& rows);

  // Decodes behind the sequences of `batch`, which is in the context, until all have ended. Gives the number
  // of tokens that were decoded. Throws as decode_batch.
  uint64_t run(Context& context, const Batch& batch, const std::atomic<bool>& cancel);

  // Takes up what is to be written behind the texts of `batch`, which are written and in the context
  // (Request::then): sequences in the slots of those, the others as they were. Nothing to decode where there
  // is none.
  Batch take_up_following(const Context& context, const Batch& batch);

  void finish(Observations& out) const;

 private:
  // One text that grows. `swap` says the same, token by token, behind a text of its own.
  struct Growth {
    uint32_t request = 0;
    uint32_t sequence = 0;
    bool has_swap = false;
    uint32_t swap = 0;
    uint32_t max_tokens = 0;
    TokenChoice choice;
    GeneratedText text;
    // Of the text behind it, where one is asked for.
    std::unique_ptr<TokenChoice> then_choice;
    // It is that text itself: what goes wrong with it is no fault of its request.
    bool follows = false;
    std::vector<llama_token> tokens = {};
    double log_prob = 0;
    bool ended = false;
    // Ended by a fault.
    bool lost = false;
    Finish finish = Finish::kLength;
  };

  void add_growth(Growth&& growth);
  void lose(Growth& growth, const Error& error);
  void choose_one(Growth& growth, const TappedRow& tapped);
  void go_on(Growth& growth);
  bool context_is_full(const Growth& growth) const;
  std::vector<NextToken> next_tokens(const Batch& batch, const std::vector<uint32_t>& slot_of) const;

  const Model& model_;
  uint32_t context_length_;
  // Texts can be cut in memory.
  bool cut_;
  size_t vocab_;
  // Tokens are chosen on the host, which for that takes a row from a device.
  std::vector<float> host_row_;
  Reduction* reduction_ = nullptr;
  const std::vector<Request>* requests_ = nullptr;
  // In order of request; then those that follow, in order of batch.
  std::vector<Growth> growths_;
  // Sequence that leads -> its growth.
  std::unordered_map<uint32_t, size_t> growth_of_;
};

}  // namespace logit_audit
