/**
 * A tenant's books for a test: the test sets the day, calls the billing run as 00:00 would, and
 * reads invoices as one line of text each.
 */

import { type IsoDate, addDays } from '../../../domain/calendar/calendar.ts';
import { dateIn, startOfDay } from '../../../domain/calendar/zone.ts';
import { type Tx, inTenant } from '../../../db/connection/tenancy.ts';
import { audit } from '../../support/audit.ts';
import { isLong } from '../../support/random.ts';
import type { TenantAudit } from '../../../operations/books/report.ts';
import { noticeKinds } from '../../../domain/events/notices.ts';
import { dueCustomers } from '../../../db/queries/billing/due-customers.ts';
import type { BilledBatch } from '../../../operations/billing/batch.ts';
import { BATCH_CUSTOMERS_MAX, billCustomers } from '../../../operations/billing/bill-customers.ts';
import { activateCustomer, suspendCustomer } from '../../../operations/customers/status.ts';
import { cancelInvoice } from '../../../operations/invoices/cancel.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import type { ManualInvoiceInput } from '../../../domain/invoices/by-hand.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import type { OrderInput } from '../../../domain/orders/input.ts';
import { changeOrder, priceChange } from '../../../operations/orders/change.ts';
import type { ChangeRequest } from '../../../operations/orders/current.ts';
import type { InvoicePreview } from '../../../domain/invoices/preview.ts';
import { announceAllDebits, giveNotices } from '../../../operations/due/notices.ts';
import { endAllPauses } from '../../../operations/due/pauses.ts';
import { dateAllMoves } from '../../../operations/due/prices.ts';
import { type EndRequest, endOrder, keepOrder } from '../../../operations/orders/end.ts';
import { generateForOrder, moveOrder } from '../../../operations/orders/actions.ts';
import { updateOrder } from '../../../operations/orders/update.ts';
import { raise } from '../../../operations/events/raise.ts';
import {
  type Dependencies,
  type OperationContext,
  inOperation,
  tenantInfo,
} from '../../../operations/context/context.ts';
import { ageAll, earnAllCommissions, openAllDebts } from '../../../operations/due/due.ts';
import type { TaxProvider } from '../../../providers/tax/tax-provider.ts';
import type { SharedDatabase } from '../../support/shared-database.ts';
import { type TenantOptions, makeTenant } from '../../support/tenants.ts';
import type { HeldCustomer } from '../../../domain/billing/rate/by-answers.ts';

export { ownDatabase, sharedDatabase } from '../../support/shared-database.ts';
export type { SharedDatabase } from '../../support/shared-database.ts';

export interface BooksOptions extends TenantOptions {
  /** The provider of its taxes, if its file names one. */
  readonly taxProvider?: TaxProvider;
  /** The first day. */
  readonly today: IsoDate;
  /** Its audits derive the ledger, too; in the long run all do, as that takes long. */
  readonly auditsLedger?: boolean;
  /** And the reports of the month before. */
  readonly auditsReports?: boolean;
}

export interface NewCustomer {
  readonly ref?: string;
  readonly status?: string;
  readonly currency?: string;
  readonly paymentTerms?: { readonly value: number; readonly units: string };
  /** Of its billing contact, which it otherwise lacks. */
  readonly address?: { readonly countryCode: string; readonly state: string };
}

const noInvoice = { generateInvoice: false, forceInvoiceGeneration: false };
const noFlags = { suspendOrders: false, cancelOrders: false, rollbackBillingPeriod: false };

type ChangeHow = Omit<ChangeRequest, 'input'>;
const noChange: ChangeHow = {
  effectiveDate: null,
  deletesCurrent: false,
  bills: false,
  named: { path: 'currentOrderId', value: '' },
};

function previewText({ invoiceDate, dueDate, status, currentAmountDue, lines }: InvoicePreview) {
  const charges = lines.flatMap((line) =>
    line.charges.map(({ priceCode, billingStartDate, billingEndDate, amount }) =>
      [priceCode, billingStartDate, billingEndDate, amount].filter(Boolean).join(' '),
    ),
  );
  return `on ${invoiceDate} due ${dueDate} ${status} ${currentAmountDue}: ${charges.join(', ')}`;
}

export type Books = Awaited<ReturnType<typeof openBooks>>;

export async function assertClean(books: Pick<Books, 'audit'>): Promise<void> {
  const { faults, held } = await books.audit();
  if (faults.length > 0 || held.length > 0) throw new Error(JSON.stringify({ faults, held }));
}

export async function openBooks(db: SharedDatabase, options: BooksOptions) {
  const timezone = options.timezone ?? 'America/New_York';
  let nowMs = startOfDay(timezone, options.today);
  const bugs: Error[] = [];
  const raised: string[] = [];
  const batches: (BilledBatch & { readonly on: IsoDate })[] = [];
  const dependencies: Dependencies = {
    db: db.app,
    realNow: () => nowMs,
    onBug: (bug) => bugs.push(bug),
    onAlert: (text) => raised.push(text),
    taxProviderOf: () => Promise.resolve(options.taxProvider ?? null),
  };
  const { id: tenantId, label } = await makeTenant(dependencies, options);
  const work = <Result>(operation: (work: OperationContext) => Promise<Result>) =>
    inOperation(dependencies, tenantId, operation);
  const read = <Result>(query: (tx: Tx) => Promise<Result>) =>
    inTenant(db.app, tenantId, query, { readOnly: true });
  const today = () => dateIn(timezone, nowMs);

  /** The billing run of 00:00, but one batch at a time. */
  async function run(): Promise<HeldCustomer[]> {
    const held: HeldCustomer[] = [];
    await endAllPauses(await slice());
    await dateAllMoves(await slice());
    for (;;) {
      const choice = { today: today(), limit: BATCH_CUSTOMERS_MAX, waitingAt: new Date(nowMs) };
      const due = await read((tx) => dueCustomers(tx, choice));
      if (due.length === 0) break;
      const batch = await billCustomers(dependencies, tenantId, due, { wait: true });
      batches.push({ on: today(), ...batch });
      held.push(...batch.held);
    }
    await age();
    return held;
  }

  /** The last part of the run: dunnings, statuses by age, commissions and notices of the day. */
  async function age(): Promise<void> {
    const due = await slice();
    await openAllDebts(due);
    await ageAll(due);
    await earnAllCommissions(due);
    for (const kind of noticeKinds) await giveNotices(kind, due);
    await announceAllDebits(due);
  }

  async function slice() {
    const tenant = await tenantInfo(dependencies, tenantId);
    const hooks = { lanes: 1, mayContinue: () => true, dispatch: () => undefined };
    return { dependencies, tenant, today: today(), ...hooks };
  }

  return {
    db,
    dependencies,
    /** The reported bugs. */
    bugs,
    /** The messages for a person. */
    raised,
    /** What the runs have billed, batch by batch. */
    batches,
    tenantId,
    label,
    work,
    read,
    run,
    age,
    today,
    /** Advances to the next 00:00, without its run. */
    tomorrow(): void {
      nowMs = startOfDay(timezone, addDays(today(), 1));
    },
    /** Moves to the 00:00 of a day without any run: the runs of the days before never came. */
    jump(to: IsoDate): void {
      nowMs = startOfDay(timezone, to);
    },
    /** Moves on within the day. */
    later(ms: number): void {
      nowMs += ms;
    },
    /** Advances to a day, with every run on the way, including that day's. */
    async advance(to: IsoDate): Promise<void> {
      while (today() < to) {
        nowMs = startOfDay(timezone, addDays(today(), 1));
        await run();
      }
    },
    customer: (customer: NewCustomer = {}) => work((context) => insertCustomer(context, customer)),
    async customerAction(
      id: number,
      action: 'suspend' | 'activate',
      until?: string,
    ): Promise<void> {
      await work<unknown>((its) =>
        action === 'suspend' ? suspendCustomer(its, { id }, until) : activateCustomer(its, { id }),
      );
    },
    /** Returns its id. */
    order: (input: OrderInput, how: Partial<typeof noInvoice & { extCustomerRef: string }> = {}) =>
      work((its) => createOrder(dependencies, its, input, { ...noInvoice, ...how })),
    put: (id: number, input: OrderInput) =>
      work((its) => updateOrder(dependencies, its, { id }, input)),
    /** A change order; returns the id of the new one. */
    change: (id: number, input: OrderInput, how: Partial<ChangeHow> = {}) =>
      work((its) => changeOrder(dependencies, its, { id }, { ...noChange, ...how, input })),
    /** `2027-02-01 Outstanding 16.20: GOLD -13.53, ..` of each invoice that a change would make. */
    async previewChange(id: number, input: OrderInput, how: Partial<ChangeHow> = {}) {
      const tenant = await tenantInfo(dependencies, tenantId);
      const request = { ...noChange, ...how, input };
      const { invoices } = await priceChange(dependencies, tenant, { id }, request);
      return invoices.map(previewText);
    },
    suspend: (id: number, until?: string) =>
      work((its) => moveOrder(its, { id }, 'Suspended', until)),
    activate: (id: number) => work((its) => moveOrder(its, { id }, 'Active')),
    /** An end by request, at the end of the term by default. */
    end: (id: number, request: Partial<EndRequest> = {}) =>
      work((its) =>
        endOrder(dependencies, its, { id }, { when: 'termEnd', reason: null, ...request }),
      ),
    keep: (id: number) => work((its) => keepOrder(its, { id })),
    generate: (id: number) => work((its) => generateForOrder(dependencies, its, { id })),
    cancelInvoice: (number: number | string, flags: Partial<typeof noFlags> = {}) =>
      work((its) =>
        cancelInvoice(dependencies, its, { number: String(number) }, { ...noFlags, ...flags }),
      ),
    manualInvoice: (customerId: number, input: ManualInvoiceInput) =>
      work((its) => createInvoice(its, { id: customerId }, input)),
    invoices: (customerId?: number) => read((tx) => readInvoices(tx, customerId ?? null)),
    orderNow: (id: number) => read((tx) => readOrder(tx, id)),
    counters: () => read(readCounters),
    /** The time after the present 00:00 of the books; noon by default. Recomputes as many invoices. */
    async audit(laterMs = 12 * 3_600_000, recompute?: number): Promise<TenantAudit> {
      const later: Dependencies = { db: db.app, realNow: () => nowMs + laterMs };
      const report = await audit(later, {
        relayDb: db.relay,
        engine: null,
        only: label,
        recompute,
        ledger: options.auditsLedger ?? isLong,
        reports: options.auditsReports ?? false,
      });
      const [tenant] = report.tenants;
      if (!tenant) throw new Error('the audit did not find the tenant');
      return tenant;
    },
  };
}

async function insertCustomer(context: OperationContext, customer: NewCustomer): Promise<number> {
  const { tx } = context;
  const [row] = await tx.query<{ id: number }>(
    `insert into customer (tenant_id, name, status, ext_customer_ref, currency,
       payment_terms_value, payment_terms_units, created_at, updated_at)
     values ($1, 'A customer', $2, $3, $4, $5, $6, now(), now()) returning id`,
    [
      tx.tenantId,
      customer.status ?? 'Active',
      customer.ref ?? null,
      customer.currency ?? 'USD',
      customer.paymentTerms?.value ?? null,
      customer.paymentTerms?.units ?? null,
    ],
  );
  if (!row) throw new Error('no customer was inserted');
  if (customer.address) {
    await tx.query(
      `insert into contact (tenant_id, customer_id, kind, country_code, state)
       values ($1, $2, 'billing', $3, $4)`,
      [tx.tenantId, row.id, customer.address.countryCode, customer.address.state],
    );
  }
  raise(context, [{ type: 'customer.created', customerId: row.id, objectId: row.id }]);
  return row.id;
}

/** `1001 on 2027-01-15 due 2027-02-14 Outstanding 29.95: GOLD-FEE 2027-01-15 2027-02-14 29.95`. */
async function readInvoices(tx: Tx, customerId: number | null): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(
    `select i.invoice_number || ' on ' || i.invoice_date || ' due ' || i.due_date || ' '
              || i.status || ' ' || round(i.current_amount_due, 2) || ': '
              || coalesce(string_agg(concat_ws(' ', c.price_code, c.billing_start_date,
                   c.billing_end_date, round(c.amount, 2)), ', '
                   order by l.position, c.position), '') as text
     from invoice i
     join invoice_line l on l.tenant_id = i.tenant_id and l.invoice_id = i.id
     left join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id
     where $1::bigint is null or i.customer_id = $1
     group by i.tenant_id, i.id order by i.invoice_number, i.id`,
    [customerId],
  );
  return rows.map((row) => row.text);
}

/** `Active ends 2027-12-31 next 2027-02-15 bills 2027-02-15`; null fields are omitted. */
async function readOrder(tx: Tx, id: number): Promise<string> {
  const [row] = await tx.query<{ text: string }>(
    `select concat(status, ' ends ' || end_date, ' next ' || next_billable_date,
              ' bills ' || bill_on) as text
     from subscription_order where id = $1`,
    [id],
  );
  return row?.text ?? 'gone';
}

async function readCounters(tx: Tx): Promise<Record<string, number>> {
  const rows = await tx.query<{ kind: string; next: number }>('select kind, next from counter');
  return Object.fromEntries(rows.map(({ kind, next }) => [kind, next]));
}
