// system(): what this build is and runs on, as JavaScript sees it.
#pragma once

#include <napi.h>

namespace logit_audit::addon {

Napi::Value system_info_to_js(const Napi::CallbackInfo& info);

}  // namespace logit_audit::addon
