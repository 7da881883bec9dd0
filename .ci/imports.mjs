/**
 * `npm run check:imports`: the laws of docs/design/house.md. Imports run one way, and each permission is used: one that
 * nothing uses would hide the next wrong import.
 *
 * Each room of src/ names the rooms that it may import; errors.ts is free to all. A wing is a folder of src/suites/ with
 * folders of its own: what runs is in its run/, what talks to people in its cli/, the rest is data and pure functions.
 */
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const PURE = [
  'catalog',
  'contract',
  'dataset',
  'files',
  'numbers',
  'observation',
  'parse',
  'prompt',
  'report',
];

const ROOMS = {
  files: [],
  npy: ['files'],
  gguf: ['files'],
  dataset: ['files'],
  catalog: ['files'],
  report: ['files'],
  parse: [],
  prompt: ['report'],
  native: ['report'],
  observation: ['prompt'],
  numbers: ['native', 'observation'],
  lexicon: ['catalog', 'files'],
  contract: ['lexicon', 'numbers', 'observation'],
  model: ['files', 'native', 'observation', 'prompt'],
  run: ['contract', 'dataset', 'files', 'lexicon', 'model', 'numbers', 'observation', 'report'],
  shell: ['catalog', 'contract', 'files', 'lexicon', 'model', 'prompt', 'report', 'run'],
  suites: [...PURE, 'lexicon', 'model', 'run', 'shell'],
  demo: ['files', 'lexicon', 'model', 'run', 'suites'],
  'self-test': ['demo', 'files', 'model'],
  cli: [
    'catalog',
    'contract',
    'dataset',
    'demo',
    'files',
    'gguf',
    'lexicon',
    'model',
    'npy',
    'numbers',
    'parse',
    'prompt',
    'report',
    'run',
    'self-test',
    'shell',
    'suites',
  ],
};

const WITHIN_SUITES = {
  'pure-suites': {
    from: { path: '^src/suites/', pathNot: '^src/suites/(commands\\.ts|[^/]+/((run|cli)/|public\\.ts))' },
    rooms: [...PURE, 'lexicon'],
  },
  'runs-of-wings': { from: { path: '^src/suites/[^/]+/run/' }, rooms: [...PURE, 'model', 'run'] },
};

const inRooms = (rooms) => rooms.map((room) => `^src/${room}/`);
const arrows = (name, from, rooms, own) => ({
  name,
  severity: 'error',
  comment: `may import: ${rooms.join(', ') || 'no other room'}`,
  from,
  to: { path: '^src/', pathNot: ['^src/errors\\.ts$', `^src/${own}/`, ...inRooms(rooms)] },
});

const forbidden = [
  ...Object.entries(ROOMS).map(([room, allowed]) =>
    arrows(`arrows-of-${room}`, { path: `^src/${room}/` }, allowed, room),
  ),
  ...Object.entries(WITHIN_SUITES).map(([name, { from, rooms }]) => arrows(name, from, rooms, 'suites')),
  {
    name: 'a-room-has-rules',
    severity: 'error',
    comment: 'a new room under src/ needs its line in ROOMS; the root holds index.ts and errors.ts',
    from: {
      path: '^src/',
      pathNot: [`^src/(${Object.keys(ROOMS).join('|')})/`, '^src/(index|errors)\\.ts$'],
    },
    to: {},
  },
  {
    name: 'errors-import-nothing',
    severity: 'error',
    from: { path: '^src/errors\\.ts$' },
    to: { path: '^src/' },
  },
  {
    name: 'wings-are-apart',
    severity: 'error',
    comment: 'what two suites share is in suites/shared',
    from: { path: '^src/suites/([^/]+)/' },
    to: { path: '^src/suites/', pathNot: ['^src/suites/($1|shared)/'] },
  },
  {
    name: 'commands-of-wings',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/suites/(commands\\.ts|[^/]+/cli/)' },
    to: { path: '^src/suites/[^/]+/cli/' },
  },
  {
    name: 'runs-of-wings-are-above',
    severity: 'error',
    from: { path: '^src/suites/', pathNot: '^src/suites/[^/]+/((run|cli)/|public\\.ts)' },
    to: { path: '^src/suites/[^/]+/run/' },
  },
  {
    name: 'suites-by-the-registry',
    severity: 'error',
    comment: 'outside src/suites/ suites and wings are known by their tables',
    from: { path: '^src/', pathNot: '^src/suites/' },
    to: { path: '^src/suites/', pathNot: '^src/suites/(registry|commands)\\.ts$' },
  },
  {
    name: 'nothing-imports-cli',
    severity: 'error',
    from: { pathNot: '^(src|test)/cli/' },
    to: { path: '^src/cli/' },
  },
  {
    name: 'addons-are-loaded-in-one-place',
    severity: 'error',
    comment: 'the tagger is no addon, but it loads a library late, at a call that must not wait',
    from: { path: '^src/', pathNot: '^src/(native/load|lexicon/swap/tagger)\\.ts$' },
    to: { path: '^(node:)?module$', dependencyTypes: ['core'] },
  },
  {
    name: 'oracle-shares-no-code',
    severity: 'error',
    comment: 'what tests hold the product against must not be made of the product',
    from: { path: '^test/oracle/', pathNot: '\\.test\\.ts$' },
    to: { path: '^src/' },
  },
  { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'no-orphans',
    severity: 'error',
    from: { orphan: true, path: '^src/', pathNot: 'public\\.ts$' },
    to: {},
  },
];

const { output, exitCode } = await cruise(
  ['src', 'test'],
  {
    exclude: { path: '^(dist|build|target|native/vendor)/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    ruleSet: { forbidden },
    validate: true,
  },
  { extensions: ['.ts'], conditionNames: ['import', 'types'] },
  { tsConfig: extractTSConfig('tsconfig.json') },
);
const { modules, summary } = output;
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);

const roomOf = (file) => /^src\/([^/]+)\//.exec(file)?.[1];
const used = new Set(
  modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => `${roomOf(source)} -> ${roomOf(resolved)}`),
  ),
);
const unused = Object.entries(ROOMS)
  .flatMap(([room, allowed]) => allowed.map((other) => `${room} -> ${other}`))
  .filter((arrow) => !used.has(arrow));
for (const arrow of unused) console.error(`a permission that nothing uses: ${arrow}; take it out of ROOMS`);
console.log(
  `${modules.length} modules, ${summary.violations.length} wrong imports, ${unused.length} unused permissions`,
);
process.exitCode = exitCode || summary.violations.length + unused.length > 0 ? 1 : 0;
