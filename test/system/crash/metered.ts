/** A tenant with 100 metered orders whose records are due in one run, and what its books say of them. */
import type { ExecutionContext } from 'ava';
import { Client } from 'pg';
import type { Database } from '../../../db/connection/database.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { raise } from '../../../operations/events/raise.ts';
import { metered } from '../../operations/support/usage.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import type { Parts } from './parts.ts';
import { openTill, type Till } from './till.ts';

export const ORDERS = 100;

export interface Metered extends Till {
  /** By extRefId; throws unless they are stored. */
  readonly upload: (records: readonly Sent[]) => Promise<void>;
  readonly advance: (to: string) => Promise<void>;
  readonly arrived: () => Promise<void>;
  /** How many invoices there are of a day. */
  readonly billedOn: (day: string) => Promise<number>;
  /** Locks the second half of the customers, as a long write does, until it is called. */
  readonly lockHalf: (t: ExecutionContext) => Promise<() => Promise<void>>;
  /** The quantities of the records, and of the windows that were billed; whatever is in no window. */
  readonly sums: () => Promise<Sums>;
}

export interface Sent {
  readonly ref?: string;
  /** The nth customer. */
  readonly nth: number;
  readonly quantity: number;
  readonly on: string;
  readonly corrects?: string;
}

export interface Sums {
  readonly records: number;
  readonly refs: number;
  readonly unbilled: number;
  /** Records without a window. */
  readonly lost: number;
  readonly quantity: string;
  readonly billedQuantity: string;
  readonly invoices: number;
  /** From the least invoice number to the last one. */
  readonly span: number;
}

export const bodyOf = (records: readonly Sent[]): string =>
  `<list>${records.map(elementOf).join('')}</list>`;

function elementOf({ ref, nth, quantity, on, corrects }: Sent): string {
  const element = (name: string, value: string | undefined) =>
    value === undefined ? '' : `<${name}>${value}</${name}>`;
  const inner =
    element('extRefId', ref) +
    element('extCustomerRef', `C-${nth}`) +
    element('priceCode', 'MINUTES') +
    element('quantity', String(quantity)) +
    element('chargeDate', on) +
    element('correctsExtRefId', corrects);
  return `<activity>${inner}</activity>`;
}

export async function openMetered(parts: Parts, db: Database): Promise<Metered> {
  const till = await openTill(parts, db, {
    label: `usage-${suffix()}`,
    testClock: '2027-01-01T12:00:00Z',
    plans: [metered],
  });
  const { tenantId, read, call } = till;
  await addOrders(db, tenantId);
  const succeeds = async (method: string, path: string, body?: string): Promise<void> => {
    const answer = await call(method, path, body);
    if (answer.status > 299) throw new Error(answer.body);
  };
  return {
    ...till,
    upload: (records) => succeeds('POST', '/activities', bodyOf(records)),
    advance: (to) => succeeds('POST', `/testClock?advanceTo=${to}`),
    arrived: () =>
      until('the clock is Ready', async () => {
        const ready = await read(`select from test_clock where status = 'Ready'`);
        return ready.length === 1;
      }),
    async billedOn(day) {
      const [row] = await read<{ n: number }>(
        'select count(*)::int as n from invoice where invoice_date = $1',
        day,
      );
      return row?.n ?? 0;
    },
    lockHalf: (t) => lockHalf(t, { parts, tenantId }),
    async sums() {
      const [row] = await read<Sums>(sumsSql);
      if (row === undefined) throw new Error('no sums');
      return row;
    },
  };
}

const sumsSql = `
  select a.*, i.*, (select trim_scale(coalesce(sum(quantity), 0))::text from usage_window
      where invoice_id is not null) as "billedQuantity"
  from (select count(*)::int as records, count(distinct a.ext_ref_id)::int as refs,
          (count(*) filter (where w.invoice_id is null))::int as unbilled,
          (count(*) filter (where w.id is null or w.closed_at is not null and w.invoice_id is null))::int
            as lost,
          trim_scale(coalesce(sum(a.quantity), 0))::text as quantity
        from activity a left join usage_window w on w.id = a.window_id) a,
    (select count(distinct invoice_number)::int as invoices,
       (max(invoice_number) - min(invoice_number) + 1)::int as span from invoice) i`;

async function addOrders(db: Database, tenantId: number): Promise<void> {
  const dependencies = { db, realNow: Date.now };
  const none = { generateInvoice: false, forceInvoiceGeneration: false };
  for (let nth = 1; nth <= ORDERS; nth += 1) {
    await inOperation(dependencies, tenantId, async (work) => {
      const [customer] = await work.tx.query<{ id: number }>(
        `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at,
           updated_at)
         values ($1, 'A customer', 'Active', $2, 'USD', now(), now()) returning id`,
        [tenantId, `C-${nth}`],
      );
      const customerId = customer?.id ?? 0;
      raise(work, [{ type: 'customer.created', customerId, objectId: customerId }]);
      await createOrder(dependencies, work, { customerId, contractCode: 'METERED' }, none);
    });
  }
}

interface Locking {
  readonly parts: Pick<Parts, 'ownerUrl'>;
  readonly tenantId: number;
}

async function lockHalf(
  t: ExecutionContext,
  { parts, tenantId }: Locking,
): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: parts.ownerUrl });
  await client.connect();
  // Closing its connection releases its locks, so that a failed test does not block the next one.
  let letGo = () => client.end();
  t.teardown(() => letGo());
  await client.query('begin');
  await client.query(`select set_config('app.tenant', $1, true)`, [String(tenantId)]);
  await client.query(
    `select from customer where tenant_id = $1 and substr(ext_customer_ref, 3)::int > $2
     order by id for no key update`,
    [tenantId, ORDERS / 2],
  );
  return async () => {
    await letGo();
    letGo = () => Promise.resolve();
  };
}
