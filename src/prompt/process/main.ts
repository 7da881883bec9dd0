/**
 * The entry of the process that runs one model's chat template; host.ts starts it, and ends it where it takes too long. It
 * loads nothing but the interpreter.
 */

import { AuditError, toAuditError } from '../../errors.ts';
import { printError } from '../../terminal.ts';
import { LimitReached } from '../interpreter.ts';
import { type ModelChats, renderFor } from '../model-chat.ts';
import { ChatTemplate, limitFault, withinTime } from '../template.ts';
import { chatTraits } from '../traits.ts';
import type { Answer, FromRenderer, Job, ToRenderer } from './protocol.ts';

let model: ModelChats | null = null;
/** What cannot be parsed is not tried again. */
let template: ChatTemplate | AuditError | null = null;

function compiled({ source, options }: ModelChats): ChatTemplate {
  if (template === null) {
    try {
      template = new ChatTemplate(source, { model: options.model });
    } catch (thrown) {
      if (!(thrown instanceof AuditError)) throw thrown;
      template = thrown;
    }
  }
  if (template instanceof AuditError) throw template;
  return template;
}

function perform(own: ModelChats, job: Job): Answer {
  try {
    const value = withinTime(() =>
      job === null ? chatTraits(compiled(own)) : renderFor(own, compiled(own), job),
    );
    return { value };
  } catch (thrown) {
    const error =
      thrown instanceof LimitReached
        ? limitFault(own.source, own.options, thrown.limit, thrown.message)
        : toAuditError(thrown);
    return { error: error.toJSON() };
  }
}

/** Resolves when the message is on its way: what is put off until the next job is done would blame that job. */
function send(message: FromRenderer): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}

async function answer(own: ModelChats, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) {
    const before = process.cpuUsage();
    const done = perform(own, job);
    const { user, system } = process.cpuUsage(before);
    await send({ type: 'answer', answer: done, cpuMs: (user + system) / 1000 });
  }
}

if (process.send === undefined) {
  printError('this is the process of logit-audit that renders chats; it is started where one is asked\n');
  process.exit(2);
}
// A terminal's interrupt reaches the whole group; the parent decides what it means.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToRenderer) => {
  if (message.type === 'model') model = message.model;
  else void answer(model!, message.jobs);
});
await send({ type: 'ready' });
