//! Sets the linker flags of a Node-API addon.

fn main() {
    napi_build::setup();
}
