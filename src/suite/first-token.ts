/**
 * Whether the first token of a text is scored. Behind a BOS it has a probability; without one it has none, and some
 * programs leave it out even where it has.
 */
import type { ObservedTarget } from './observed.ts';
import type { ChoiceOption } from './options.ts';
import type { SuiteContext } from './suite.ts';

export const firstTokenOption = {
  kind: 'choice',
  choices: ['auto', 'skip'],
  default: 'auto',
  help: 'the first token of a text: auto scores it where the model puts a BOS in front, skip never',
} as const satisfies ChoiceOption;

/** The scored tokens of one continuation. */
export function scoredTargets(
  targets: readonly ObservedTarget[],
  side: number,
  {
    options: { firstToken },
    addsBos,
  }: Pick<SuiteContext<{ firstToken: 'auto' | 'skip' }>, 'options' | 'addsBos'>,
): ObservedTarget[] {
  const own = targets.filter((target) => target.side === side);
  return firstToken === 'skip' && addsBos ? own.filter(({ position }) => position > 0) : own;
}
