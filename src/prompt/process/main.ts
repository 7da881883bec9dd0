/**
 * The entry of the process that runs templates out of files: a model's, or those of a scale. host.ts starts it, and ends it
 * where it takes too long. It loads nothing but the interpreter.
 */

import { type AuditError, toAuditError } from '../../errors.ts';
import { printError } from '../../report/terminal.ts';
import { charactersIn } from '../control.ts';
import { LimitReached } from '../interpreter.ts';
import { type ChatJob, type ModelChats, renderFor } from '../model-chat.ts';
import { charactersGiven } from '../render.ts';
import { ChatTemplate, limitFault, type TemplateName, withinTime } from '../template.ts';
import { type NamedTemplate, type TextJob, textsFor } from '../texts.ts';
import { chatTraits } from '../traits.ts';
import type { Answer, Cost, FromRenderer, Job, Made, Material, ToRenderer } from './protocol.ts';
import { templateOf } from './protocol.ts';

interface Renderer {
  make(job: Job): Made;
  /** What a job gives its template, and how often. */
  size(job: Job): Pick<Cost, 'given' | 'runs'>;
}

function rendererOf(material: Material): Renderer {
  return 'chats' in material ? chatsOf(material.chats) : textsOf(material.texts);
}

function chatsOf(model: ModelChats): Renderer {
  const { source, options } = model;
  const template = parsedOnce(source, { model: options.model });
  return {
    make: (job) => (job === null ? chatTraits(template()) : renderFor(model, template(), job as ChatJob)),
    size(job) {
      if (job === null) return { given: 0, runs: 1 };
      const { messages, options: own } = job as ChatJob;
      return { given: charactersGiven(messages, own), runs: 1 };
    },
  };
}

function textsOf(templates: readonly NamedTemplate[]): Renderer {
  const parsed = templates.map(({ source, name }) => parsedOnce(source, { name }));
  return {
    make(job) {
      const own = job as TextJob;
      return textsFor(parsed[own.template]!(), own);
    },
    size(job) {
      const { values } = job as TextJob;
      return { given: charactersIn(values), runs: values?.length ?? 1 };
    },
  };
}

/** The template, parsed at the first call; what cannot be parsed is not tried again. */
function parsedOnce(source: string, name: TemplateName): () => ChatTemplate {
  let known: ChatTemplate | { readonly fault: unknown } | null = null;
  return () => {
    try {
      known ??= new ChatTemplate(source, name);
    } catch (fault) {
      known = { fault };
    }
    if ('fault' in known) throw known.fault;
    return known;
  };
}

let material: Material | null = null;
let renderer: Renderer | null = null;

function perform(job: Job): Answer {
  try {
    return { value: withinTime(() => renderer!.make(job)) };
  } catch (thrown) {
    return { error: errorOf(job, thrown).toJSON() };
  }
}

/** What cannot be counted, such as a list that holds itself, was no template's to read either. */
function sizeOf(job: Job): Pick<Cost, 'given' | 'runs'> {
  try {
    return renderer!.size(job);
  } catch {
    return { given: 0, runs: 1 };
  }
}

function errorOf(job: Job, thrown: unknown): AuditError {
  if (!(thrown instanceof LimitReached)) return toAuditError(thrown);
  const { source, ...name } = templateOf(material!, job);
  return limitFault(source, name, thrown.limit, thrown.message);
}

/** Resolves when the message is on its way: what is put off until the next job is done would blame that job. */
function send(message: FromRenderer): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}

async function answer(jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) {
    const before = process.cpuUsage();
    const done = perform(job);
    const { user, system } = process.cpuUsage(before);
    const cost = { ...sizeOf(job), cpuMs: (user + system) / 1000 };
    await send({ type: 'answer', answer: done, cost });
  }
}

if (process.send === undefined) {
  printError(
    'this is the process of logit-audit that renders templates; it is started where one is asked for\n',
  );
  process.exit(2);
}
// A terminal's interrupt reaches the whole group; the parent decides what it means.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToRenderer) => {
  if (message.type === 'jobs') return void answer(message.jobs);
  material = message.material;
  renderer = rendererOf(material);
});
await send({ type: 'ready' });
