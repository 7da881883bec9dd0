/** A process that speaks the protocol without an engine: opening and closing cost no more than the process itself. */
import { serve } from '../../../dist/native/worker/serve.js';

serve(async (path) => ({ info: { path }, system: {}, pid: process.pid, close: async () => undefined }));
