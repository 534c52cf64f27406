/** `npm run tenant -- show`: prints what is in force for a tenant, as YAML or JSON. */
import { Document, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from 'yaml';
import { loadConfig } from '../../config.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { unbuiltIn } from '../../operations/tenants/not-in-force.ts';
import { pathText, type Path } from '../../operations/tenants/file/mistakes.ts';
import { isWithheld } from '../../operations/tenants/file/secrets.ts';
import { readShownFile, type ShownFile } from '../../operations/tenants/show.ts';
import { withRunningSystem } from '../../providers/embedded/running-system.ts';
import { open, tenantNamed } from './database.ts';

const LINE_WIDTH_COLUMNS = 100;

/** Returns the text to print. */
export async function show(label: string, isJson: boolean): Promise<string> {
  const db = await open(withRunningSystem(loadConfig()), 'sundial_app');
  try {
    const id = await tenantNamed(db, label);
    const file = await inTenant(db, id, readShownFile, { readOnly: true });
    return isJson ? `${JSON.stringify(file)}\n` : yamlOf(file);
  } finally {
    await db.close();
  }
}

/** A file that can be applied once the withheld values are filled in. */
function yamlOf(file: ShownFile): string {
  const unbuilt = unbuiltIn(file).map(
    ({ path, message }) => [pathText(path), ` Not in force yet: ${message}.`] as const,
  );
  const document = new Document(null, { schema: 'failsafe' });
  document.contents = nodeOf(file, [], new Map(unbuilt));
  return document.toString({ lineWidth: LINE_WIDTH_COLUMNS });
}

/** @param notes comments, by the path of their key */
function nodeOf(value: unknown, path: Path, notes: ReadonlyMap<string, string>): Node {
  if (isWithheld(value)) {
    const nothing = new Scalar('');
    nothing.type = Scalar.PLAIN;
    nothing.comment = ` ${value.withheld}`;
    return nothing;
  }
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items = value.map((item, index) => nodeOf(item, [...path, index], notes));
    list.flow = value.every((item) => typeof item !== 'object');
    return list;
  }
  if (typeof value !== 'object' || value === null) return textOf(String(value));
  const map = new YAMLMap();
  for (const [name, part] of Object.entries(value)) {
    const inner = [...path, name];
    const key = new Scalar(name);
    const note = notes.get(pathText(inner));
    if (note !== undefined) key.commentBefore = note;
    map.items.push(new Pair(key, nodeOf(part, inner, notes)));
  }
  map.flow = map.items.length === 0;
  return map;
}

/** A text that YAML would read as null is quoted. */
function textOf(text: string): Scalar {
  const scalar = new Scalar(text);
  if (/^(?:|~|null|Null|NULL)$/.test(text)) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}
