/**
 * The steps of a payment at which the worker is killed: how each is reached, and how it must end.
 */
import type { Received } from '../../api/support.ts';
import type { Gate } from './gates.ts';
import type { Story, Till } from './till.ts';

export interface Scene {
  readonly step: string;
  /** The gates that are closed; null if the sandbox itself is slow. */
  readonly gate: ((customerId: number) => Gate) | null;
  /** Closed until all of its payments are in the books: `record` is reached with the customer locked. */
  readonly gathersAt?: (customerId: number) => Gate;
  /** Called before any gate is closed. */
  readonly before?: (till: Till, customerId: number) => Promise<unknown>;
  /** For a customer with an open invoice of 10.00. */
  readonly act: (till: Till, customerId: number) => readonly Promise<Received>[];
  /** The moment at which the worker dies. */
  readonly middle: Pick<Story, 'books' | 'log'>;
  readonly end: Story;
  /** How it ends as well: who goes on first after the kill is chance. */
  readonly orEnd?: Story;
}

const DECLINED = '4000000000000341';
/** Asks for its payer whenever it is charged. */
export const ASKING = '4000002760003184';
/** The method that is charged. */
export const APPROVED = '5555555555554444';

export const paidOnce: Story = {
  books: ['Payment Paid 10.00'],
  log: ['charge Approved 10.00'],
  sums: 'owes 0.00 applied 10.00 left 0.00',
};

const pays =
  (holder = 'Ada'): Scene['act'] =>
  (till, id) => [till.pay(id, { holder })];

const waiting = { books: ['Payment Pending Waiting 10.00'], log: [] };
const charging = { books: ['Payment Pending Charging 10.00'], log: [] };
const charged = { ...charging, log: ['charge Approved 10.00'] };

/** It waits for its payer, and nothing is charged. */
export const asked: Story = {
  books: ['Payment ActionRequired 10.00'],
  log: ['charge Asks 10.00'],
  sums: 'owes 10.00 applied 0.00 left 0.00',
};

const paysByAsking: Scene['act'] = (till, id) => [till.payInvoice(id, ASKING)];

export const scenes: readonly Scene[] = [
  {
    step: 'before the reservation',
    gate: (id) => `reserve/${id}/1`,
    act: pays(),
    middle: waiting,
    end: paidOnce,
  },
  {
    step: 'before the call',
    gate: (id) => `call/${id}/1`,
    act: pays(),
    middle: charging,
    end: paidOnce,
  },
  {
    step: 'in the call',
    gate: null,
    act: pays('SLOW CHARGE 60'),
    middle: { ...charging, log: ['charge Processing 10.00'] },
    end: paidOnce,
  },
  {
    step: 'after the charge, before its answer',
    gate: null,
    act: pays('SLOW ANSWER 60'),
    middle: charged,
    end: paidOnce,
  },
  {
    step: 'before the record',
    gate: (id) => `record/${id}/1`,
    act: pays(),
    middle: charged,
    end: paidOnce,
  },
  {
    step: 'between the decline and the charge of the next method',
    gate: (id) => `call/${id}/2`,
    before: (till, id) => till.onFile(id, DECLINED, APPROVED),
    act: (till, id) => [till.payByFile(id)],
    middle: {
      books: ['Payment Declined 10.00', 'Payment Pending Charging 10.00'],
      log: ['charge Declined 10.00'],
    },
    end: {
      books: ['Payment Declined 10.00', 'Payment Paid 10.00'],
      log: ['charge Declined 10.00', 'charge Approved 10.00'],
      sums: 'owes 0.00 applied 10.00 left 0.00',
    },
  },
  {
    // 10.00 and 5.00 were paid: unapplied money is refunded first, and a charge of the same day is
    // voided.
    step: 'between the two calls of a refund',
    gate: (id) => `call/${id}/2`,
    async before(till, id) {
      for (const value of ['10.00', '5.00']) await till.pay(id, { value });
    },
    act: (till, id) => [till.refund(id, '12.00')],
    middle: {
      books: ['Payment Paid 10.00', 'Payment Paid 5.00', 'Refund Pending Charging -12.00'],
      log: ['charge Approved 10.00', 'charge Approved 5.00', 'void Approved 5.00'],
    },
    end: {
      books: ['Payment Paid 10.00', 'Payment Voided 5.00', 'Refund Paid -12.00'],
      log: [
        'charge Approved 10.00',
        'charge Approved 5.00',
        'void Approved 5.00',
        'refund Approved 7.00',
      ],
      sums: 'owes 7.00 applied 3.00 left 0.00',
    },
  },
  {
    step: 'in the first of two payments at once',
    gathersAt: (id) => `call/${id}/1`,
    gate: (id) => `record/${id}/1`,
    act: (till, id) => [till.pay(id), till.pay(id)],
    middle: {
      books: ['Payment Pending Charging 10.00', 'Payment Pending Waiting 10.00'],
      log: ['charge Approved 10.00'],
    },
    end: {
      books: ['Payment Paid 10.00', 'Payment Paid 10.00'],
      log: ['charge Approved 10.00', 'charge Approved 10.00'],
      sums: 'owes -10.00 applied 10.00 left 10.00',
    },
  },
  {
    step: 'in the first of two payments of one invoice, which overtakes the second',
    gathersAt: (id) => `call/${id}/1`,
    gate: (id) => `record/${id}/1`,
    act: (till, id) => [till.payInvoice(id), till.payInvoice(id)],
    middle: {
      books: ['Payment Pending Charging 10.00', 'Payment Pending Waiting 10.00'],
      log: ['charge Approved 10.00'],
    },
    end: {
      books: ['Payment Paid 10.00', 'Payment Canceled 10.00'],
      log: ['charge Approved 10.00'],
      sums: 'owes 0.00 applied 10.00 left 0.00',
    },
  },
  {
    step: 'before the call of a card that asks',
    gate: (id) => `call/${id}/1`,
    act: paysByAsking,
    middle: charging,
    end: asked,
  },
  {
    step: 'after the gateway has asked, before the payment waits',
    gate: (id) => `ask/${id}/1`,
    act: paysByAsking,
    middle: { ...charging, log: asked.log },
    end: asked,
  },
  {
    step: 'after a newcomer has ended what waits at the gateway, before it is Canceled',
    gate: (id) => `end/${id}/1`,
    before: (till, id) => till.payInvoice(id, ASKING),
    act: (till, id) => [till.payInvoice(id)],
    middle: {
      books: [...asked.books, 'Payment Pending Waiting 10.00'],
      log: ['charge Declined 10.00'],
    },
    end: {
      books: ['Payment Paid 10.00', 'Payment Canceled 10.00'],
      log: ['charge Declined 10.00', 'charge Approved 10.00'],
      sums: 'owes 0.00 applied 10.00 left 0.00',
    },
    // The workflow of what waited hears from the gateway that it has ended.
    orEnd: {
      books: ['Payment Declined 10.00', 'Payment Paid 10.00'],
      log: ['charge Declined 10.00', 'charge Approved 10.00'],
      sums: 'owes 0.00 applied 10.00 left 0.00',
    },
  },
];
