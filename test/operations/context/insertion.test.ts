/** The statements that one list of columns makes, without a database. */
import test from 'ava';
import { BilledPeriod } from '../../../db/entities/invoices.ts';
import { Outbox } from '../../../db/entities/processes.ts';
import { insertText, inserting, only } from '../../../db/queries/context/insertion.ts';

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const columns = {
  id: 'bigint',
  unitPrice: 'numeric?',
  kind: only<'one' | 'two'>('text'),
} as const;

test('a key of a row is its column in snake case, and a nullable one has the same type', (t) => {
  t.is(
    squeezed(insertText({ into: 'thing', columns })),
    'insert into thing (tenant_id, id, unit_price, kind) ' +
      'select $1, r."id", r."unitPrice", r."kind" ' +
      'from json_to_recordset($2) as r("id" bigint, "unitPrice" numeric, "kind" text)',
  );
});

test('other values add columns, replace those of the row, or keep a key out of the table', (t) => {
  const values = { kind: `coalesce(r."kind", 'one')`, id: null, number: '$4 + r."id"' };
  t.is(
    squeezed(
      insertText({ into: 'thing', columns, values, rows: '$3', ending: 'returning number' }),
    ),
    'insert into thing (tenant_id, unit_price, kind, number) ' +
      `select $1, r."unitPrice", coalesce(r."kind", 'one'), $4 + r."id" ` +
      'from json_to_recordset($3) as r("id" bigint, "unitPrice" numeric, "kind" text) ' +
      'returning number',
  );
});

/** The statement that an insertion sends for one row. */
function textOf(insert: (tx: Sending, rows: readonly [never]) => void): string {
  const sent: string[] = [];
  insert({ tenantId: 7, send: (text) => void sent.push(squeezed(text)) }, [{} as never]);
  return sent.join();
}

interface Sending {
  readonly tenantId: number;
  readonly send: (text: string) => void;
}

test('an entity gives the names and the types of its columns, numbers without a precision', (t) => {
  const columns = ['id', 'chargeId', 'periodIndex', 'segment', 'billedFrom', 'voidedAt'] as const;
  t.is(
    textOf(inserting('insert-periods', { into: BilledPeriod, columns })),
    'insert into billed_period (tenant_id, id, charge_id, period_index, segment, billed_from, ' +
      'voided_at) select $1, r."id", r."chargeId", r."periodIndex", r."segment", r."billedFrom", ' +
      'r."voidedAt" from json_to_recordset($2) as r("id" bigint, "chargeId" bigint, ' +
      '"periodIndex" int, "segment" smallint, "billedFrom" date, "voidedAt" timestamptz)',
  );
});

test('what a row has besides the columns is read by other values only', (t) => {
  const insert = inserting('enqueue', {
    into: Outbox,
    columns: ['workflowId'],
    besides: { afterSeconds: 'float8' },
    values: { deliver_after: 'now() + make_interval(secs => r."afterSeconds")' },
  });
  t.is(
    textOf(insert),
    'insert into outbox (tenant_id, workflow_id, deliver_after) ' +
      'select $1, r."workflowId", now() + make_interval(secs => r."afterSeconds") ' +
      'from json_to_recordset($2) as r("workflowId" text, "afterSeconds" float8)',
  );
});

test('one statement inserts all rows with the time of their transaction, none if there are none', (t) => {
  const insert = inserting('insert-things', {
    into: 'thing',
    columns: { id: 'bigint' },
    at: { made_on: 'today', made_at: 'now', changed_at: 'now' },
  });
  const sent: unknown[][] = [];
  const tx = {
    tenantId: 7,
    send: (text: string, values: readonly unknown[] = [], name = '') =>
      void sent.push([squeezed(text), values, name]),
  };
  const time = { now: new Date('2027-01-31T05:00:00Z'), today: '2027-01-31' };
  insert(tx, [], time);
  insert(tx, [{ id: 1 }, { id: 2 }], time);
  t.deepEqual(sent, [
    [
      'insert into thing (tenant_id, id, made_on, made_at, changed_at) ' +
        'select $1, r."id", $3, $4, $4 from json_to_recordset($2) as r("id" bigint)',
      [7, '[{"id":1},{"id":2}]', time.today, time.now],
      'insert-things',
    ],
  ]);
});
