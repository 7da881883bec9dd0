/** Models by rule for the suite: what is answered depends on the stage and the right choice alone. */
import { POLICY_ENGINE, PolicyModel } from '../../../src/model/mock/policy.ts';

export const ENGINE = POLICY_ENGINE;

export interface Asked {
  readonly stage: string;
  readonly correct: string;
  /** The prompt as JSON. */
  readonly prompt: string;
}

/** A model that answers by `answer`; what it was asked is in `asked`. */
export function ruleModel(answer: (asked: Asked) => string, path = 'models/by-rule.gguf') {
  const asked: Asked[] = [];
  const model = new PolicyModel(path, (roles, prompt) => {
    const own = { stage: roles.stage!, correct: roles.correct!, prompt };
    asked.push(own);
    return answer(own);
  });
  return { model, asked };
}
