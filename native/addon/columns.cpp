#include "addon/columns.h"

#include <cstring>
#include <type_traits>

#include "addon/errors.h"

namespace logit_audit::addon {

namespace {

template <typename T>
Napi::TypedArrayOf<T> typed(Napi::Env env, const std::vector<T>& values) {
  auto array = Napi::TypedArrayOf<T>::New(env, values.size());
  if (!values.empty()) std::memcpy(array.Data(), values.data(), values.size() * sizeof(T));
  return array;
}

Napi::Object rows_to_js(Napi::Env env, const RowTable& table) {
  Napi::Object rows = Napi::Object::New(env);
  rows.Set("request", typed(env, table.request));
  rows.Set("side", typed(env, table.side));
  rows.Set("position", typed(env, table.position));
  rows.Set("logsumexp", typed(env, table.logsumexp));
  rows.Set("entropy", typed(env, table.entropy));
  rows.Set("masses", typed(env, table.masses));
  rows.Set("topKIds", typed(env, table.top_k_ids));
  rows.Set("topKProbs", typed(env, table.top_k_probs));
  return rows;
}

Napi::Object pairs_to_js(Napi::Env env, const PairTable& table) {
  Napi::Object pairs = Napi::Object::New(env);
  pairs.Set("request", typed(env, table.request));
  pairs.Set("row", typed(env, table.row));
  pairs.Set("rowSwap", typed(env, table.row_swap));
  pairs.Set("jsd", typed(env, table.jsd));
  pairs.Set("klPQ", typed(env, table.kl_pq));
  pairs.Set("klQP", typed(env, table.kl_qp));
  pairs.Set("totalVariation", typed(env, table.total_variation));
  pairs.Set("unionSize", typed(env, table.union_size));
  pairs.Set("partial", typed(env, table.partial));
  pairs.Set("lower", typed(env, table.lower));
  pairs.Set("upper", typed(env, table.upper));
  return pairs;
}

Napi::Object targets_to_js(Napi::Env env, const TargetTable& table) {
  Napi::Object targets = Napi::Object::New(env);
  targets.Set("request", typed(env, table.request));
  targets.Set("side", typed(env, table.side));
  targets.Set("position", typed(env, table.position));
  targets.Set("token", typed(env, table.token));
  targets.Set("logProb", typed(env, table.log_prob));
  targets.Set("rank", typed(env, table.rank));
  return targets;
}

Napi::Object scores_to_js(Napi::Env env, const ScoreTable& table) {
  Napi::Object scores = Napi::Object::New(env);
  scores.Set("request", typed(env, table.request));
  scores.Set("side", typed(env, table.side));
  scores.Set("tokens", typed(env, table.tokens));
  scores.Set("bytes", typed(env, table.bytes));
  scores.Set("logProb", typed(env, table.log_prob));
  return scores;
}

Napi::Object generations_to_js(Napi::Env env, const GenerationTable& table) {
  Napi::Array texts = Napi::Array::New(env, table.texts.size());
  for (size_t i = 0; i < table.texts.size(); ++i) {
    // A character that is cut off at the end becomes a replacement character.
    texts.Set(static_cast<uint32_t>(i), Napi::String::New(env, table.texts[i]));
  }
  Napi::Object generations = Napi::Object::New(env);
  generations.Set("request", typed(env, table.request));
  generations.Set("finish", typed(env, table.finish));
  generations.Set("texts", texts);
  generations.Set("logProb", typed(env, table.log_prob));
  generations.Set("ids", typed(env, table.ids));
  generations.Set("offsets", typed(env, table.offsets));
  return generations;
}

Napi::Object embeddings_to_js(Napi::Env env, const EmbeddingTable& table) {
  Napi::Object embeddings = Napi::Object::New(env);
  embeddings.Set("request", typed(env, table.request));
  embeddings.Set("values", typed(env, table.values));
  return embeddings;
}

Napi::Object sequences_to_js(Napi::Env env, const SequenceTable& table) {
  Napi::Object sequences = Napi::Object::New(env);
  sequences.Set("request", typed(env, table.request));
  sequences.Set("side", typed(env, table.side));
  sequences.Set("backedOff", typed(env, table.backed_off));
  sequences.Set("ids", typed(env, table.ids));
  sequences.Set("offsets", typed(env, table.offsets));
  return sequences;
}

Napi::Array failures_to_js(Napi::Env env, const std::vector<RequestFailure>& failures) {
  Napi::Array array = Napi::Array::New(env, failures.size());
  for (size_t i = 0; i < failures.size(); ++i) {
    Napi::Object failure = Napi::Object::New(env);
    failure.Set("request", failures[i].request);
    failure.Set("code", code_name(failures[i].code));
    failure.Set("message", failures[i].message);
    failure.Set("data", data_to_js(env, failures[i].data));
    array.Set(static_cast<uint32_t>(i), failure);
  }
  return array;
}

}  // namespace

Napi::Object threads_to_js(Napi::Env env, const ThreadChoice& choice) {
  Napi::Array trial = Napi::Array::New(env, choice.trial.size());
  for (uint32_t i = 0; i < choice.trial.size(); ++i) {
    Napi::Object one = Napi::Object::New(env);
    one.Set("threads", choice.trial[i].threads);
    const double rate = choice.trial[i].tokens_per_second;
    one.Set("tokensPerSecond", rate > 0 ? Napi::Value(Napi::Number::New(env, rate)) : env.Null());
    trial.Set(i, one);
  }
  Napi::Object object = Napi::Object::New(env);
  object.Set("threads", choice.threads);
  object.Set("cores", choice.cores);
  object.Set("by", threads_by_name(choice.by));
  object.Set("trial", trial);
  object.Set("trialSeconds", choice.trial_seconds);
  object.Set("retrials", choice.retrials);
  object.Set("changes", choice.changes);
  return object;
}

Napi::Object observations_to_js(Napi::Env env, const Observations& observations) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("rows", rows_to_js(env, observations.rows));
  object.Set("pairs", pairs_to_js(env, observations.pairs));
  object.Set("scores", scores_to_js(env, observations.scores));
  object.Set("targets", targets_to_js(env, observations.targets));
  object.Set("generations", generations_to_js(env, observations.generations));
  object.Set("followed", generations_to_js(env, observations.followed));
  object.Set("embeddings", embeddings_to_js(env, observations.embeddings));
  object.Set("sequences", sequences_to_js(env, observations.sequences));
  object.Set("failures", failures_to_js(env, observations.failures));
  object.Set("decodedTokens", static_cast<double>(observations.decoded_tokens));
  object.Set("naiveTokens", static_cast<double>(observations.naive_tokens));
  object.Set("threads", threads_to_js(env, observations.threads));
  return object;
}

Napi::Int32Array tokens_to_js(Napi::Env env, const std::vector<int32_t>& tokens) {
  return typed(env, tokens);
}

}  // namespace logit_audit::addon
