/** What a server says in its own words of a fault, wherever in an answer it says it. */

const MOST_MARKUP = 2 ** 14;
const MOST_DETAILS = 1000;

type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Which of several answers a choice belongs to. */
export function indexOf({ index }: Fields): number {
  return Number(index ?? 0) || 0;
}

/** The choice of that number, or the first one; null where there is none. */
export function choiceIn(choices: unknown, index?: number): Fields | null {
  const list = (Array.isArray(choices) ? choices : [choices]).filter(isFields);
  if (index !== undefined) return list.find((own) => indexOf(own) === index) ?? null;
  return list.find((own) => indexOf(own) === 0) ?? list[0] ?? null;
}

/** A text, or nothing: never what a value of another kind is turned into by accident. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** So much of what a server says is kept. */
const MOST_WORDS = 1000;

/** For rows and messages: the beginning of what is too long for them. */
export function shortened(text: string, most = MOST_WORDS): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** A value as JSON, for messages. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return 'a value that cannot be written';
  }
}

/** Where servers put the text of a fault, the likeliest first. */
const TEXT_KEYS = ['message', 'msg', 'detail', 'error', 'error_description', 'reason', 'title', 'errors'];
/** What gateways put beside it: who refused, and for what. */
const DETAIL_KEYS = [
  'metadata',
  'details',
  'innererror',
  'inner_error',
  'content_filter_result',
  'content_filter_results',
];

/** Null where the value says nothing. */
export function wordsOf(value: unknown, depth = 0): string | null {
  if (depth > 4) return null;
  const text = textOrNull(value);
  if (text !== null) return text.trim();
  if (Array.isArray(value)) {
    const all = value.slice(0, 8).flatMap((own) => wordsOf(own, depth + 1) ?? []);
    return all.length === 0 ? null : all.join('; ');
  }
  if (!isFields(value)) return null;
  for (const key of TEXT_KEYS) {
    const said = wordsOf(value[key], depth + 1);
    if (said !== null) return [said, ...detailsOf(value)].join(' ');
  }
  return detailsOf(value)[0] ?? null;
}

function detailsOf(value: Fields): string[] {
  const { loc } = value;
  // Where a checker says in which field it is.
  const at =
    Array.isArray(loc) && loc.length < 16 ? [`(${loc.filter((own) => !isFields(own)).join('.')})`] : [];
  const rest = DETAIL_KEYS.flatMap((key) => {
    const own = value[key];
    const empty = own == null || own === '' || (typeof own === 'object' && Object.keys(own).length === 0);
    if (empty) return [];
    return [typeof own === 'string' ? own : asJson(own).slice(0, MOST_DETAILS)];
  });
  return [...at, ...rest];
}

/** The text of a page that a proxy sends instead of an answer. */
function textOfMarkup(markup: string): string {
  let text = '';
  let hidden = '';
  for (const part of markup.slice(0, MOST_MARKUP).split('<')) {
    const close = part.indexOf('>');
    const tag = /^\/?[a-z]*/i.exec(part)![0].toLowerCase();
    if (hidden === '') {
      if (tag === 'script' || tag === 'style') hidden = tag;
      else text += ` ${close === -1 ? part : part.slice(close + 1)}`;
    } else if (tag === `/${hidden}`) {
      hidden = '';
      text += ` ${part.slice(close + 1)}`;
    }
  }
  return text.replace(/\s+/g, ' ').trim();
}

/** What a body that is no JSON says. */
export function wordsOfText(body: string): string {
  const text = body.trimStart();
  return text.startsWith('<') ? textOfMarkup(text) : text.slice(0, MOST_MARKUP).replace(/\s+/g, ' ').trim();
}

/** A fault that came instead of an answer, or beside one: what is said, and the status that it names. */
export interface SaidFault {
  readonly words: string;
  readonly status: number | null;
  readonly fields: Fields;
}

function statusIn(fault: Fields): number | null {
  for (const key of ['status', 'code', 'status_code', 'http_code']) {
    const status = Number(fault[key]);
    if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  }
  return null;
}

/** Null where the answer tells of none. */
export function faultIn(raw: unknown): SaidFault | null {
  if (Array.isArray(raw)) return isFields(raw[0]) ? faultIn(raw[0]) : null;
  if (!isFields(raw)) return null;
  const { error, errors, object, choices } = raw;
  const fault = error ?? errors;
  const empty = typeof fault === 'object' && fault !== null && Object.keys(fault).length === 0;
  if (fault != null && fault !== false && fault !== '' && !empty) {
    const own = isFields(fault) ? fault : isFields(raw.error) ? raw.error : {};
    const words = wordsOf(fault) ?? wordsOf({ ...raw, error: null }) ?? asJson(fault);
    return { words, status: statusIn(own) ?? statusIn(raw), fields: own };
  }
  if (object === 'error' || (choices === undefined && raw.data === undefined)) {
    const words = wordsOf(raw);
    if (words !== null) return { words, status: statusIn(raw), fields: raw };
  }
  return null;
}
