#include "addon/requests.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "error.h"

namespace logit_audit::addon {

namespace {

[[noreturn]] void bad(const std::string& what) { throw Error(Code::kBadArgument, what); }

template <typename T>
std::vector<T> numbers(const Napi::Value& value, napi_typedarray_type type, const std::string& name) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    bad(name + " is not the typed array that it should be");
  }
  const auto array = value.As<Napi::TypedArrayOf<T>>();
  return std::vector<T>(array.Data(), array.Data() + array.ElementLength());
}

std::string word(const Napi::Object& object, const char* key, const std::string& fallback) {
  const Napi::Value value = object.Get(key);
  if (value.IsUndefined()) return fallback;
  return value.IsString() ? value.As<Napi::String>().Utf8Value() : "";
}

std::vector<std::string> texts(const Napi::Object& object, const std::string& name, const std::string& key) {
  const Napi::Value value = object.Get(key);
  if (!value.IsArray()) bad(name + "." + key + " is not an array");
  const Napi::Array array = value.As<Napi::Array>();
  std::vector<std::string> out;
  out.reserve(array.Length());
  for (uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::Value text = array.Get(i);
    if (!text.IsString()) bad(name + "." + key + "[" + std::to_string(i) + "] is not a string");
    out.push_back(text.As<Napi::String>().Utf8Value());
  }
  return out;
}

RequestKind kind_of(const Napi::Object& object, const std::string& name) {
  const std::string kind = word(object, "kind", "");
  if (kind == "probe") return RequestKind::kProbe;
  if (kind == "pair") return RequestKind::kPair;
  if (kind == "score") return RequestKind::kScore;
  if (kind == "generate") return RequestKind::kGenerate;
  if (kind == "embed") return RequestKind::kEmbed;
  bad(name + ".kind is not probe, pair, score, generate or embed");
}

void read_positions(const Napi::Object& object, const std::string& name, Request& request) {
  const Napi::Value value = object.Get("positions");
  if (value.IsTypedArray()) {
    request.positions = Positions::kList;
    request.position_list = numbers<uint32_t>(value, napi_uint32_array, name + ".positions");
    return;
  }
  const std::string positions = word(object, "positions", "last");
  if (positions != "last" && positions != "all")
    bad(name + ".positions is not \"last\", \"all\" or a Uint32Array");
  request.positions = positions == "all" ? Positions::kAll : Positions::kLast;
}

PairSteps pair_steps_of(const Napi::Object& object, const std::string& name) {
  const std::string steps = word(object, "steps", "last");
  if (steps == "last") return PairSteps::kLast;
  if (steps == "aligned") return PairSteps::kAligned;
  if (steps == "decode") return PairSteps::kDecode;
  bad(name + ".steps is not \"last\", \"aligned\" or \"decode\"");
}

double number(const Napi::Object& object, const std::string& name, const char* key, double fallback) {
  const Napi::Value value = object.Get(key);
  if (value.IsUndefined()) return fallback;
  if (!value.IsNumber()) bad(name + "." + key + " is not a number");
  return value.As<Napi::Number>().DoubleValue();
}

// A whole number from 0 to what a double holds exactly.
uint64_t whole_number(const Napi::Object& object, const std::string& name, const char* key,
                      uint64_t fallback) {
  const double value = number(object, name, key, static_cast<double>(fallback));
  if (!(value >= 0 && value <= 9007199254740991.0 && value == std::floor(value)))
    bad(name + "." + key + " is not a whole number of at least 0");
  return static_cast<uint64_t>(value);
}

void read_decoding(const Napi::Object& object, const std::string& name, Decoding& decoding) {
  const uint64_t max_tokens = whole_number(object, name, "maxTokens", decoding.max_tokens);
  decoding.max_tokens = static_cast<uint32_t>(std::min<uint64_t>(max_tokens, 1U << 31));
  decoding.temperature = number(object, name, "temperature", decoding.temperature);
  decoding.top_p = number(object, name, "topP", decoding.top_p);
  decoding.seed = whole_number(object, name, "seed", decoding.seed);
  decoding.grammar = word(object, "grammar", "");
  if (!object.Get("stop").IsUndefined()) decoding.stop = texts(object, name, "stop");
}

void read_then(const Napi::Object& object, const std::string& name, Request& request) {
  const Napi::Value value = object.Get("then");
  if (value.IsUndefined()) return;
  if (!value.IsObject()) bad(name + ".then is not an object");
  const Napi::Object behind = value.As<Napi::Object>();
  if (!behind.Get("text").IsString()) bad(name + ".then.text is not a string");
  Then then;
  then.text = behind.Get("text").As<Napi::String>().Utf8Value();
  read_decoding(behind, name + ".then", then.decoding);
  request.then = std::move(then);
}

Request request_from_js(const Napi::Object& object, const std::string& name) {
  Request request;
  request.kind = kind_of(object, name);
  request.texts = texts(object, name, "texts");
  request.special = object.Get("special").ToBoolean();
  read_positions(object, name, request);
  request.pair_steps = pair_steps_of(object, name);
  request.per_token = object.Get("perToken").ToBoolean();
  request.score_first = object.Get("scoreFirst").ToBoolean();
  request.step_metrics = object.Get("stepMetrics").ToBoolean();
  read_decoding(object, name, request.decoding);
  read_then(object, name, request);
  return request;
}

}  // namespace

std::vector<Request> requests_from_js(const Napi::Value& value) {
  if (!value.IsArray()) bad("requests is not an array");
  const Napi::Array array = value.As<Napi::Array>();
  std::vector<Request> out;
  out.reserve(array.Length());
  for (uint32_t i = 0; i < array.Length(); ++i) {
    const std::string name = "requests[" + std::to_string(i) + "]";
    const Napi::Value request = array.Get(i);
    if (!request.IsObject()) bad(name + " is not an object");
    out.push_back(request_from_js(request.As<Napi::Object>(), name));
  }
  return out;
}

metrics::Request measure_from_js(const Napi::Value& value) {
  if (!value.IsObject()) bad("measure is not an object");
  const Napi::Object measure = value.As<Napi::Object>();
  metrics::Request request;
  request.group_ids = numbers<int32_t>(measure.Get("groupIds"), napi_int32_array, "groupIds");
  const auto offsets = numbers<uint32_t>(measure.Get("groupOffsets"), napi_uint32_array, "groupOffsets");
  request.group_offsets.assign(offsets.begin(), offsets.end());
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != request.group_ids.size() ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    bad("groupOffsets must rise from 0 to the number of group ids");
  }
  const Napi::Value top_k = measure.Get("topK");
  if (!top_k.IsNumber() || top_k.As<Napi::Number>().Int64Value() < 0)
    bad("topK must be a number of at least 0");
  request.top_k = static_cast<size_t>(top_k.As<Napi::Number>().Int64Value());
  const auto ks = numbers<uint32_t>(measure.Get("pairTopK"), napi_uint32_array, "pairTopK");
  request.pair_top_k.assign(ks.begin(), ks.end());
  return request;
}

}  // namespace logit_audit::addon
