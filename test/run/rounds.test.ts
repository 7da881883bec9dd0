/** Rounds of requests: who asks once more, what is asked in which order, and whose answers they are. */
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { openPolicy } from '../../src/model/index.ts';
import type { GenerateRequest, ObserveRequest } from '../../src/observation/observation.ts';
import { type Asker, observeRounds } from '../../src/run/rounds.ts';

const generate = (prompt: string, answer: string | null): GenerateRequest => ({
  kind: 'generate',
  prompt,
  roles: answer === null ? {} : { unknown: answer },
});

function observer() {
  const windows: string[][] = [];
  const model = openPolicy('policy:always-unknown');
  const observe = (requests: readonly ObserveRequest[]) => {
    windows.push(requests.map((request) => String((request as GenerateRequest).prompt)));
    return model.observeWindow(requests, { groups: [], topK: 0, pairTopK: [] });
  };
  return { windows, observe };
}

const done: Asker['more'] = () => [];

describe('rounds', () => {
  it('ask those again that want it, and give everyone what is theirs, in order', async () => {
    const { windows, observe } = observer();
    const twice: Asker['more'] = (answers) =>
      answers.length < 3 ? [generate(`b${answers.length}`, `B${answers.length}`)] : [];
    const { answers, asked, decodedTokens } = await observeRounds(
      [generate('a', 'A'), generate('b', 'B'), generate('c', 'C'), generate('c2', 'C2')],
      [
        { firstRequest: 0, requests: 1, more: done },
        { firstRequest: 1, requests: 1, more: twice },
        { firstRequest: 2, requests: 2, more: done },
      ],
      observe,
    );
    expect(windows).toEqual([['a', 'b', 'c', 'c2'], ['b1'], ['b2']]);
    const texts = answers.map((own) =>
      own.map((answer) => (answer instanceof AuditError ? answer.code : answer.generation!.text)),
    );
    expect(texts).toEqual([['A'], ['B', 'B1', 'B2'], ['C', 'C2']]);
    expect(asked.map((texts) => texts!.texts[0])).toEqual(['a', 'b', 'b1', 'b2', 'c', 'c2']);
    expect(decodedTokens).toBe(0);
  });

  it('do not ask again where something failed', async () => {
    const { windows, observe } = observer();
    const always: Asker['more'] = () => [generate('more', 'X')];
    const { answers } = await observeRounds(
      [generate('a', null)],
      [{ firstRequest: 0, requests: 1, more: always }],
      observe,
    );
    expect(windows).toEqual([['a']]);
    expect(answers[0]).toMatchObject([{ code: 'bad_argument' }]);
  });

  it('are none where nothing is asked', async () => {
    const { windows, observe } = observer();
    expect(await observeRounds([], [], observe)).toEqual({ answers: [], asked: [], decodedTokens: 0 });
    expect(windows).toEqual([]);
  });
});
