/**
 * The laws of imports for Rust and C++, as dependency-cruiser holds them for TypeScript (`npm run check:imports`): no
 * circle of files in a crate, none of units (a header and its source) in native/; in native/ a room includes what ROOMS
 * permits, a permission that no include uses fails, and so does an include that is found nowhere.
 *
 *   node .ci/circles.mjs [FOLDER]    the repository, or a folder that holds crates/ or native/
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const DEVICE = ['error.h', 'metrics', 'ggml'];
/** By folder or file of native/, of which the longest name that fits holds: what it may include. */
const ROOMS = {
  'error.h': [],
  metrics: ['error.h', 'metrics/cuda', 'metrics/graph', 'metrics/metal', 'metrics/lane', 'ggml', 'rust'],
  'metrics/lane': [],
  'metrics/graph': DEVICE,
  'metrics/cuda': [...DEVICE, 'metrics/lane', 'cuda'],
  'metrics/metal': [...DEVICE, 'metrics/lane', 'metal'],
  engine: ['error.h', 'metrics', 'ggml', 'llama'],
  addon: ['error.h', 'metrics', 'engine', 'llama', 'napi'],
  test: ['error.h', 'metrics', 'metrics/graph', 'metrics/lane', 'engine', 'ggml', 'llama'],
  bench: ['metrics', 'metrics/cuda', 'ggml', 'cuda'],
  amx: [],
};
/** Headers from outside native/, by their names in ROOMS. Those of the language and the system are free. */
const OUTSIDE = {
  llama: /^llama\.h$/,
  ggml: /^(ggml|gguf)[\w-]*(\.h$|\/)/,
  napi: /^napi\.h$/,
  rust: /^logit_audit_metrics\.h$/,
  cuda: /^(cuda|cub\/)/,
  metal: /^(Metal|Foundation)\//,
};
const faults = [];

const list = (folder, pattern) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .filter((file) => pattern.test(file))
        .sort()
    : [];

/** Reports every circle that a walk of `graph`, from names to sets of names, meets. */
function findCircles(graph, place) {
  const done = new Set();
  const walk = (node, trail) => {
    const start = trail.indexOf(node);
    if (start >= 0) faults.push(`${place}: a circle, ${[...trail.slice(start), node].join(' -> ')}`);
    if (start >= 0 || done.has(node)) return;
    for (const next of graph.get(node)) walk(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
}

function checkNative(root) {
  const files = list(root, /^(?!vendor\/).*\.(h|cuh|cpp|cu|mm|metal)$/);
  const rooms = Object.keys(ROOMS).sort((a, b) => b.length - a.length);
  const unitOf = (file) => file.replace(/\.\w+$/, '');
  const roomOf = (file) => rooms.find((room) => unitOf(file) === unitOf(room) || file.startsWith(`${room}/`));
  const unused = new Set(rooms.flatMap((room) => ROOMS[room].map((name) => `${room} -> ${name}`)));
  const units = new Map(files.map((file) => [unitOf(file), new Set()]));
  for (const file of files) {
    const room = roomOf(file);
    if (room === undefined) faults.push(`native/${file}: its folder has no line in ROOMS`);
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [, open, header] of text.matchAll(/^\s*#\s*(?:include|import)\s*(["<])([^">]+)/gm)) {
      const inside = open === '"' && files.includes(header);
      const target = inside
        ? roomOf(header)
        : Object.keys(OUTSIDE).find((name) => OUTSIDE[name].test(header));
      if (inside && unitOf(header) !== unitOf(file)) units.get(unitOf(file)).add(unitOf(header));
      if (target === undefined && open === '"') faults.push(`native/${file}: "${header}" is found nowhere`);
      if (target === undefined || target === room) continue;
      unused.delete(`${room} -> ${target}`);
      if (!ROOMS[room]?.includes(target))
        faults.push(`native/${file}: ${room} may not include ${target} (${header})`);
    }
  }
  if (files.length > 0)
    for (const line of unused) faults.push(`native: no include uses the permission ${line}`);
  findCircles(units, 'native');
}

/** The paths of a `use` tree: of a::{b, c::d as e} these are [a::b] and [a::c::d, e]. */
function expandUse(tree, before = '') {
  const [, head, inner] = /^([^{]*)\{([\s\S]*)\}$/.exec(tree) ?? [];
  if (inner === undefined) return [`${before}${tree}`.split(/\s+as\s+/)];
  const parts = inner.match(/(?:[^,{}]|\{(?:[^{}]|\{[^{}]*\})*\})+/g) ?? [];
  return parts.flatMap((part) => (part.trim() ? expandUse(part.trim(), before + head) : []));
}

function checkCrate(root) {
  const modules = new Map();
  for (const file of list(root, /\.rs$/)) {
    const name = `crate/${file}`.replace(/\/(mod|lib|main)\.rs$|\.rs$/, '').replaceAll('/', '::');
    const text = readFileSync(path.join(root, file), 'utf8')
      .replace(/\/\/.*|\/\*[\s\S]*?\*\/|r#"[\s\S]*?"#|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\])'/g, ' ')
      .replace(/^#\[cfg\(test\)\]\s*mod \w+ \{[\s\S]*?^\}/gm, '');
    modules.set(name, { file, text, exported: new Map() });
  }
  /** A path from the crate on, or undefined where it starts elsewhere. */
  const absolute = (written, from) => {
    const [first, ...rest] = written.split('::');
    if (first === 'super') return absolute(['self', ...rest].join('::'), from.replace(/::\w+$/, ''));
    if (first === 'self')
      return rest[0] === 'super' ? absolute(rest.join('::'), from) : [from, ...rest].join('::');
    return first === 'crate' ? written : modules.has(`${from}::${first}`) ? `${from}::${written}` : undefined;
  };
  /** The file that defines what a path names, through re-exports. */
  const fileOf = (target) => {
    let at = 'crate';
    for (const part of target.split('::').slice(1)) {
      const exported = modules.get(at).exported.get(part);
      if (modules.has(`${at}::${part}`)) at = `${at}::${part}`;
      else return exported === undefined ? modules.get(at).file : fileOf(exported);
    }
    return modules.get(at).file;
  };
  const uses = [];
  for (const [name, { text, exported }] of modules) {
    const body = text.replace(/^\s*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);/gm, (_, open, tree) => {
      for (const [written, alias] of expandUse(tree.trim())) {
        const target = absolute(written, name);
        if (target === undefined) continue;
        uses.push([name, target]);
        if (open) exported.set(alias ?? target.split('::').at(-1), target);
      }
      return '';
    });
    const paths = body.matchAll(/(?<![:\w])[a-z_]\w*(?:::\w+)+/g);
    for (const [written] of paths) uses.push([name, absolute(written, name)]);
  }
  const graph = new Map([...modules.values()].map(({ file }) => [file, new Set()]));
  for (const [from, target] of uses) {
    const { file } = modules.get(from);
    if (target !== undefined && fileOf(target) !== file) graph.get(file).add(fileOf(target));
  }
  findCircles(graph, path.relative(process.cwd(), root));
}

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
checkNative(path.join(root, 'native'));
for (const lib of list(path.join(root, 'crates'), /^[\w-]+\/src\/lib\.rs$/))
  checkCrate(path.join(root, 'crates', path.dirname(lib)));
for (const fault of faults) console.error(`error: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
