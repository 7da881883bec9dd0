/** What is known of the model that makes the final choices: whatever changes them. */
import type { Backend, EngineDescription } from '../../../model/index.ts';
import { describeModel } from '../../../run/manifest.ts';
import { decisive, endpointAsked } from '../../../run/resume.ts';

/**
 * A line of JSON for the suite's option `finalModel`, so that a run does not go on with another one. Of a file it has the
 * hash: where the file lies does not matter.
 */
export async function secondModel(backend: Backend, engine: EngineDescription | undefined): Promise<string> {
  const { sha256, path } = await describeModel(backend);
  return JSON.stringify({
    model: sha256 ?? path,
    ...(engine ? { engine: decisive(engine.options) } : {}),
    ...(engine?.endpoint ? { endpoint: endpointAsked(engine.endpoint) } : {}),
  });
}
