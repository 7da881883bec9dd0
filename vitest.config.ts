import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need a model that is fetched: npm run test:model.
    exclude: [...configDefaults.exclude, 'test/model-real/**'],
    // One for each core; left alone, vitest keeps a core free, which on a small machine is half of it.
    maxWorkers: '100%',
    // The slowest tests spawn the real binary or decode with a model, as many at a time as there are cores.
    testTimeout: 120_000,
    // The models are tiny: on a busy machine a second thread only makes the first one wait.
    env: { LOGIT_AUDIT_THREADS: process.env.LOGIT_AUDIT_THREADS ?? '1' },
    hookTimeout: 120_000,
  },
});
