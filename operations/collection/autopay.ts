/** Autopay: creates the payment of each due invoice, once. */
import { type Decimal, add, compare, negate } from '../../domain/money/money.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { waiting } from '../../domain/payments/transitions.ts';
import {
  type PaymentInsert,
  insertPayments,
  newPayment,
} from '../../db/queries/payments/new-payments.ts';
import { amountToPay, paysItself } from '../../db/queries/collection/attempts.ts';
import { invoiceStateColumns } from '../../db/queries/invoices/invoices.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import type { GatewayName } from '../../providers/gateway/gateway.ts';
import { dequeue, enqueue } from '../outbox/enqueue.ts';
import { changeInvoices } from '../allocation/change-invoices.ts';
import { payBySelfAfter, setAsideByProcessing } from '../allocation/set-aside.ts';
import type { OperationContext } from '../context/context.ts';
import {
  type StoredMethod,
  columnsOfStored,
  firstMethods,
} from '../payment-methods/methods-on-file.ts';
import {
  announceDebits,
  type DebitToAnnounce,
  type InvoiceToAnnounce,
  isAnnouncedFirst,
  readAnnounced,
} from './debit-notices.ts';
import type { Payment } from '../../db/entities/payments.ts';
import type { RowOf } from '../../db/entities/rows.ts';

export type AutopayChoice =
  /** Invoices that the order's workflow pays. */
  | { readonly orderId: number }
  | { readonly invoiceId: number }
  /**
   * At most this many of the tenant's invoices, the oldest first. With `before`, invoices of that
   * day or later are left to the workflow of their order, if they have one.
   */
  | { readonly limit: number; readonly before?: IsoDate };

export interface ClaimedPayment {
  readonly cascadeId: number;
  readonly gateway: GatewayName;
}

export interface ClaimedAutopay {
  /** The new payments, each the first of its cascade; they are enqueued. */
  readonly payments: readonly ClaimedPayment[];
  /** More invoices may match the choice. */
  readonly more: boolean;
}

export interface ClaimRow extends RowOf<
  typeof Payment,
  'id' | 'customerId' | 'currency' | 'attempt'
> {
  /** The open amount, limited to the charges of orders with isAutoPay. */
  readonly amount: Decimal;
}

const due = `i.autopay_on <= $1 and ${paysItself('i')}`;

function conditionOf(choice: AutopayChoice): { readonly text: string; readonly value: unknown } {
  if ('orderId' in choice) return { text: 'i.autopay_order_id = $2', value: choice.orderId };
  if ('invoiceId' in choice) return { text: 'i.id = $2', value: choice.invoiceId };
  const text = '(i.autopay_on < $2 or i.autopay_order_id is null)';
  return { text, value: choice.before ?? '9999-12-31' };
}

/**
 * Claims invoices whose autopay day has come: each gets a payment with its customer's first method
 * on file, or is announced and debited later; without a method its autopay ends. Locks the customers.
 */
export async function claimAutopay(
  context: OperationContext,
  choice: AutopayChoice,
): Promise<ClaimedAutopay> {
  const { tx, time } = context;
  const { text, value } = conditionOf(choice);
  const limit = 'limit' in choice ? choice.limit : 1_000;
  const candidates = await tx.query<{ id: number; customerId: number }>(
    `select i.id, i.customer_id from invoice i where ${due} and ${text}
     order by i.autopay_on, i.id limit ${Math.trunc(limit)}`,
    [time.today, value],
  );
  if (candidates.length === 0) return { payments: [], more: false };
  const customerIds = [...new Set(candidates.map((each) => each.customerId))];
  await tx.query(
    'select id from customer where id = any($1) order by id for no key update',
    [customerIds],
    'lock-payers',
  );
  // The order's workflow claims, and reads its rows again afterwards.
  if ('orderId' in choice) dequeue(context, { kind: 'order', objectId: choice.orderId });
  const [plain, methods] = await Promise.all([
    claimableRows(context, candidates, notProcessing),
    firstMethods(tx, customerIds),
  ]);
  const left = candidates.filter(({ id }) => !plain.some((claim) => claim.id === id));
  const beside = left.length === 0 ? [] : await claimBesideProcessing(context, left);
  const { claims, toAnnounce } = await sortClaims(context, [...plain, ...beside], methods);
  await announceDebits(context, toAnnounce);
  changeInvoices(
    context,
    claims.map(({ claim }) => claim),
    () => ({ happened: 'claimed', today: time.today }),
  );
  const payable = claims.flatMap(({ claim, method }) =>
    compare(claim.amount, '0') > 0 && method !== undefined ? { claim, method } : [],
  );
  const ids = await takeIds(tx, payable.length);
  const payments: ClaimedPayment[] = [];
  const rows = payable.flatMap(({ claim, method }, index) => {
    const id = ids[index];
    if (id === undefined) return [];
    payments.push({ cascadeId: id, gateway: method.gateway });
    return [autopayRow(claim, method, { id, today: time.today })];
  });
  if (rows.length > 0) {
    insertPayments(tx, rows, time.now);
    enqueue(
      context,
      rows.map(({ id: objectId }) => ({ kind: 'payment', objectId })),
    );
  }
  return { payments, more: candidates.length === limit };
}

interface SortedClaims {
  readonly claims: readonly {
    readonly claim: ClaimableRow;
    readonly method: StoredMethod | undefined;
  }[];
  readonly toAnnounce: readonly DebitToAnnounce[];
}

/**
 * What was announced is debited by the account that was named, while it is on file, at most the amount
 * announced; a SEPA debit that was not is announced first.
 */
async function sortClaims(
  context: OperationContext,
  rows: readonly ClaimableRow[],
  methods: Awaited<ReturnType<typeof firstMethods>>,
): Promise<SortedClaims> {
  const withSepa = rows.filter(({ customerId }) => methods.get(customerId)?.hasSepa === true);
  const announced = await readAnnounced(context.tx, withSepa);
  const claims: SortedClaims['claims'][number][] = [];
  const toAnnounce: DebitToAnnounce[] = [];
  for (const row of rows) {
    const debit = announced.get(row.id);
    const method = debit?.method ?? methods.get(row.customerId);
    const needsNotice = debit === undefined && compare(row.amount, '0') > 0;
    if (needsNotice && method !== undefined && isAnnouncedFirst(method)) {
      toAnnounce.push({ invoice: row, method });
      continue;
    }
    const isLimited = debit !== undefined && compare(debit.amount, row.amount) < 0;
    claims.push({ claim: isLimited ? { ...row, amount: debit.amount } : row, method });
  }
  return { claims, toAnnounce };
}

/** Nothing of the customer's is being processed, which would pay some of its invoices. */
const notProcessing = `and not exists (select from payment p where p.tenant_id = i.tenant_id
  and p.customer_id = i.customer_id and p.phase = 'Processing')`;

interface Candidate {
  readonly id: number;
  readonly customerId: number;
}

/**
 * A payment in processing sets invoices aside: one that it would pay in full waits until it is
 * final, and of others the rest is claimed.
 */
async function claimBesideProcessing(
  context: OperationContext,
  candidates: readonly Candidate[],
): Promise<ClaimableRow[]> {
  const { tx } = context;
  const customerIds = [...new Set(candidates.map((each) => each.customerId))];
  const setAside = await setAsideByProcessing(tx, customerIds);
  const isWhole = ({ id }: Candidate): boolean => {
    const aside = setAside.get(id);
    return aside !== undefined && compare(aside.amount, aside.open) >= 0;
  };
  await payBySelfAfter(
    context,
    candidates.filter(isWhole).flatMap(({ id: invoiceId }) => {
      const cascadeId = setAside.get(invoiceId)?.cascadeId;
      return cascadeId === undefined ? [] : [{ invoiceId, cascadeId }];
    }),
  );
  const others = candidates.filter((each) => !isWhole(each));
  const claimed = others.length === 0 ? [] : await claimableRows(context, others);
  return claimed.map((claim) => {
    const aside = setAside.get(claim.id);
    if (!aside) return claim;
    const left = add(aside.open, negate(aside.amount));
    return { ...claim, amount: compare(left, claim.amount) < 0 ? left : claim.amount };
  });
}

/** The number of the next payment that autopay makes for an invoice. */
export const nextAttempt = (invoice: string): string => `1 + coalesce((
  select max(p.attempt) from payment p
  where p.tenant_id = ${invoice}.tenant_id and p.autopay_invoice_id = ${invoice}.id), 0)`;

/** Reads the invoices that are still unclaimed. An order's present isAutoPay counts. */
function claimableRows(
  context: OperationContext,
  candidates: readonly { readonly id: number }[],
  more = '',
): Promise<ClaimableRow[]> {
  const { today } = context.time;
  return context.tx.query<ClaimableRow & Record<string, unknown>>(
    `select i.id, i.customer_id, i.currency, i.autopay_order_id as order_id,
            ${invoiceStateColumns('i')},
            ${amountToPay('i')} as amount, ${nextAttempt('i')} as attempt
     from invoice i
     where ${due} and i.id = any($2) and i.status = 'Outstanding' ${more} order by i.id`,
    [today, candidates.map((each) => each.id)],
    more === '' ? 'claim-autopay-beside' : 'claim-autopay',
  );
}

type ClaimableRow = ClaimRow & InvoiceToAnnounce;

/** The first payment of a cascade that pays an invoice. */
export function autopayRow(
  claim: ClaimRow,
  method: StoredMethod,
  { id, today }: { readonly id: number; readonly today: IsoDate },
): PaymentInsert {
  return newPayment(waiting('Payment', { amount: claim.amount, surcharge: '0' }), {
    ...columnsOfStored(method),
    id,
    attempt: claim.attempt,
    customerId: claim.customerId,
    isCascading: true,
    currency: claim.currency,
    effectiveDate: today,
    namedInvoiceIds: [claim.id],
    autopayInvoiceId: claim.id,
    isSystemPayment: true,
    isProcessedByBillingRun: true,
  });
}
