/** `logit-audit parse json`: the JSON in each text of a data file. */
import { type Command, Option } from 'commander';
import { AuditError } from '../../errors.ts';
import { JSON_COMPATS, type JsonCompat, SEVERAL, type Several } from '../../parse/index.ts';
import { runAction } from '../../shell/exit.ts';
import { parseRows } from './each-row.ts';
import { jsonRowReader } from './json-row.ts';
import { readSchemaFile } from './json-schema.ts';

interface JsonFlags {
  data: readonly string[];
  schema?: string;
  repair: boolean;
  several?: Several;
  compat?: JsonCompat;
  textColumn: string;
  idColumn: string;
  json?: boolean;
}

const HELP = `
A row is {"id": ..., "text": ...}: "text" is what the model wrote, or null where it wrote nothing. For each row a line
{"id", "status", "value", "repaired"} on stdout; without an id, a row goes by its number from 1. Counts and bad rows
are reported on stderr.
  ok                 "value" is the object or list; if "repaired", "repairs" says what was set right in the text
  no_json            the text has no JSON
  truncated          the text ends inside it, or inside a think block
  invalid_json       it breaks the rules of JSON
  multiple_objects   there are several that differ
A number that JSON cannot hold costs its field, not the others: "fields" names it, NaN and Infinity
(non_finite_number) as null, whole numbers beyond 2^53 (unsafe_integer) as the text of their digits.
With --schema the value is the object with its fields as the schema reads them, or:
  missing_key  not_integer  out_of_range  bad_label  wrong_type      "key" is the key at fault
  non_finite_number  unsafe_integer      of the field "key"; "value" has the other fields

A schema is YAML or JSON:
  fields:
    group: {type: integer, min: 6, max: 30}
    band: {type: enum, values: [low, high], aliases: {lo: low}, empty: ["", none], required: false, soft: true}

Examples:
  logit-audit parse json --data answers.jsonl > values.jsonl
  logit-audit parse json --data results.csv --id-column caseid --text-column generated_text --schema scores.yaml
  logit-audit parse json --data answers.jsonl --compat psych755
Exit codes: 0 done (faults and bad rows are counted), 1 no row could be read, 2 bad input, 3 disk full, 130 interrupted.`;

export function addJsonCommand(parse: Command): void {
  parse
    .command('json')
    .summary('the JSON in each text')
    .description('Reads the JSON object or list that each text holds, and its fields by a schema.')
    .requiredOption('--data <files...>', 'texts: JSON Lines, JSON, CSV or TSV; several are one data set')
    .option('--schema <file>', 'what the object must hold: YAML or JSON')
    .option('--no-repair', 'take only what is JSON as it stands')
    .addOption(
      new Option(
        '--several <rule>',
        'of values that differ: refuse, the first in a fence, the last (default: refuse)',
      ).choices(SEVERAL),
    )
    .addOption(
      new Option('--compat <program>', 'read as this program does, faults included').choices(JSON_COMPATS),
    )
    .option('--text-column <name>', 'column or key of the text', 'text')
    .option('--id-column <name>', 'column or key of the id', 'id')
    .option('--json', 'counts and faults on stderr as JSON')
    .addHelpText('after', HELP)
    .action((flags: JsonFlags) =>
      runAction({ json: flags.json === true }, (signal) => parseJson(flags, signal)),
    );
}

async function parseJson(flags: JsonFlags, signal: AbortSignal): Promise<void> {
  const { data: files, repair, several, compat, textColumn, idColumn, json = false } = flags;
  if (compat !== undefined && several !== undefined) {
    const message = `--several is not for --compat ${compat}, which has a rule of its own; leave one of them out`;
    throw new AuditError('bad_argument', message, { key: 'several' });
  }
  const schema = flags.schema === undefined ? null : await readSchemaFile(flags.schema);
  const options = { repair, ...(several && { several }), ...(compat && { compat }) };
  const read = jsonRowReader({ ...options, schema, textColumn, idColumn });
  await parseRows({ files, read, statuses: ['ok'], json, signal });
}
