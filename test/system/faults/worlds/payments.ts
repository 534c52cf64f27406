/** Payments: cascades, refunds, what people resolve, installments, retries. */
import { createCreditNote } from '../../../../operations/refunds/credit-note.ts';
import { monthly, openCollectionBooks } from '../../../operations/support/collection-books.ts';
import { payByPage } from '../../../../operations/self-service/pay.ts';
import {
  card,
  fileThree,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
} from '../../../operations/support/payment-books.ts';
import { thresholds } from '../../../operations/support/dunning-books.ts';
import type { SharedDatabase } from '../../../operations/support/books.ts';
import type { SeenDunning } from '../../../../workflows/contract/dunning.ts';
import { unlessFar, type World } from '../world.ts';
import { jumpTo, paying, payNudged } from './paying.ts';

const today = '2027-01-15';

/** Carries a cascade as its workflow does. */
function carrying(books: PaymentBooks, paymentId: number) {
  const input = { tenantId: String(books.tenantId), paymentId: String(paymentId) };
  let asked = 0;
  return paying(books, {
    async step({ advancePayment }) {
      const { done, waitMs, asks } = await advancePayment({ ...input, asked });
      asked = asks ? asked + 1 : 0;
      return done ? null : waitMs;
    },
    others: () => Promise.resolve(),
  });
}

const charge: World = {
  name: 'a payment that one method declines and the next one takes',
  of: ['advancePayment'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today });
    const customerId = await books.customer();
    await fileThree(books, customerId);
    books.gateway.onCharge('tok_1', 'decline');
    await books.bill(customerId, '30', { isAutoPay: true });
    const [cascadeId = 0] = await books.pending();
    return carrying(books, cascadeId);
  },
};

/** What its page has done is in rows: a declined card counts for the invoice once. */
const ofLink = (end: 'paid' | 'declined'): World => ({
  name: `a payment of a pay link that is ${end}`,
  of: ['advancePayment'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today });
    const customerId = await books.customer();
    const invoiceId = await books.bill(customerId, '30');
    if (end === 'declined') books.gateway.onCharge('tok_1', 'decline');
    const { paymentId } = await books.work((context) =>
      payByPage(books.dependencies, context, {
        payer: { network: '192.0.2.1', customerId: null, invoiceId },
        ownerId: customerId,
        ids: [invoiceId],
        isShown: () => true,
        formKey: 'form',
        method: card('tok_1'),
        returnSealed: () => null,
      }),
    );
    return carrying(books, paymentId);
  },
});

/** The charge is settled on the next day, so one refund is a void and the other a refund. */
const refundOn = (day: string): World => ({
  name: `a refund on ${day} of a payment of ${today}`,
  of: ['advancePayment'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today });
    const customerId = await books.customer();
    await books.file(customerId, 1, { token: 'tok_1' });
    await books.bill(customerId, '30');
    await books.paid({ customerId, amount: '30', method: onFile(1) });
    books.jump(day);
    return carrying(books, await books.refund({ customerId, amount: '30' }));
  },
});

/** Its share is returned with a credit note of the invoice, or after a note that has made it. */
const refundOfInvoice = (how: 'with a note' | 'of a note'): World => ({
  name: `a refund ${how} of an invoice that was paid`,
  of: ['advancePayment'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today });
    const customerId = await books.customer();
    await books.file(customerId, 1, { token: 'tok_1' });
    const id = await books.bill(customerId, '30');
    await books.paid({ customerId, amount: '30', method: onFile(1) });
    const note = { reason: 'Line was down', amount: '20' };
    const named = { invoiceIds: [id], creditNote: true, invoiceText: note.reason };
    if (how === 'with a note') await books.refund({ customerId, amount: '20', ...named });
    else await books.work((its) => createCreditNote(its, { id }, note, { refund: true }));
    const [cascadeId = 0] = await books.pending();
    return carrying(books, cascadeId);
  },
});

const threeDays = { gateway: { type: 'sandbox', actionDays: 3 } };

/** The payment of 15 January whose payer is asked for, and the invoice that it is to pay. */
async function asking(db: SharedDatabase) {
  const books = await openPaymentBooks(db, { today, file: threeDays });
  const customerId = await books.customer();
  await fileThree(books, customerId);
  books.gateway.onCharge('tok_1', 'ask');
  const invoiceId = await books.bill(customerId, '30', { isAutoPay: true });
  const [cascadeId = 0] = await books.pending();
  return { books, customerId, invoiceId, cascadeId };
}

const askedFor: World = {
  name: 'a payment whose payer is asked for, and does not come: the next method takes it',
  of: ['advancePayment'],
  async open({ db }) {
    const { books, cascadeId } = await asking(db);
    await books.settle();
    books.jump('2027-01-18');
    return carrying(books, cascadeId);
  },
};

const supersedes: World = {
  name: 'a payment of an invoice for whose payment the payer is asked',
  of: ['advancePayment'],
  async open({ db }) {
    const { books, customerId, invoiceId } = await asking(db);
    await books.settle();
    const named = { invoiceIds: [invoiceId], method: onFile(2) };
    return carrying(books, await books.pay({ customerId, amount: '30', ...named }));
  },
};

const notWaitedFor: World = {
  name: 'a payment whose payer is asked for, where nobody waits for him',
  of: ['advancePayment'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today });
    const customerId = await books.customer();
    await fileThree(books, customerId);
    books.gateway.onCharge('tok_1', 'ask');
    await books.bill(customerId, '30', { isAutoPay: true });
    const [cascadeId = 0] = await books.pending();
    return carrying(books, cascadeId);
  },
};

const resolvedWait: World = {
  name: 'a payment whose payer is asked for, which a person resolves',
  of: ['resolvePayment'],
  async open({ db }) {
    const { books, cascadeId } = await asking(db);
    await books.settle();
    const input = { tenantId: String(books.tenantId), paymentId: String(cascadeId) };
    let isResolved = false;
    return paying(books, {
      async step({ resolvePayment }) {
        const said = { reason: 'the customer called', requestId: 'one' };
        try {
          await resolvePayment({ ...input, ...said, outcome: 'declined' });
          isResolved = true;
          return null;
        } catch (error) {
          // While the gateway is silent it is refused, and whoever asked for it asks again.
          if (String(error).includes('try again')) return 1_000;
          throw error;
        }
      },
      // The next method is charged; before, its own workflow could be first to have the answer.
      others: () => (isResolved ? payNudged(books) : Promise.resolve()),
    });
  },
};

const resolved: World = {
  name: 'a call without an answer that a person resolves',
  of: ['resolvePayment'],
  async open({ db }) {
    const books = await openPaymentBooks(db, { today });
    const customerId = await books.customer();
    await fileThree(books, customerId);
    await books.bill(customerId, '30');
    const paymentId = await books.pay({ customerId, amount: '30', method: onFile(3) });
    books.gateway.onCharge('tok_3', 'loseCall');
    await books.carry(paymentId);
    const input = { tenantId: String(books.tenantId), paymentId: String(paymentId) };
    return paying(books, {
      async step({ resolvePayment }) {
        const said = { reason: 'the bank says so', requestId: 'one', transactionId: '4711' };
        await resolvePayment({ ...input, ...said, outcome: 'approved' });
        return null;
      },
      others: () => Promise.resolve(),
    });
  },
};

/** An invoice of 30.00 whose card declined yesterday, and one that is overdue. */
async function indebted(db: SharedDatabase) {
  const file = { dunning: { thresholds } };
  const books = await openCollectionBooks(db, { today: '2027-01-01', file });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.bill(customerId, '20', { dueDate: '2027-01-01' });
  jumpTo(books, today);
  books.gateway.onCharge('tok_1', 'decline');
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  return { books, input: { tenantId: String(books.tenantId), customerId: String(customerId) } };
}

const dunned: World = {
  name: 'a dunning with a retry and a step that the run has left',
  of: ['wakeDunning'],
  async open({ db }) {
    const { books, input } = await indebted(db);
    jumpTo(books, '2027-01-16');
    let yields = 0;
    let seen: SeenDunning | undefined;
    return paying(books, {
      async step({ wakeDunning }) {
        const wake = await wakeDunning({ ...input, yields, seen });
        yields = wake.yielded ? yields + 1 : 0;
        ({ seen } = wake);
        return wake.ended ? null : unlessFar(wake.waitMs);
      },
    });
  },
};

const asked = { reason: 'a telephone call' };

const retriedNow: World = {
  name: 'a retry that a person asks for',
  of: ['changeDunning'],
  async open({ db }) {
    const { books, input } = await indebted(db);
    return paying(books, {
      async step({ changeDunning }) {
        await changeDunning({ ...input, ...asked, action: 'retryNow', requestId: 'one' });
        return null;
      },
    });
  },
};

const held: World = {
  name: 'a dunning that a person holds and resumes',
  of: ['changeDunning'],
  async open({ db }) {
    const { books, input } = await indebted(db);
    const actions = ['hold', 'resume'] as const;
    let done = 0;
    return paying(books, {
      async step({ changeDunning }) {
        const action = actions[done];
        if (action === undefined) return null;
        await changeDunning({ ...input, ...asked, action, requestId: action });
        done += 1;
        return 0;
      },
    });
  },
};

/** A payment plan of 50.00 a month from 31 January on. */
async function planned(db: SharedDatabase, day: string) {
  const books = await openCollectionBooks(db, { today });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.bill(customerId, '120');
  await books.plan(customerId, monthly);
  jumpTo(books, day);
  const [plan] = await books.read((tx) => tx.query<{ id: number }>('select id from payment_plan'));
  return { books, input: { tenantId: String(books.tenantId), planId: String(plan?.id) } };
}

const installment: World = {
  name: 'an installment of a payment plan',
  of: ['followPlan'],
  async open({ db }) {
    const { books, input } = await planned(db, '2027-01-31');
    return paying(books, {
      async step({ followPlan }) {
        const { ended, waitMs } = await followPlan(input);
        return ended ? null : unlessFar(waitMs);
      },
    });
  },
};

const skipped: World = {
  name: 'an installment that a person skips',
  of: ['skipPlanInstallment'],
  async open({ db }) {
    const { books, input } = await planned(db, today);
    return paying(books, {
      async step({ skipPlanInstallment }) {
        await skipPlanInstallment({ ...input, ...asked, requestKey: 'one' });
        return null;
      },
    });
  },
};

export const payments: readonly World[] = [
  charge,
  ofLink('paid'),
  ofLink('declined'),
  refundOn(today),
  refundOn('2027-01-16'),
  refundOfInvoice('with a note'),
  refundOfInvoice('of a note'),
  askedFor,
  supersedes,
  notWaitedFor,
  resolvedWait,
  resolved,
  dunned,
  retriedNow,
  held,
  installment,
  skipped,
];
