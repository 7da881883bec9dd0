import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need a model that is fetched: npm run test:model.
    exclude: [...configDefaults.exclude, 'test/model-real/**'],
    // The slowest tests spawn the real binary or decode with a model, two at a time on a small machine.
    testTimeout: 60_000,
    // The models are tiny: on a busy machine a second thread only makes the first one wait.
    env: { LOGIT_AUDIT_THREADS: process.env.LOGIT_AUDIT_THREADS ?? '1' },
    hookTimeout: 60_000,
  },
});
