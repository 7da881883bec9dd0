//! Pins llama.cpp's source through `Cargo.lock`.
//!
//! The crate has no code. Its only dependency carries llama.cpp's complete source tree, is never compiled by
//! cargo, and is found by `native/build.mjs` with `cargo metadata --locked`.
