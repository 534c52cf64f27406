/** What follows from transitions of invoices, each consequence for many invoices at once. */
import assert from 'node:assert';
import type { InvoiceState, InvoiceTransition } from '../../domain/invoices/happened.ts';
import { endRetriesOfClosed } from '../../db/queries/collection/attempts.ts';
import { numberCancellations } from '../../db/queries/invoices/cancellations.ts';
import { voidTaxRecord } from '../../db/queries/tax-records/records.ts';
import { reviewDebts } from '../ageing/dunning.ts';
import { leaveCredits } from '../allocation/allocate.ts';
import { creditCommissions, settleCommissions } from '../commissions/settle.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { idPrefixOf } from '../outbox/enqueue.ts';
import { payOnTheirDays } from './made-invoices.ts';

/** An invoice, and what became of it. */
export interface CarriedInvoice {
  readonly invoice: Partial<InvoiceState> & {
    readonly id: number;
    readonly customerId: number;
    /** Of one that leaves a credit. */
    readonly currency?: string;
    readonly creditNoteOf?: number | null;
    /** The order whose workflow pays it. */
    readonly orderId?: number | null;
    /** False if nobody earns anything of it. */
    readonly hasAgents?: boolean;
  };
  readonly transition: InvoiceTransition;
}

export interface CarriedInvoices {
  readonly invoices: readonly CarriedInvoice[];
  /** Further customers whose debts may have changed. */
  readonly customerIds?: readonly number[];
  /** They are being imported. */
  readonly isMovedIn?: boolean;
  /** The charges that were credited. */
  readonly chargeIds?: readonly number[];
  /** Their events are raised already: before the invoices, whose numbers are locked last. */
  readonly isRaised?: boolean;
  /** What else comes with it, before the debts are looked at. */
  readonly beforeDebts?: () => Promise<void>;
}

export type InvoiceConsequence = Exclude<keyof InvoiceTransition, 'state' | 'shows'>;

/** In the order in which they are carried out; a test holds each of them. */
export const invoiceConsequences: readonly InvoiceConsequence[] = [
  'raises',
  'endsRetries',
  'commissions',
  'voidsTaxRecord',
  'credit',
  'allocates',
  'paysItself',
  'debts',
  // It locks the counter of a series.
  'isNumbered',
];

const nobody: readonly number[] = [];

/** Carries one consequence out; returns the customers whose money is to be allocated. */
export async function carryOutForInvoices(
  context: OperationContext,
  carried: CarriedInvoices,
  consequence: InvoiceConsequence,
): Promise<readonly number[]> {
  const { tx, time, tenant } = context;
  const { invoices } = carried;
  const those = (has: (transition: InvoiceTransition) => boolean): readonly CarriedInvoice[] =>
    invoices.filter(({ transition }) => has(transition));
  switch (consequence) {
    case 'raises':
      if (carried.isRaised !== true) raiseOf(context, invoices);
      return nobody;
    case 'endsRetries': {
      const closed = those(({ endsRetries }) => endsRetries);
      const [invoiceIds, customerIds] = [idsOf(closed), customersOf(closed)];
      const idPrefix = idPrefixOf(tenant, 'payment');
      endRetriesOfClosed(tx, { invoiceIds, customerIds, idPrefix }, time);
      return nobody;
    }
    case 'commissions': {
      const settled = those(({ commissions }) => commissions === 'settled');
      const isCredited = those(({ commissions }) => commissions === 'credited').length > 0;
      await settleCommissions(
        context,
        idsOf(settled.filter(({ invoice }) => invoice.hasAgents !== false)),
      );
      if (isCredited) await creditCommissions(context, carried.chargeIds ?? []);
      return nobody;
    }
    case 'voidsTaxRecord':
      for (const id of idsOf(those(({ voidsTaxRecord: voids }) => voids))) voidTaxRecord(tx, id);
      return nobody;
    case 'credit': {
      const leaving = invoices.flatMap(creditOf);
      if (leaving.length > 0) leaveCredits(context, leaving);
      return nobody;
    }
    case 'allocates':
      return customersOf(those(({ allocates }) => allocates));
    case 'paysItself':
      await payOnTheirDays(
        context,
        those(({ paysItself }) => paysItself),
      );
      return nobody;
    case 'debts': {
      await carried.beforeDebts?.();
      const { customerIds = [], isMovedIn = false } = carried;
      const movedIn = customersOf(those(({ debts }) => debts === 'movedIn'));
      const changed = customersOf(those(({ debts }) => debts === 'changed'));
      const [later, now] = isMovedIn
        ? [[...movedIn, ...customerIds], changed]
        : [movedIn, [...changed, ...customerIds]];
      await reviewDebts(context, [...new Set(now)]);
      await reviewDebts(context, [...new Set(later)], { isMovedIn: true });
      return nobody;
    }
    case 'isNumbered':
      if (tenant.settings.numbersCancellations) {
        const { numbering } = tenant;
        const ids = idsOf(those(({ isNumbered }) => isNumbered));
        numberCancellations(tx, ids, { today: time.today, numbering });
      }
      return nobody;
  }
}

const idsOf = (those: readonly CarriedInvoice[]): number[] =>
  those.map(({ invoice }) => invoice.id);

const customersOf = (those: readonly CarriedInvoice[]): readonly number[] => [
  ...new Set(those.map(({ invoice }) => invoice.customerId)),
];

function raiseOf(context: OperationContext, invoices: readonly CarriedInvoice[]): void {
  raise(
    context,
    invoices.flatMap(({ invoice: { id: objectId, customerId }, transition }) =>
      transition.raises.map((type) => ({ type, customerId, objectId })),
    ),
  );
}

function creditOf({ invoice, transition: { credit } }: CarriedInvoice) {
  if (credit === null) return [];
  const { id, customerId, currency, creditNoteOf = null } = invoice;
  assert(currency !== undefined, 'the currency of an invoice that leaves a credit is known');
  return [{ id, customerId, currency, credit, creditNoteOf }];
}
