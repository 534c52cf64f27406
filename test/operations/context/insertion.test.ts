/** The statements that one list of columns makes, without a database. */
import test from 'ava';
import { Contact } from '../../../db/entities/customers.ts';
import { BilledPeriod, InvoiceCharge } from '../../../db/entities/invoices.ts';
import { Payment } from '../../../db/entities/payments.ts';
import { Outbox, UpdateAnswer } from '../../../db/entities/processes.ts';
import {
  given,
  givenOf,
  insertText,
  inserting,
  oneRow,
} from '../../../db/queries/context/insertion.ts';
import { Event } from '../../../db/entities/events.ts';

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const columns = ['id', 'unitPrice', 'kind'] as const;

test('a key of a row is its column in snake case', (t) => {
  t.is(
    squeezed(insertText({ into: InvoiceCharge, columns })),
    'insert into invoice_charge (tenant_id, id, unit_price, kind) ' +
      'select $1, r."id", r."unitPrice", r."kind" ' +
      'from json_to_recordset($2) as r("id" bigint, "unitPrice" numeric, "kind" text)',
  );
});

test('other values add columns, or replace those of the row; the table may have an alias', (t) => {
  const values = { kind: `coalesce(r."kind", 'one')`, position: '$4 + r."id"' };
  t.is(
    squeezed(
      insertText({
        into: InvoiceCharge,
        as: 'c',
        columns,
        values,
        rows: '$3',
        ending: 'returning c.position',
      }),
    ),
    'insert into invoice_charge as c (tenant_id, id, unit_price, kind, position) ' +
      `select $1, r."id", r."unitPrice", coalesce(r."kind", 'one'), $4 + r."id" ` +
      'from json_to_recordset($3) as r("id" bigint, "unitPrice" numeric, "kind" text) ' +
      'returning c.position',
  );
});

test('the owner of a row is the column of its id', (t) => {
  t.is(
    given(Contact, ['customerId', 'firstName']).recordset,
    'json_to_recordset($2) as r("customerId" bigint, "firstName" text)',
  );
  const unknown = ['nobodyId'] as unknown as readonly ['customerId'];
  t.throws(() => given(Contact, unknown), { message: 'nobodyId is no column' });
});

test('a row has own names for columns, and more than columns', (t) => {
  const rows = given(
    Payment,
    { id: 'id', wasStatus: 'status' },
    { besides: { shows: 'text', place: 'int?' }, rows: '$3' },
  );
  t.is(
    rows.recordset,
    'json_to_recordset($3) as r("id" bigint, "wasStatus" text, "shows" text, "place" int)',
  );
  const row = { id: 1, wasStatus: 'Paid', shows: 'version', place: null } as const;
  t.is(rows.json([row]), '[{"id":1,"wasStatus":"Paid","shows":"version","place":null}]');
  t.is(givenOf({ ref: 'text' }).recordset, 'json_to_recordset($2) as r("ref" text)');
});

test('one row has a parameter for each column, and JSON for columns of JSON', (t) => {
  const { text, values, next } = oneRow({
    into: UpdateAnswer,
    columns: ['objectId', 'answer', 'requestId'],
    values: { requestId: (given) => `coalesce(${given}, 'none')`, kind: `'order'` },
    ending: 'returning kind',
  });
  t.is(
    squeezed(text),
    'insert into update_answer (tenant_id, object_id, answer, request_id, kind) ' +
      `values ($1, $2, $3, coalesce($4, 'none'), 'order') returning kind`,
  );
  const row = { objectId: 3, answer: ['a'], requestId: null };
  t.deepEqual(values(7, row), [7, 3, '["a"]', null]);
  t.is(next, '$5');
  const event = oneRow({ into: Event, columns: ['detail'] });
  t.deepEqual(event.values(7, { detail: null }), [7, null]);
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
    values: { deliverAfter: 'now() + make_interval(secs => r."afterSeconds")' },
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
    into: Payment,
    columns: ['id'],
    at: { effectiveDate: 'today', createdAt: 'now', updatedAt: 'now' },
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
      'insert into payment (tenant_id, id, effective_date, created_at, updated_at) ' +
        'select $1, r."id", $3, $4, $4 from json_to_recordset($2) as r("id" bigint)',
      [7, '[{"id":1},{"id":2}]', time.today, time.now],
      'insert-things',
    ],
  ]);
});
