/** The lists of kinds of objects: the entries of each list for a kind, and all its entries. */

import type { Database } from '../../../db/connection/database.ts';
import { domainErrors } from '../../../domain/error-codes.ts';
import { checks } from '../../../operations/books/checks/checks.ts';
import { tenantWorkflowTypes, type Kind } from '../../../operations/context/kinds.ts';
import { lockers } from '../../../operations/context/versions.ts';
import { objectWorkflowKinds } from '../../../operations/workflow-kinds/table.ts';
import * as workflows from '../../../workflows/workflows.ts';
import type { KindList } from './left-out.ts';

const nameIf = (property: 'isAddressed' | 'isVersioned' | 'isNumbered') => {
  return (name: string, kind: Kind): string | null => (kind[property] ? name : null);
};
const nameIfWorkflow = (name: string, { workflow }: Kind) => (workflow === null ? null : name);
const tableOf = (_: string, { table, sharesIdOf }: Kind): string | null =>
  sharesIdOf === undefined ? table : null;

const ofTheTenant = Object.keys(tenantWorkflowTypes);
/** Codes that do not belong to an object. */
const notKinds = [
  'field.unknown',
  'priceCode.unknown',
  'coupon.unknown',
  'testClock.unknown',
  'report.unknown',
];
/** Checks that are not a statement: the audit computes them for each order. */
const auditedOrders = ['order.dates', 'order.unbilled', 'order.overdue'];

/** Lists in code. */
const inCode: readonly KindList<Kind>[] = [
  {
    name: 'the catalogue of errors',
    entryOf: (_, { unknown }) => unknown,
    entries: Object.keys(domainErrors).filter((code) => code.endsWith('.unknown')),
    others: notKinds,
  },
  {
    name: 'the locks of versions',
    entryOf: nameIf('isVersioned'),
    entries: Object.keys(lockers),
  },
  {
    name: 'the types of workflows',
    entryOf: (_, { workflow }) => workflow && workflow.type,
    entries: Object.keys(workflows),
    others: Object.values(tenantWorkflowTypes),
  },
  {
    name: 'the kinds of workflows',
    entryOf: nameIfWorkflow,
    entries: objectWorkflowKinds,
  },
  {
    name: 'the checks of the audit',
    entryOf: (_, kind) => kind.checks,
    entries: [...checks.map(({ name }) => name), ...auditedOrders].map(
      (name) => name.split('.')[0] ?? name,
    ),
    others: 'any',
  },
  {
    name: 'the audited sequences of numbers',
    entryOf: (name, kind) => (kind.isNumbered ? `number.${name}` : null),
    entries: checks.map(({ name }) => name).filter((name) => name.startsWith('number.')),
  },
];

/** The catalogue of the migrated database. */
const catalogue = `
select
  (select array_agg(c.relname::text) from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relrowsecurity and c.relforcerowsecurity
     and exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p'
       and (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
            where a.attrelid = c.oid and a.attnum = any(k.conkey)) = array['tenant_id', 'id'])
  ) as tables,
  (select array_agg(a.attrelid::regclass::text) from pg_attribute a
   join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attname = 'version' and pg_get_expr(d.adbin, d.adrelid) = '1') as versions,
  (select array_agg(tablename::text) from pg_policies where policyname = 'owner_reads') as readable,
  (select pg_get_constraintdef(oid) from pg_constraint where conname = 'outbox_kind_check') as outbox,
  (select pg_get_constraintdef(oid) from pg_constraint where conname = 'counter_kind_check') as counter,
  (select pg_get_functiondef('id_is_foreign'::regproc)) as foreign,
  (select array_agg(pg_get_triggerdef(t.oid)) from pg_trigger t
   where t.tgfoid = 'note_unseen'::regproc) as noted`;

interface Catalogue {
  readonly tables: readonly string[];
  readonly versions: readonly string[];
  readonly readable: readonly string[];
  readonly outbox: string;
  readonly counter: string;
  readonly foreign: string;
  readonly noted: readonly string[];
}

const quoted = (definition: string): string[] =>
  [...definition.matchAll(/'(\w+)'::text/g)].map(([, name = '']) => name);

/** `WHEN 'order'::text THEN (EXISTS ( SELECT FROM subscription_order …` → `order: subscription_order`. */
function casesOf(definition: string): string[] {
  const text = definition.replaceAll(/\s+/g, ' ');
  const [one = ''] = text.split("WHEN 'any'");
  const cases = one.matchAll(/WHEN '(\w+)'::text THEN \(?EXISTS \( ?SELECT FROM (\w+)/g);
  return [...cases].map(([, name, table]) => `${name}: ${table}`);
}

function anyOf(definition: string): string[] {
  const [, any = ''] = definition.split("WHEN 'any'");
  return [...any.matchAll(/\bFROM (\w+)/g)].map(([, table = '']) => table);
}

/** `… AFTER INSERT ON public.dunning … EXECUTE FUNCTION note_unseen('dunning')` → `INSERT dunning: dunning`. */
function notedOf(definition: string): string {
  const [, event, table] = /AFTER (\w+) ON public\.(\w+) /.exec(definition) ?? [];
  const [, kind] = /note_unseen\('(\w+)'\)/.exec(definition) ?? [];
  return `${event} ${kind}: ${table}`;
}

/** All lists; those in SQL are read from the migrated database. */
export async function kindLists(db: Database): Promise<readonly KindList<Kind>[]> {
  const { rows } = await db.pool.query<Catalogue>(catalogue);
  const [found] = rows;
  if (!found) throw new Error('the catalogue is empty');
  const noted = found.noted.map(notedOf);
  return [
    ...inCode,
    ...['INSERT', 'UPDATE'].map((event) => ({
      name: `the tables whose versions are noted on ${event}`,
      entryOf: (name: string, { workflow, table }: Kind) =>
        workflow?.isAwaited ? `${event} ${name}: ${table}` : null,
      entries: noted.filter((each) => each.startsWith(event)),
    })),
    {
      name: 'the tables with row-level security and an id',
      entryOf: tableOf,
      entries: found.tables,
      others: 'any',
    },
    {
      name: 'the tables with a version',
      entryOf: (_, { isVersioned, table }) => (isVersioned ? table : null),
      entries: found.versions,
      others: ['outbox'],
    },
    {
      name: 'the CHECK of outbox.kind',
      entryOf: nameIfWorkflow,
      entries: quoted(found.outbox),
      others: ofTheTenant,
    },
    {
      name: 'the CHECK of counter.kind',
      entryOf: nameIf('isNumbered'),
      entries: quoted(found.counter),
    },
    {
      name: 'id_is_foreign by kind',
      entryOf: (name, { isAddressed, table }) => (isAddressed ? `${name}: ${table}` : null),
      entries: casesOf(found.foreign),
    },
    {
      name: 'id_is_foreign of any kind',
      entryOf: tableOf,
      entries: anyOf(found.foreign),
      others: 'any',
    },
    {
      name: "the tables that id_is_foreign's owner may read",
      entryOf: tableOf,
      entries: found.readable,
      others: 'any',
    },
  ];
}
