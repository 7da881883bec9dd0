#include "addon/system_info.h"

#include "engine/system.h"

namespace logit_audit::addon {

Napi::Value system_info_to_js(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const SystemInfo system = system_info();
  Napi::Array features = Napi::Array::New(env);
  for (const std::string& feature : system.features) features.Set(features.Length(), feature);
  Napi::Array devices = Napi::Array::New(env);
  for (const ComputeDevice& device : system.devices) {
    Napi::Object out = Napi::Object::New(env);
    out.Set("name", device.name);
    out.Set("description", device.description);
    out.Set("kind", kind_name(device.kind));
    out.Set("metrics", device.metrics);
    out.Set("memoryFree", device.memory_free);
    out.Set("memoryTotal", device.memory_total);
    devices.Set(devices.Length(), out);
  }
  Napi::Object out = Napi::Object::New(env);
  out.Set("llamaVersion", system.llama_version);
  out.Set("llamaCrate", system.llama_crate);
  out.Set("builtFor", system.built_for);
  out.Set("features", features);
  out.Set("cores", system.cores);
  Napi::Array metrics = Napi::Array::New(env);
  for (const std::string& name : system.metrics) metrics.Set(metrics.Length(), name);
  out.Set("metrics", metrics);
  out.Set("devices", devices);
  return out;
}

}  // namespace logit_audit::addon
