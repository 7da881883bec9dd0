/** Opening what answers by a rule instead of a model: policies of benchmarks, and mocks. */
import { NO_ENGINE } from '../description.ts';
import type { Provider } from '../provider.ts';
import { MOCK_PREFIX, openMock } from './mock.ts';
import { openPolicy, POLICY_PREFIX } from './policy.ts';

export const mock: Provider<object> = {
  prefixes: [POLICY_PREFIX, MOCK_PREFIX],
  options: null,
  async open(model) {
    const backend = model.startsWith(MOCK_PREFIX) ? openMock(model) : openPolicy(model);
    return { backend, engine: NO_ENGINE };
  },
};
