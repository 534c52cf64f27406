/** A tenant's books with payments through a scripted gateway, read as text. */
import type { AutopayPreference, StorableMethodType } from '../../../domain/payments/allocation.ts';
import { takeIds } from '../../../db/queries/billing/write.ts';
import { fileMethod, keepMethod } from '../../../operations/payment-methods/methods.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import type { ManualInvoiceInput } from '../../../domain/invoices/by-hand.ts';
import { lockCustomer } from '../../../operations/context/locks.ts';
import { claimAutopay, type AutopayChoice } from '../../../operations/collection/autopay.ts';
import { cancelPayment } from '../../../operations/payments/cancel.ts';
import { checkPayment } from '../../../operations/payments/check.ts';
import { createPayment } from '../../../operations/payments/create.ts';
import type { MethodChoice } from '../../../operations/payment-methods/choice.ts';
import type { PaymentInput } from '../../../operations/payments/input.ts';
import { advancePayment } from '../../../operations/gateway-calls/process.ts';
import {
  cancelEnded,
  endWaitingPayment,
} from '../../../operations/gateway-calls/cancel-waiting.ts';
import { confirmWaiting, lookAtWaiting } from '../../../operations/gateway-calls/waiting.ts';
import { resolvePayment } from '../../../operations/gateway-calls/resolve.ts';
import { settleDue } from '../../../operations/gateway-calls/settle-due.ts';
import { tenantTimeOf, tenantInfo } from '../../../operations/context/context.ts';
import type { GatewayName } from '../../../providers/gateway/gateway.ts';
import type { PaymentProgress } from '../../../workflows/contract/contract.ts';
import { scriptedGateway } from '../../support/scripted-gateway.ts';
import { openBooks, type BooksOptions, type SharedDatabase } from './books.ts';

/** The fields of a payment that a test sets; the others have defaults. */
export interface PaymentSent extends Partial<Omit<PaymentInput, 'customer'>> {
  readonly customerId: number;
  readonly amount: string;
}

/** Nobody listens. */
const hooks = { onStep: () => {}, dispatch: () => {} };

export const cash: MethodChoice = { by: 'Cash', notes: null };
export const check: MethodChoice = {
  by: 'Check',
  checkNumber: '100042',
  institutionName: 'First Bank',
  checkDate: null,
  notes: null,
};

/** A card that ends in 1111 by default; the gateway's script depends on the token. */
export function card(
  token: string,
  saveAs: AutopayPreference | null = null,
  lastFour = '1111',
): MethodChoice {
  const method = { token, brand: 'Visa', lastFour, expiry: '2029-12-31' };
  return { by: 'vaulted', type: 'CreditCard', gateway: 'sandbox', method, saveAs };
}

export const onFile = (preference: AutopayPreference): MethodChoice => ({
  by: 'preference',
  preference,
});

export interface FiledMethod {
  readonly token: string;
  readonly type?: StorableMethodType;
  readonly brand?: string | null;
  readonly lastFour?: string;
  readonly gateway?: GatewayName;
  /** A SEPA debit of a German account. */
  readonly isSepa?: boolean;
}

const sepa = { debit: 'sepa', country: 'DE', mandate: 'SBX4711' } as const;

/** The withdrawal of one charge. */
export const amounting = (
  amount: string,
  more: Partial<ManualInvoiceInput> = {},
): ManualInvoiceInput => ({
  invoiceLineItems: [{ invoiceLineItemCharges: [{ amount }] }],
  ...more,
});

export type PaymentBooks = Awaited<ReturnType<typeof openPaymentBooks>>;

export async function openPaymentBooks(db: SharedDatabase, options: BooksOptions) {
  let requests = 0;
  const books = await openBooks(db, options);
  const { dependencies, tenantId, work, read } = books;
  const gateway = scriptedGateway(db.app, tenantId);

  const inputOf = ({ customerId, ...sent }: PaymentSent): PaymentInput => ({
    type: 'Payment',
    root: 'processPayment',
    customer: { id: customerId },
    totalSurcharge: null,
    currencyCode: null,
    generateInvoice: false,
    effectiveDate: null,
    invoiceText: null,
    purchaseDescription: null,
    internalNotes: null,
    invoiceIds: [],
    method: cash,
    ...sent,
  });
  const create = (sent: PaymentSent): Promise<number> =>
    work((its) => createPayment(dependencies, its, inputOf(sent), { userId: null }));
  const check = async (sent: PaymentSent): Promise<void> => {
    const tenant = await tenantInfo(dependencies, tenantId);
    await read(async (tx) =>
      checkPayment(tx, await tenantTimeOf(dependencies, tenant, tx, 'none'), inputOf(sent)),
    );
  };
  /** As the API does it: refusals come before anything is written. */
  const pay = async (sent: PaymentSent): Promise<number> => {
    await check(sent);
    return create(sent);
  };
  const carry = (cascadeId: number, asked = 0): Promise<PaymentProgress> => {
    return advancePayment(dependencies, gateway.gateways, tenantId, { cascadeId, asked }, hooks);
  };
  /** As their workflows do: until each is final, or waits for something outside. */
  const settle = async (): Promise<void> => {
    for (let isMoving = true; isMoving;) {
      isMoving = false;
      for (const cascadeId of await read(pendingCascades)) {
        const { done, status } = await carry(cascadeId);
        // What waits for its payer is left alone.
        isMoving ||= done || status === 'ActionRequired';
      }
    }
  };

  return {
    ...books,
    gateway,
    inputOf,
    /** The cascades that are not final. */
    pending: () => read(pendingCascades),
    create,
    check,
    pay,
    carry,
    settle,
    paid: async (sent: PaymentSent): Promise<number> => {
      const id = await pay(sent);
      await settle();
      return id;
    },
    credit: (sent: PaymentSent) => pay({ type: 'Credit', method: null, ...sent }),
    refund: (sent: PaymentSent) => pay({ type: 'Refund', method: null, ...sent }),
    refunded: async (sent: PaymentSent): Promise<number> => {
      const id = await pay({ type: 'Refund', method: null, ...sent });
      await settle();
      return id;
    },
    unpay: (id: number) => work((its) => cancelPayment(its, id)),
    /** DELETE of a payment that waits for its payer. */
    giveUp: async (id: number): Promise<void> => {
      const ended = await endWaitingPayment(dependencies, gateway.gateways, tenantId, id);
      await work((its) => (ended === undefined ? cancelPayment(its, id) : cancelEnded(its, ended)));
    },
    /** The payer is on the page of the payment, which shows this amount. */
    confirm: (paymentId: number, shownAmount: string) =>
      confirmWaiting(dependencies, { gateways: gateway.gateways, dispatch: () => {} }, tenantId, {
        paymentId,
        shownAmount,
        returnUrl: 'http://demo.localhost/action/x',
      }),
    /** He comes back there. */
    comeBack: (paymentId: number) =>
      lookAtWaiting(
        dependencies,
        { gateways: gateway.gateways, dispatch: () => {} },
        tenantId,
        paymentId,
      ),
    /** Of those that wait for their payer. */
    waiting: () => read(readWaiting),
    resolve: (
      cascadeId: number,
      outcome: 'approved' | 'declined',
      transactionId?: string,
      requestId = `request ${(requests += 1)}`,
    ) => {
      const reason = 'the bank says so';
      const resolution = { cascadeId, outcome, reason, transactionId, requestId };
      return resolvePayment(dependencies, gateway.gateways, tenantId, resolution, hooks);
    },
    /** The first part of a day's run: asks the gateways what is due to be asked. */
    askGateways: () => {
      const options = { today: books.today(), dispatch: () => {}, mayContinue: () => true };
      return settleDue(dependencies, gateway.gateways, tenantId, options);
    },
    claim: (choice: AutopayChoice = { limit: 100 }) => work((its) => claimAutopay(its, choice)),
    autopaid: async (): Promise<void> => {
      await work((its) => claimAutopay(its, { limit: 100 }));
      await settle();
    },
    file: (customerId: number, preference: AutopayPreference, method: FiledMethod) =>
      work(async (its) => {
        await lockCustomer(its.tx, { id: customerId });
        const [methodId = 0] = await takeIds(its.tx, 1);
        const { token, type = 'CreditCard', brand = 'Visa', lastFour = '1111' } = method;
        const isSepa = method.isSepa === true;
        const card = { token, brand, lastFour, expiry: null };
        const filed = isSepa ? { ...card, brand: null, ...sepa } : card;
        const kind = isSepa ? 'Token' : type;
        const inVault = {
          type: kind,
          gateway: method.gateway ?? 'sandbox',
          method: filed,
        } as const;
        keepMethod(its, { methodId, customerId }, inVault);
        await fileMethod(its, { customerId, methodId, preference });
        return methodId;
      }),
    /** Returns the invoice's id. */
    bill: (customerId: number, amount: string, more: Partial<ManualInvoiceInput> = {}) =>
      books.manualInvoice(customerId, amounting(amount, more)),
    payments: () => read(readPayments),
    applications: () => read(readApplications),
    open: () => read(readOpen),
    ledger: () => read(readLedger),
    balances: () => read(readBalances),
    totals: (number: number) => read((tx) => readTotals(tx, number)),
    filed: (customerId: number) => read((tx) => readFiled(tx, customerId)),
    faults: async () => (await books.audit()).faults,
  };
}

async function pendingCascades(tx: Tx): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select distinct cascade_id as id from payment where status = 'Pending' order by 1`,
  );
  return rows.map((row) => row.id);
}

/** `81.61 until 2027-01-18`, or `present` of one whose payer is there. */
function readWaiting(tx: Tx): Promise<string[]> {
  return texts(
    tx,
    `select round(amount, 2) || ' ' || coalesce('until ' || gateway_news_on, 'present') as text
     from payment where status = 'ActionRequired' order by id`,
  );
}

async function texts(tx: Tx, sql: string, values: readonly unknown[] = []): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(sql, values);
  return rows.map((row) => row.text);
}

/** Payments are named by their rank: #1 is the tenant's first. */
const ranked = `with ranked as (select *, '#' || row_number() over (order by id) as name
  from payment)`;

/** `#1 Payment Paid 300.00 Cash`, with the unapplied and refunded amounts if there are any. */
const readPayments = (tx: Tx) =>
  texts(
    tx,
    `${ranked} select concat(name, ' ', payment_type, ' ', status, ' ' || phase, ' ',
       round(amount, 2), ' ' || payment_method_type, ' by ' || autopay_preference,
       case when balance <> 0 then ' left ' || round(balance, 2) end,
       case when refunded <> 0 then ' back ' || round(refunded, 2) end) as text
     from ranked order by id`,
  );

/** `#1 to 1001: 100.00 leaving 200.00`. */
const readApplications = (tx: Tx) =>
  texts(
    tx,
    `${ranked} select p.name || ' to ' || coalesce(i.invoice_number, d.name) || ': '
       || round(a.amount_applied, 2) || ' leaving ' || round(a.balance_remaining, 2) as text
     from invoice_payment a join ranked p on p.id = a.payment_id
     left join invoice i on i.id = a.invoice_id left join ranked d on d.id = a.debit_id
     order by a.id`,
  );

/** `1001 Outstanding 100.00 of 300.00`. */
const readOpen = (tx: Tx) =>
  texts(
    tx,
    `select invoice_number || ' ' || status || ' ' || round(outstanding_balance, 2) || ' of '
       || round(current_amount_due, 2) as text from invoice order by invoice_number, id`,
  );

/** `payment #1 -300.00`, without the invoices' own. */
const readLedger = (tx: Tx) =>
  texts(
    tx,
    `${ranked} select l.kind || ' ' || p.name || ' ' || round(l.amount, 2) as text
     from ledger_entry l join ranked p on p.id = l.payment_id order by l.id`,
  );

/** `120.00 USD`: the debt less unapplied money. */
const readBalances = (tx: Tx) =>
  texts(
    tx,
    `select round(balance, 2) || ' ' || currency as text from customer_balance
     where balance <> 0 order by customer_id, currency`,
  );

async function readTotals(tx: Tx, invoiceNumber: number): Promise<string> {
  const [text] = await texts(
    tx,
    `select round(previous_balance, 2) || ' ' || round(payments_and_adjustments, 2) || ' '
       || round(current_amount_due, 2) || ' = ' || round(total_due, 2) as text
     from invoice where number_value = $1`,
    [invoiceNumber],
  );
  return text ?? 'none';
}

/** `1 tok_a, 2 tok_b`. */
async function readFiled(tx: Tx, customerId: number): Promise<string> {
  const methods = await texts(
    tx,
    `select autopay_preference || ' ' || token as text from payment_method
     where customer_id = $1 and autopay_preference is not null order by 1`,
    [customerId],
  );
  return methods.join(', ');
}

/** Two cards, tok_1 and tok_2, and the account tok_3, in the order of the cascade. */
export async function fileThree(books: PaymentBooks, customerId: number): Promise<void> {
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await books.file(customerId, 3, { token: 'tok_3', type: 'ACH', brand: null, lastFour: '3333' });
}
