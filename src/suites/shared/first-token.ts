/**
 * The first token of a text that is scored as a whole: the one place that says whether it counts, and what stands in
 * front of it. Behind a BOS it has a probability; a model that puts none in front is given one, as lm-evaluation-harness
 * does (its prefix token: BOS, or EOS where there is no BOS), unless the option says otherwise.
 */

import type { ShareMetric } from '../../contract/metric.ts';
import { ofOneTokenizer, share } from '../../contract/metric.ts';
import type { ChoiceOption } from '../../contract/options.ts';
import type { MetricFigures, SuiteContext } from '../../contract/suite.ts';
import type { ScoreRequest } from '../../observation/observation.ts';
import type { ObservedTarget } from '../../observation/observed.ts';

export const firstTokenOption = {
  kind: 'choice',
  choices: ['prefix', 'auto', 'skip'],
  default: 'prefix',
  // The reference project puts nothing in front.
  reference: 'auto',
  help:
    'the first token of a text: prefix scores it, behind a BOS (or else an EOS) that is put there where the model puts none; ' +
    'auto scores it where the model puts a BOS in front; skip never',
  effect: (choice, { addsBos }) =>
    scoresFirst({ options: { firstToken: choice as FirstToken }, addsBos })
      ? 'the first token is scored'
      : 'the first token is left out',
} as const satisfies ChoiceOption;

type FirstToken = 'prefix' | 'auto' | 'skip';
type FirstTokenContext = Pick<
  SuiteContext<{ readonly firstToken: FirstToken }>,
  'options' | 'addsBos' | 'front'
>;

/** Whether a text's first token counts. */
export function scoresFirst({ options: { firstToken }, addsBos }: FirstTokenContext): boolean {
  return firstToken === 'prefix' || (firstToken === 'auto' && addsBos);
}

/** Where a text's first token stands among the tokens that were asked: behind what stands in front of it, if anything. */
export function firstTokenAt({ options: { firstToken }, addsBos }: FirstTokenContext): 0 | 1 {
  return addsBos || firstToken === 'prefix' ? 1 : 0;
}

/** Whole texts to be scored, token by token. */
export function textsRequest(texts: readonly string[], { options }: FirstTokenContext): ScoreRequest {
  const scoreFirst = options.firstToken === 'prefix';
  return {
    kind: 'score',
    prompt: '',
    continuations: texts,
    perToken: true,
    ...(scoreFirst ? { scoreFirst } : {}),
  };
}

/** The tokens of one text that count. */
export function scoredTargets(
  targets: readonly ObservedTarget[],
  side: number,
  context: FirstTokenContext,
): ObservedTarget[] {
  const own = targets.filter((target) => target.side === side);
  // Behind a BOS the first token follows position 0; without one nothing does.
  return context.options.firstToken === 'skip' && context.addsBos
    ? own.filter(({ position }) => position > 0)
    : own;
}

/** Whether texts differ at their first token: `only` there, there `too`, or `no`. */
export type FirstTokenDiffers = 'no' | 'too' | 'only';

/** Of the texts of one row, each as it was asked. */
export function firstTokenDiffers(
  texts: readonly (readonly number[])[],
  context: FirstTokenContext,
): FirstTokenDiffers {
  const at = firstTokenAt(context);
  const [first, ...others] = texts as [readonly number[], ...(readonly number[])[]];
  if (others.every((ids) => ids[at] === first[at])) return 'no';
  const rest = (ids: readonly number[]) => ids.slice(at + 1).join();
  return others.every((ids) => rest(ids) === rest(first)) ? 'only' : 'too';
}

/** How many rows hang on the first token, by what a row says under `firstTokenDiffers`; rows of earlier versions say nothing. */
export const FIRST_TOKEN_METRICS: readonly ShareMetric[] = [
  share(
    'firstToken.differs',
    'rows whose sentences differ at their first token',
    ({ firstTokenDiffers: said }) => (said === undefined ? null : said !== 'no'),
  ),
  share(
    'firstToken.differsOnlyThere',
    'rows whose sentences differ only there',
    ({ firstTokenDiffers: said }) => (said === undefined ? null : said === 'only'),
  ),
].map(ofOneTokenizer);

/** What a run says of first tokens on a model that puts no BOS in front, and where they are left out; else nothing. */
export function firstTokenRemarks(
  metrics: ReadonlyMap<string, MetricFigures>,
  context: FirstTokenContext,
): string[] {
  const { options, addsBos, front } = context;
  const scored = scoresFirst(context);
  // A BOS of its own, or an endpoint, which puts there what it does.
  if (scored && !front) return [];
  const done = scored
    ? `the model puts nothing in front of a text; its ${front!.is} ${JSON.stringify(front!.text)} was put there, as ` +
      'lm-evaluation-harness does, so that the first token is scored too'
    : `the first token of a text is not scored (--first-token ${options.firstToken}${addsBos ? '' : ', and the model puts nothing in front of a text'})`;
  const [differs, only] = ['firstToken.differs', 'firstToken.differsOnlyThere'].map((name) =>
    metrics.get(name),
  );
  if (!differs || !only) return [done];
  if (differs.n === 0) return [];
  const count = ({ value, n }: MetricFigures) => Math.round((value ?? 0) * n);
  const where = `in ${count(differs)} of ${differs.n} rows the sentences differ at that token, in ${count(only)} only there`;
  return [
    `${done}; ${where}${scored || count(only) === 0 ? '' : ', so that in these the words that differ are not scored themselves'}`,
  ];
}
