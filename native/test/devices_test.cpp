// Which devices a model is given, on machines that this one is not; and the CPU alone on this one.
#include "engine/devices.h"

#include "metrics/choice.h"
#include "test/engine_fixture.h"

namespace logit_audit::test {

namespace {

ComputeDevice device(const std::string& name, DeviceKind kind, const std::string& hardware = "",
                     const std::string& driver = "CUDA") {
  ComputeDevice made;
  made.name = name;
  made.description = "a " + name;
  made.kind = kind;
  made.hardware_id = hardware;
  made.driver = driver;
  return made;
}

std::string names(const std::vector<ComputeDevice>& devices) {
  std::string text;
  for (const ComputeDevice& one : devices) text += one.name + " ";
  return text;
}

const ComputeDevice kCpu = device("CPU", DeviceKind::kCpu, "", "CPU");
const ComputeDevice kBlas = device("BLAS", DeviceKind::kOther, "", "BLAS");
const ComputeDevice kCard0 = device("CUDA0", DeviceKind::kGpu, "0000:01:00.0");
const ComputeDevice kCard1 = device("CUDA1", DeviceKind::kGpu, "0000:02:00.0");
const ComputeDevice kCard0Again = device("Vulkan0", DeviceKind::kGpu, "0000:01:00.0", "Vulkan");
const ComputeDevice kBuiltIn = device("Vulkan1", DeviceKind::kIntegratedGpu, "", "Vulkan");
const ComputeDevice kBuiltInAgain = device("SYCL0", DeviceKind::kIntegratedGpu, "", "SYCL");

}  // namespace

TEST("devices: auto takes every card once, or else what is built in; cpu takes none") {
  CHECK_EQ(names(choose_devices("auto", {kCpu, kBlas})), "");
  CHECK_EQ(names(choose_devices("auto", {kBlas, kCard0, kCard1, kCard0Again, kBuiltIn, kCpu})),
           "CUDA0 CUDA1 ");
  CHECK_EQ(names(choose_devices("auto", {kBuiltIn, kBuiltInAgain, kCpu})), "Vulkan1 ");
  CHECK_EQ(names(choose_devices("cpu", {kCard0, kCpu})), "");
  CHECK_EQ(names(choose_devices("CPU", {kCard0, kCpu})), "");
}

TEST("devices: by name, whatever its case; another name is an error that lists what there is") {
  CHECK_EQ(names(choose_devices("CUDA1", {kCard0, kCard1, kCpu})), "CUDA1 ");
  CHECK_EQ(names(choose_devices("cuda0", {kCard0, kCard1, kCpu})), "CUDA0 ");
  CHECK_EQ(names(choose_devices("Vulkan1", {kCard0, kBuiltIn, kCpu})), "Vulkan1 ");
  for (const std::string wrong : {"CUDA2", "BLAS", "", "gpu"}) {
    try {
      choose_devices(wrong, {kBlas, kCard0, kCard1, kCpu});
      CHECK(false);
    } catch (const Error& error) {
      const std::string message = error.what();
      CHECK(error.code() == Code::kBadArgument);
      CHECK(message.find("auto, cpu, CUDA0 (a CUDA0), CUDA1 (a CUDA1)") != std::string::npos);
    }
  }
  CHECK_FAULT(choose_devices("CUDA0", {kCpu}), Code::kBadArgument);
}

TEST("devices: a driver's name takes all of its devices") {
  const std::vector<ComputeDevice> there = {kCard0, kCard1, kCard0Again, kBuiltIn, kCpu};
  CHECK_EQ(names(choose_devices("cuda", there)), "CUDA0 CUDA1 ");
  CHECK_EQ(names(choose_devices("Vulkan", there)), "Vulkan0 Vulkan1 ");
  CHECK_EQ(names(choose_devices("metal", {device("MTL0", DeviceKind::kGpu, "", "MTL"), kCpu})), "MTL0 ");
  CHECK_FAULT(choose_devices("metal", there), Code::kBadArgument);
  CHECK_FAULT(choose_devices("cuda", {kCpu}), Code::kBadArgument);
}

TEST("devices: each says what reduces its logits; a build lists what it has") {
  for (const ComputeDevice& one : compute_devices()) {
    if (one.kind == DeviceKind::kCpu) CHECK_EQ(one.metrics, "cpu");
    if (one.kind == DeviceKind::kGpu) CHECK(one.metrics != "cpu");
  }
  const std::vector<std::string> built = metrics::implementations_built();
  CHECK_EQ(built.front(), "cpu");
  CHECK(std::find(built.begin(), built.end(), "graph") != built.end());
  for (const std::string& name : built) metrics::check_implementation(name);
  metrics::check_implementation("auto");
  for (const std::string wrong : {"gpu", "", "Graph"}) {
    CHECK_FAULT(metrics::check_implementation(wrong), Code::kBadArgument);
  }
}

TEST("devices: a model says what it was given to") {
  if (no_model()) return;
  ModelOptions options;
  options.device = "cpu";
  const Model model(stories_model(), options);
  CHECK(model.info().devices == std::vector<std::string>{"CPU"});
  CHECK(!model.is_accelerated());
  options.device = "none";
  CHECK_FAULT(Model(stories_model(), options), Code::kBadArgument);
  options.device = "cpu";
  options.gpu_layers = 4;
  CHECK_FAULT(Model(stories_model(), options), Code::kBadArgument);
  options.gpu_layers = 0;
  CHECK_EQ(Model(stories_model(), options).info().vocab_size, 512);
}

TEST("devices: the batch of a model on an accelerator is larger") {
  const ContextShape cpu = context_shape({}, {512, 4096, false});
  CHECK_EQ(cpu.batch, 128U);
  CHECK_EQ(cpu.context_length, 1024U);
  CHECK_EQ(cpu.cells, 2048U);
  CHECK_EQ(context_shape({}, {512, 4096, true}).batch, 512U);
  // Rows of logits: as many as fit in 64 MiB and a batch, and never fewer than a batch has sequences.
  CHECK_EQ(cpu.outputs, 128U);
  CHECK_EQ(context_shape({}, {151936, 4096, true}).outputs, 110U);
  CHECK_EQ(context_shape({}, {1 << 20, 4096, true}).outputs, 65U);
}

}  // namespace logit_audit::test
