/** The model under test, opened small: texts are short, and the machine may be too. */
import { openModel } from '../../src/model/index.ts';

export function modelPath(): string {
  const path = process.env.LOGIT_AUDIT_TEST_MODEL;
  if (path === undefined) throw new Error('LOGIT_AUDIT_TEST_MODEL is not set; run npm run test:model');
  return path;
}

export async function openReal() {
  return await openModel(modelPath(), { contextLength: 256, threads: 1 });
}
