/** The self-test: whether the engine computes every weight type right on this machine's devices. */
export { runSelfTest, type SelfTestResult } from './self-test.ts';
