#include "addon/columns.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "addon/errors.h"

namespace logit_audit::addon {

namespace {

template <typename Array, typename T>
Array typed(Napi::Env env, const std::vector<T>& values) {
  static_assert(std::is_same_v<Array, Napi::TypedArrayOf<T>>, "a column keeps its element type");
  Array array = Array::New(env, values.size());
  if (!values.empty()) std::memcpy(array.Data(), values.data(), values.size() * sizeof(T));
  return array;
}

[[noreturn]] void bad(const std::string& what) { throw Error(Code::kBadArgument, what); }

template <typename Array, typename T>
std::vector<T> column(const Napi::Object& object, const char* key, napi_typedarray_type type) {
  const Napi::Value value = object.Get(key);
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    bad(std::string(key) + " is not the typed array that it should be");
  }
  const Array array = value.As<Array>();
  return std::vector<T>(array.Data(), array.Data() + array.ElementLength());
}

std::vector<std::string> texts(const Napi::Object& object) {
  const Napi::Value value = object.Get("texts");
  if (!value.IsArray()) bad("texts is not an array");
  const Napi::Array array = value.As<Napi::Array>();
  std::vector<std::string> out;
  out.reserve(array.Length());
  for (uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::Value text = array.Get(i);
    if (!text.IsString()) bad("texts[" + std::to_string(i) + "] is not a string");
    out.push_back(text.As<Napi::String>().Utf8Value());
  }
  return out;
}

metrics::Request measure_request(const Napi::Object& measure) {
  metrics::Request request;
  request.group_ids = column<Napi::Int32Array, int32_t>(measure, "groupIds", napi_int32_array);
  const auto offsets = column<Napi::Uint32Array, uint32_t>(measure, "groupOffsets", napi_uint32_array);
  request.group_offsets.assign(offsets.begin(), offsets.end());
  const bool in_order = std::is_sorted(request.group_offsets.begin(), request.group_offsets.end());
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != request.group_ids.size() || !in_order) {
    bad("groupOffsets must rise from 0 to the number of group ids");
  }
  const Napi::Value top_k = measure.Get("topK");
  if (!top_k.IsNumber() || top_k.As<Napi::Number>().Int64Value() < 0)
    bad("topK must be a number of at least 0");
  request.top_k = static_cast<size_t>(top_k.As<Napi::Number>().Int64Value());
  const auto ks = column<Napi::Uint32Array, uint32_t>(measure, "pairTopK", napi_uint32_array);
  request.pair_top_k.assign(ks.begin(), ks.end());
  return request;
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

ObserveInput observe_input(const Napi::Object& sequences, const Napi::Object& measure) {
  ObserveInput input;
  input.texts = texts(sequences);
  input.request = column<Napi::Uint32Array, uint32_t>(sequences, "request", napi_uint32_array);
  input.side = column<Napi::Uint8Array, uint8_t>(sequences, "side", napi_uint8_array);
  input.measure = measure_request(measure);
  return input;
}

Napi::Object observations_to_js(Napi::Env env, const Observations& o) {
  using Doubles = Napi::Float64Array;
  Napi::Object rows = Napi::Object::New(env);
  rows.Set("request", typed<Napi::Uint32Array>(env, o.row_request));
  rows.Set("side", typed<Napi::Uint8Array>(env, o.row_side));
  rows.Set("position", typed<Napi::Uint32Array>(env, o.row_position));
  rows.Set("logsumexp", typed<Doubles>(env, o.logsumexp));
  rows.Set("entropy", typed<Doubles>(env, o.entropy));
  rows.Set("masses", typed<Doubles>(env, o.masses));
  rows.Set("topKIds", typed<Napi::Int32Array>(env, o.top_k_ids));
  rows.Set("topKProbs", typed<Doubles>(env, o.top_k_probs));

  Napi::Object pairs = Napi::Object::New(env);
  pairs.Set("request", typed<Napi::Uint32Array>(env, o.pair_request));
  pairs.Set("jsd", typed<Doubles>(env, o.jsd));
  pairs.Set("klPQ", typed<Doubles>(env, o.kl_pq));
  pairs.Set("klQP", typed<Doubles>(env, o.kl_qp));
  pairs.Set("totalVariation", typed<Doubles>(env, o.total_variation));
  pairs.Set("unionSize", typed<Napi::Uint32Array>(env, o.union_size));
  pairs.Set("partial", typed<Doubles>(env, o.partial));
  pairs.Set("lower", typed<Doubles>(env, o.lower));
  pairs.Set("upper", typed<Doubles>(env, o.upper));

  Napi::Object tokens = Napi::Object::New(env);
  tokens.Set("ids", tokens_to_js(env, o.token_ids));
  tokens.Set("offsets", typed<Napi::Uint32Array>(env, o.token_offsets));

  Napi::Object object = Napi::Object::New(env);
  object.Set("rows", rows);
  object.Set("pairs", pairs);
  object.Set("tokens", tokens);
  object.Set("failures", failures_to_js(env, o.failures));
  object.Set("decodedTokens", static_cast<double>(o.decoded_tokens));
  return object;
}

Napi::Int32Array tokens_to_js(Napi::Env env, const std::vector<int32_t>& tokens) {
  return typed<Napi::Int32Array>(env, tokens);
}

}  // namespace logit_audit::addon
