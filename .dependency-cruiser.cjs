/**
 * The arrows of docs/design/house.md: imports run one way. `npm run check:imports` fails on any other.
 *
 * Each room names the rooms that it may import; the shared words (errors, observation, atomic, file-error, half, json-file, lock, sealed-line, terminal) are free to all.
 */
const SHARED = '^src/(errors|observation|atomic|file-error|half|json-file|lock|sealed-line|terminal)\\.ts$';
const ROOMS = {
  native: [],
  yaml: [],
  lexicon: ['yaml'],
  scale: ['yaml', 'prompt'],
  dataset: [],
  report: [],
  parse: [],
  prompt: [],
  planted: [],
  npy: [],
  gguf: [],
  model: ['native', 'prompt'],
  rules: ['yaml', 'parse', 'dataset', 'report', 'prompt', 'retrieval', 'metrics.ts'],
  suite: ['prompt', 'lexicon', 'parse', 'bbq', 'rules', 'scale', 'metrics.ts'],
  experiment: ['suite', 'lexicon', 'dataset', 'report', 'yaml'],
  persona: ['scale', 'parse', 'dataset', 'report', 'yaml', 'metrics.ts'],
  bbq: ['parse', 'dataset', 'report', 'metrics.ts'],
  retrieval: ['metrics.ts'],
  run: [
    'suite',
    'bbq',
    'rules',
    'retrieval',
    'experiment',
    'model',
    'dataset',
    'report',
    'lexicon',
    'scale',
    'metrics.ts',
  ],
  'self-test': ['planted', 'model'],
  demo: ['run', 'model', 'lexicon', 'planted', 'report'],
  cli: [
    'run',
    'bbq',
    'persona',
    'rules',
    'demo',
    'self-test',
    'suite',
    'experiment',
    'scale',
    'model',
    'dataset',
    'report',
    'lexicon',
    'parse',
    'npy',
    'gguf',
    'prompt',
    'yaml',
    'retrieval',
    'metrics.ts',
  ],
};

const toPattern = (target) =>
  target.endsWith('.ts') ? `^src/${target.replace('.', '\\.')}$` : `^src/${target}/`;

module.exports = {
  forbidden: [
    ...Object.entries(ROOMS).map(([room, allowed]) => ({
      name: `arrows-of-${room}`,
      severity: 'error',
      comment: `src/${room} may import: ${allowed.join(', ') || 'no other room'}`,
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: [`^src/${room}/`, SHARED, ...allowed.map(toPattern)] },
    })),
    {
      name: 'a-room-has-rules',
      severity: 'error',
      comment: 'a new room under src/ needs its line in ROOMS',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(ROOMS).join('|')})/` },
      to: {},
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
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/' }, to: {} },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|build|target|native/vendor)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts'], conditionNames: ['import', 'types'] },
  },
};
