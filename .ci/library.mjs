/**
 * Writes docs/library.md: every name that the package exports, by the door that it is in, with the first sentence of its
 * docstring. `npm run check:generated` fails where the page is not what the code says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

/** More than this is no longer read: what fewer users need goes into a door of its own. */
const MOST_OF_THE_MAIN_DOOR = 70;

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const doors = Object.entries(exports).flatMap(([name, { types }]) =>
  types
    ? [
        {
          name: `logit-audit${name.slice(1)}`,
          file: types.replace('./dist', 'src').replace(/\.d\.ts$/, '.ts'),
        },
      ]
    : [],
);
const program = ts.createProgram(
  doors.map(({ file }) => file),
  ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} },
  ).options,
);
const checker = program.getTypeChecker();
const faults = [];

/** The first sentence of a docstring, in one line. */
function sentence(parts) {
  const text = ts
    .displayPartsToString(parts)
    .replace(/\{@link ([^}]*)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.!?](?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}

function entry(door, exported) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const about = sentence(symbol.getDocumentationComment(checker));
  if (about === '') faults.push(`${door}: ${exported.name} has no docstring`);
  const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
  return { name: exported.name, isValue, about: about.replaceAll('|', '\\|') };
}

function section({ name, file }) {
  const source = program.getSourceFile(file);
  const entries = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .map((symbol) => entry(name, symbol))
    .sort((a, b) => b.isValue - a.isValue || (a.name < b.name ? -1 : 1));
  const rows = (isValue) =>
    entries.filter((one) => one.isValue === isValue).map((one) => `| \`${one.name}\` | ${one.about} |`);
  const table = (head, lines) => (lines.length === 0 ? [] : [`| ${head} | |`, '| --- | --- |', ...lines, '']);
  return {
    name,
    count: entries.length,
    lines: [`## ${name}`, '', ...table('Values', rows(true)), ...table('Types', rows(false))],
  };
}

const sections = doors.map(section);
const [main] = sections;
if (main.count > MOST_OF_THE_MAIN_DOOR)
  faults.push(`${main.name} exports ${main.count} names, more than ${MOST_OF_THE_MAIN_DOOR}`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

const HEAD = `# The library

<!-- Made by .ci/library.mjs of the docstrings: npm run generate -->

Every name that the package exports. Shapes, units, ranges and errors are in the docstrings, which an editor shows; what the
numbers mean is in [metrics.md](metrics.md), [suites.md](suites.md) and the pages of the systems.

`;
writeFileSync('docs/library.md', `${HEAD}${sections.flatMap(({ lines }) => lines).join('\n')}`);
