/** `npm run test:model`: the tests on a real instruct model, or a loud word on why they did not run. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { CannotBeHad, obtainModel } from './fetch.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** Whether what runs here goes through AMX, which only some machines have: green without it says nothing of it. */
function sayAmx() {
  const { features } = createRequire(import.meta.url)(`${root}build/engine.node`).system();
  const has = features.some((feature) => feature.startsWith('AMX'));
  console.error(
    `AMX: ${has ? 'this build uses it' : 'NOT tried, this machine or build has none'} (${features.join(', ')})`,
  );
}

try {
  sayAmx();
  const LOGIT_AUDIT_TEST_MODEL = await obtainModel();
  const args = [vitest, 'run', '--config', 'vitest.model.config.ts', ...process.argv.slice(2)];
  const env = { ...process.env, LOGIT_AUDIT_TEST_MODEL };
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
} catch (error) {
  if (!(error instanceof CannotBeHad)) throw error;
  const line = '!'.repeat(80);
  console.error(`${line}\nSKIPPED: no test on a real instruct model was run.\n${error.message}\n${line}`);
}
