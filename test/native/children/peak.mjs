/** The engine's process, the real one, which writes its peak memory in bytes to the file LOGIT_AUDIT_TEST_PEAK as it exits. */
import { writeFileSync } from 'node:fs';
import { openInProcess } from '../../../dist/native/in-process.js';
import { serve } from '../../../dist/native/worker/serve.js';

process.on('exit', () => {
  writeFileSync(process.env.LOGIT_AUDIT_TEST_PEAK, String(process.resourceUsage().maxRSS * 1024));
});
serve(openInProcess);
