/** Reads YAML into plain values and remembers where each stood; every scalar stays the text it is. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type Mistake, type Path, pathText } from './mistakes.ts';
import { COMMA_HINT } from './scalars.ts';

export interface Source {
  /** Maps, lists and texts: the schema interprets a text, so `007` and `NO` stay unchanged. */
  readonly value: unknown;
  readonly mistakes: readonly Mistake[];
  /** The line of a path, or of the nearest part of it that the file has. */
  readonly lineOf: (path: Path) => number | null;
}

interface Reading {
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly lineCounter: LineCounter;
  /** By the text of the path. */
  readonly lines: Map<string, number>;
  readonly mistakes: Mistake[];
  /** The values that are being read, because an alias inside its own value would never end. */
  readonly unfolding: Set<Node>;
  nodes: number;
}

/** Aliases may repeat what they name; a file that unfolds to more than this is refused. */
const NODES_MAX = 200_000;

export function readSource(text: string): Source {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    schema: 'failsafe',
    lineCounter,
    prettyErrors: false,
    // Found below instead, where their path is known.
    uniqueKeys: false,
  });
  const broken = [...document.errors, ...document.warnings].map((error) => ({
    path: '',
    line: lineCounter.linePos(error.pos[0]).line,
    message: error.message,
  }));
  if (broken.length > 0) return { value: undefined, mistakes: broken, lineOf: () => null };
  const lines = new Map<string, number>();
  const mistakes: Mistake[] = [];
  const unfolding = new Set<Node>();
  const targets = targetsOf(document);
  const reading: Reading = { targets, lineCounter, lines, mistakes, unfolding, nodes: 0 };
  const value = valueOf(reading, document.contents, []);
  return { value, mistakes, lineOf: (path) => lineOf(reading, path) };
}

/**
 * Each alias names the last anchor of its name before it. One walk finds all of them; the library's
 * `alias.resolve` walks the whole document for each alias.
 */
function targetsOf(document: Document): ReadonlyMap<Alias, Node> {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchored.get(node.source);
        if (target) targets.set(node, target);
      } else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

function valueOf(reading: Reading, node: unknown, path: Path): unknown {
  reading.nodes += 1;
  if (reading.nodes > NODES_MAX) {
    if (reading.nodes === NODES_MAX + 1) report(reading, [], 'the file is too large');
    return undefined;
  }
  place(reading, node, path);
  if (isAlias(node)) return aliased(reading, node, path);
  if (isMap(node) || isSeq(node)) {
    reading.unfolding.add(node);
    const value = isMap(node) ? mapOf(reading, node, path) : listOf(reading, node, path);
    reading.unfolding.delete(node);
    return value;
  }
  return isScalar(node) ? textOf(reading, node, path) : missing(reading, path);
}

function aliased(reading: Reading, alias: Alias, path: Path): unknown {
  const target = reading.targets.get(alias);
  if (target === undefined || reading.unfolding.has(target)) {
    return report(reading, path, `*${alias.source} names no value before it`);
  }
  return valueOf(reading, target, path);
}

function listOf(reading: Reading, list: YAMLSeq, path: Path): unknown {
  return list.items.map((item, index) => valueOf(reading, item, [...path, index]));
}

function mapOf(reading: Reading, map: YAMLMap, path: Path): unknown {
  const entries = new Map<string, unknown>();
  for (const [index, { key, value }] of map.items.entries()) {
    const cut = numberCutAt(map, index);
    if (cut) {
      report(reading, [...path, cut.name], `${cut.number} is not a number: ${COMMA_HINT}`);
      continue;
    }
    if (!isScalar(key)) {
      report(reading, path, 'has a key that is not a plain text');
      continue;
    }
    const name = String(key.value);
    const inner = [...path, name];
    if (entries.has(name)) {
      const { line } = reading.lineCounter.linePos(key.range?.[0] ?? 0);
      reading.mistakes.push({ path: pathText(inner), line, message: 'is given twice' });
      continue;
    }
    place(reading, key, inner);
    entries.set(name, valueOf(reading, value, inner));
  }
  return Object.fromEntries(entries);
}

/** In `{ price: 9,90 }` the comma ends the value, and leaves a key 90 without one. */
function numberCutAt(map: YAMLMap, index: number): { name: string; number: string } | undefined {
  const pair = map.items[index];
  const before = map.items[index - 1];
  if (map.flow !== true || pair?.value !== null || !isScalar(pair.key)) return undefined;
  if (!isScalar(before?.key) || !isScalar(before.value)) return undefined;
  const number = `${String(before.value.value)},${String(pair.key.value)}`;
  const isNumber = /^[+-]?\d+,\d+(?:\.\d+)?$/.test(number);
  return isNumber ? { name: String(before.key.value), number } : undefined;
}

function textOf(reading: Reading, scalar: Scalar, path: Path): unknown {
  const text = String(scalar.value);
  const isNull = scalar.type === 'PLAIN' && /^(?:|~|null|Null|NULL)$/.test(text);
  return isNull ? missing(reading, path) : text;
}

function missing(reading: Reading, path: Path): undefined {
  return report(reading, path, 'has no value: give one, or leave the key out');
}

function report(reading: Reading, path: Path, message: string): undefined {
  reading.mistakes.push({ path: pathText(path), line: lineOf(reading, path), message });
}

// The first one in the text wins: a key before its value, an alias before the value that it names.
function place(reading: Reading, node: unknown, path: Path): void {
  const offset = (node as Node | null)?.range?.[0];
  const name = pathText(path);
  if (offset === undefined || reading.lines.has(name)) return;
  reading.lines.set(name, reading.lineCounter.linePos(offset).line);
}

function lineOf(reading: Reading, path: Path): number | null {
  for (let length = path.length; length >= 0; length -= 1) {
    const line = reading.lines.get(pathText(path.slice(0, length)));
    if (line !== undefined) return line;
  }
  return null;
}
