/** The tests on a real instruct model; `npm run test:model` fetches it and names it in LOGIT_AUDIT_TEST_MODEL. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/model-real/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One model in memory at a time.
    fileParallelism: false,
  },
});
