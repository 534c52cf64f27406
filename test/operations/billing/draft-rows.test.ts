/** The rows of each kind of charge, and credits that a later invoice carries. */
import test from 'ava';
import type { InvoiceCharge } from '../../../domain/billing/charges.ts';
import { draftCharge, type DraftInvoice } from '../../../domain/billing/rate/total.ts';
import { sum } from '../../../domain/money/money.ts';
import { takeIds, writeBilling } from '../../../db/queries/billing/write.ts';
import { addDraft, noDraftRows, writeOf } from '../../../operations/billing/draft-rows.ts';
import { lockCustomers } from '../../../operations/context/locks.ts';
import { lineWith } from '../../domain/fixtures.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const today = '2027-01-15';

/** An order billed from today on, 31.00 for its first month. */
async function story() {
  const books = await openBooks(db, { today, plans: [recurring('P', 31, prorated)] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  const [fee] = await books.read((tx) =>
    tx.query<{ id: number; line: number }>(
      'select id, order_line_id as line from invoice_charge order by id',
    ),
  );
  if (fee === undefined) throw new Error('nothing was billed');
  return { books, customerId, fee };
}

interface Written {
  readonly books: Books;
  readonly customerId: number;
  readonly charges: readonly InvoiceCharge[];
  /** The usage window of its charges. */
  readonly windowId?: number;
}

async function write({ books, customerId, charges, windowId }: Written): Promise<void> {
  const total = sum(
    charges.filter(({ kind }) => kind !== 'usageSubTotal').map(({ amount }) => amount),
  );
  const days = { billingStartDate: null, billingEndDate: null };
  const draft: DraftInvoice = {
    customerId,
    currency: 'USD',
    invoiceDate: today,
    dueDate: today,
    ...days,
    billingPeriod: null,
    currentAmountDue: total,
    isAutoPay: false,
    asked: null,
    lines: [
      {
        position: 1,
        order: null,
        invoiceText: null,
        ...days,
        lineAmountTotal: total,
        purchaseOrder: null,
        charges: charges.map((charge, index) => draftCharge(charge, index + 1, today)),
      },
    ],
  };
  await books.work(async ({ tx, time, tenant: { numbering } }) => {
    await lockCustomers(tx, [customerId]);
    const ids = (await takeIds(tx, 2)).values();
    const rows = noDraftRows();
    addDraft(rows, draft, {
      balances: new Map([
        [`${customerId} USD`, { balance: '31', lastTotalDue: '31', hasUnapplied: false }],
      ]),
      nextId: () => Number(ids.next().value),
      autopay: { autopayOn: 'invoiceDate', orderId: null, afterPaymentId: null },
      notes: null,
      noted: { metadata: null, hasOwnMetadata: false },
      ...(windowId !== undefined && {
        billed: { periodIdOf: () => -1, windowIdOf: () => windowId },
      }),
    });
    const write = { periods: [], orders: [], pointers: [], ...writeOf(rows) };
    writeBilling(tx, write, { ...time, numbering });
  });
}

const rowsOf = (books: Books, sql: string) =>
  books.read(async (tx) => (await tx.query<{ text: string }>(sql)).map(({ text }) => text));

test('each kind of charge keeps what it refers to', async (t) => {
  const { books, customerId, fee } = await story();
  const line = lineWith({ id: fee.line });
  const days = { from: '2027-01-01', to: '2027-01-31', dueOn: '2027-02-01' };
  const window = { line, periodIndex: 0, ofPeriod: 0, ...days };
  const calls = { window, quantity: '12', amount: '1.20' };
  const usage = { kind: 'usage', ...calls, tierId: 7, isPercent: false, unitPrice: '0.1' } as const;
  const discount = {
    kind: 'discount',
    coupon: { id: 9, code: 'WELCOME', percent: '10' },
    discounts: window,
    periodIndex: 0,
    amount: '-0.12',
  } as const;
  const rate = {
    name: 'VAT',
    percent: '19',
    taxCode: 'STANDARD',
    category: 'AE',
    exemptionReason: 'Reverse charge',
    jurisdiction: 'DE',
  } as const;
  const tax = { kind: 'tax', rate, base: [discount, usage], amount: '0.21' } as const;
  const subTotal = { kind: 'usageSubTotal', ...calls, percent: null, shared: null } as const;
  await books.work(({ tx }) =>
    tx.query(
      `insert into coupon (tenant_id, id, code, version, is_newest, percent, is_once, created_at)
       values ($1, 9, 'WELCOME', 1, true, 10, false, now())`,
      [tx.tenantId],
    ),
  );
  const windowId = await books.work(async ({ tx }) => {
    const [row] = await tx.query<{ id: number }>(
      `insert into usage_window (tenant_id, order_line_id, period_index) values ($1, $2, 0)
       returning id`,
      [tx.tenantId, fee.line],
    );
    return Number(row?.id);
  });
  await write({ books, customerId, windowId, charges: [subTotal, usage, discount, tax] });
  t.deepEqual(
    await rowsOf(
      books,
      `select concat_ws(' ', position, kind, 'window ' || (usage_window_id = ${windowId}), 'line ' || (order_line_id = ${fee.line}), 'charge ' || charge_id,
         'tier ' || pricing_tier_id, 'coupon ' || coupon_id, tax_code, tax_category, tax_reason, tax_jurisdiction,
         base_positions::text,
         case when is_usage_charge_sub_total then 'in no sum' end) as text
       from invoice_charge where charge_date = '${today}' and kind <> 'period' order by position`,
    ),
    [
      '1 usageSubTotal window true line true charge 100 in no sum',
      '2 usage window true line true charge 100 tier 7',
      '3 discount window true line true coupon 9',
      '4 tax STANDARD AE Reverse charge DE {2,3}',
    ],
  );
});

test('a charge carries a credit, until the rollback of its invoice gives it back', async (t) => {
  const { books, customerId, fee } = await story();
  const credits = {
    chargeId: fee.id,
    orderLineId: fee.line,
    priceCode: 'P',
    accountingCode: null,
    discount: null,
    invoiceText: null,
    taxCode: null,
    isTax: false,
  };
  const days = { from: '2027-02-01', to: '2027-02-14' };
  const credit = { kind: 'credit', credits, ...days, amount: '-14.00' } as const;
  const manual = { kind: 'manual', isPercent: false, unitPrice: null, quantity: null } as const;
  const work = { ...manual, priceCode: 'WORK', invoiceText: null, amount: '20.00', taxCodes: [] };
  await write({ books, customerId, charges: [credit, work] });
  const standing = `select amount::float8 || ' from ' || unused_from || ' to ' || unused_to as text
    from charge_credit where voided_at is null and credit_charge_id is not null`;
  t.deepEqual(await rowsOf(books, standing), ['14 from 2027-02-01 to 2027-02-14']);
  // What was credited cannot be cancelled.
  await refused(t, books.cancelInvoice(1001), 'invoice.credited');
  await books.work(({ tx }) =>
    tx.query(`update invoice set status = 'Outstanding', outstanding_balance = 6
      where number_value = 1002`),
  );
  await books.cancelInvoice(1002, { rollbackBillingPeriod: true });
  t.deepEqual(await rowsOf(books, standing), []);
  await books.cancelInvoice(1001);
  t.deepEqual(await rowsOf(books, `select status as text from invoice order by number_value`), [
    'Cancelled',
    'Cancelled',
  ]);
});
