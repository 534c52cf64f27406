/** Creates payments, credits and refunds; those without a gateway are final at once. */
import { negate, sum } from '../../domain/money/money.ts';
import { methodContext, type ShownMethod } from '../../domain/payments/allocation.ts';
import { paymentAfter } from '../../domain/payments/state.ts';
import { credited, waiting } from '../../domain/payments/transitions.ts';
import {
  insertPayments,
  newPayment,
  noMethod,
  type PaymentInsert,
  type PaymentMethodColumns,
} from '../../db/queries/payments/new-payments.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { generateInvoices } from '../billing/generate.ts';
import { lockCustomer, type LockedCustomer } from '../context/locks.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { Dependencies, OperationContext } from '../context/context.ts';
import {
  assertFits,
  checkInput,
  checkInvoices,
  namedMethod,
  type CheckedPayment,
} from './check.ts';
import type { MethodChoice } from '../payment-methods/choice.ts';
import type { Payer, PaymentInput } from './input.ts';
import { keepMethod } from '../payment-methods/methods.ts';
import { columnsOfStored, type StoredMethod } from '../payment-methods/methods-on-file.ts';
import { carryOut } from '../collection/carry-out.ts';
import { recordCredit } from './record.ts';
import { assertNotable } from '../refunds/make-note.ts';
import { logMade, refundAtOnce, reserveTakes } from '../refunds/refund.ts';
import { gatewayOf, planRefund, refundSource } from '../refunds/refund-source.ts';

/**
 * Returns the payment's id. Throws customer.unknown, or an error that names the element, and then
 * stores nothing.
 */
export async function createPayment(
  dependencies: Dependencies,
  context: OperationContext,
  input: PaymentInput,
  payer: Payer,
): Promise<number> {
  const customer = await lockCustomer(context.tx, input.customer);
  const checked = checkInput(input, customer, context.time);
  await checkInvoices(context.tx, input, checked, customer.id);
  if (input.type === 'Refund') return createRefund(context, input, checked, { customer, payer });
  const method = await methodFor(context, input, customer);
  const [[id = 0, methodId = 0]] = await Promise.all([
    takeIds(context.tx, 2),
    assertFits(context.tx, input, checked, customer.id),
  ]);
  const isCharged = input.type === 'Payment';
  if (method?.by === 'vaulted' && isCharged) {
    keepMethod(context, { methodId, customerId: customer.id }, method);
  }
  const named = await invoicesToPay(dependencies, context, input, {
    customer,
    checked,
    paymentId: id,
  });
  const { surcharge } = checked;
  const amount = sum([checked.amount, surcharge]);
  const { state, unapplied: balance } = isCharged
    ? { state: waiting('Payment', { amount, surcharge }), unapplied: '0' }
    : credited(amount);
  const row = newPayment(state, {
    ...sharedColumns(context, input, { customer, checked, payer }),
    returnSealed: payer.returnSealed?.(id) ?? null,
    ...(isCharged ? methodColumns(method, methodId) : shownColumns(method)),
    id,
    balance,
    namedInvoiceIds: named,
  });
  insertPayments(context.tx, [row], context.time.now);
  if (row.gateway !== null) {
    enqueue(context, [{ kind: 'payment', objectId: id }]);
    return id;
  }
  if (isCharged) await recordReceived(context, row);
  else await recordCredit(context, row);
  logMade(context, row);
  return id;
}

function recordReceived(context: OperationContext, row: PaymentInsert): Promise<void> {
  const { today } = context.time;
  const transition = paymentAfter(row, { happened: 'received', charged: null, today });
  return carryOut(context, { payments: [{ payment: row, transition }] });
}

interface Parties {
  readonly customer: LockedCustomer;
  readonly payer: Payer;
}

async function createRefund(
  context: OperationContext,
  input: PaymentInput,
  checked: CheckedPayment,
  { customer, payer }: Parties,
): Promise<number> {
  const owner = { customerId: customer.id, currency: checked.currency };
  const source = await refundSource(context.tx, customer.id, input);
  const plan = await planRefund(context.tx, owner, { amount: checked.amount, source, input });
  const { invoiceIds, creditNote: withNote = false, root } = input;
  if (withNote) await assertNotable(context.tx, { ...plan, invoiceIds, root });
  const gateway = gatewayOf(plan.shares);
  const [[id = 0]] = await Promise.all([
    takeIds(context.tx, 1),
    assertFits(context.tx, input, checked, customer.id),
  ]);
  const amount = negate(checked.amount);
  const row = newPayment(waiting('Refund', { amount, surcharge: '0' }), {
    ...sharedColumns(context, input, { customer, checked, payer }),
    ...source,
    id,
    gateway,
    namedInvoiceIds: invoiceIds,
  });
  insertPayments(context.tx, [row], context.time.now);
  if (invoiceIds.length > 0) await reserveTakes(context, id, { ...plan, withNote });
  if (gateway === null) {
    await refundAtOnce(context, row);
    return id;
  }
  enqueue(context, [{ kind: 'payment', objectId: id }]);
  return id;
}

/** By preference: the first method on file from this preference upwards, or the only one meant. */
async function methodFor(
  { tx }: OperationContext,
  input: PaymentInput,
  customer: LockedCustomer,
): Promise<MethodForPayment | null> {
  const { method } = input;
  if (method?.by !== 'preference') return method;
  const stored = await namedMethod(tx, customer.id, input, method);
  return { by: 'stored', stored, isCascading: method.onlyMethodId === undefined };
}

type MethodForPayment =
  | Exclude<MethodChoice, { readonly by: 'preference' }>
  | { readonly by: 'stored'; readonly stored: StoredMethod; readonly isCascading: boolean };

interface PayBasis {
  readonly customer: LockedCustomer;
  readonly checked: CheckedPayment;
  readonly paymentId: number;
}

/** The named invoices, then those that generateInvoice made. */
async function invoicesToPay(
  dependencies: Dependencies,
  context: OperationContext,
  input: PaymentInput,
  { customer, checked, paymentId }: PayBasis,
): Promise<number[]> {
  if (!input.generateInvoice) return [...input.invoiceIds];
  const made = await generateInvoices(dependencies, context, customer.id, {
    forPaymentId: paymentId,
  });
  const payable = made.filter(({ currency }) => currency === checked.currency);
  return [...input.invoiceIds, ...payable.map((invoice) => invoice.id)];
}

function sharedColumns(
  context: OperationContext,
  input: PaymentInput,
  { customer, checked, payer }: Parties & { readonly checked: CheckedPayment },
) {
  const ownNotes = input.method !== null && 'notes' in input.method ? input.method.notes : null;
  return {
    customerId: customer.id,
    currency: checked.currency,
    effectiveDate: input.effectiveDate ?? context.time.today,
    baseUserId: payer.userId,
    notes: input.internalNotes ?? ownNotes,
    invoiceText: input.invoiceText,
    purchaseDescription: input.purchaseDescription,
  } as const;
}

type MethodColumns = PaymentMethodColumns &
  Partial<Pick<PaymentInsert, 'isCascading' | 'saveAsPreference'>>;

function methodColumns(method: MethodForPayment | null, methodId: number): MethodColumns {
  switch (method?.by) {
    case undefined:
      return noMethod;
    case 'Cash':
      return { ...noMethod, ...shown({ type: 'Cash', brand: null, lastFour: null }) };
    case 'Check':
      return {
        ...noMethod,
        ...shown({ type: 'Check', brand: null, lastFour: lastFourOf(method.checkNumber) }),
      };
    case 'vaulted': {
      const { type, gateway, saveAs: saveAsPreference } = method;
      const context = shown({ ...method.method, type });
      return { ...noMethod, ...context, paymentMethodId: methodId, saveAsPreference, gateway };
    }
    case 'stored':
      return { ...noMethod, ...columnsOfStored(method.stored), isCascading: method.isCascading };
  }
}

/** A credit shows its method, but uses no gateway. */
function shownColumns(method: MethodForPayment | null): MethodColumns {
  const { paymentMethodType, paymentMethodContext } = methodColumns(method, 0);
  return { ...noMethod, paymentMethodType, paymentMethodContext };
}

function shown(method: ShownMethod) {
  return { paymentMethodType: method.type, paymentMethodContext: methodContext(method) };
}

function lastFourOf(number: string | null): string | null {
  return number === null ? null : number.slice(-4);
}
