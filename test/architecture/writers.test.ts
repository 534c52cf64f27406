/**
 * Invoices, payments, collection attempts and payment plans change by pure functions only, so a
 * handful of statements in named files writes each of the tables. Those of orders are counted as
 * well, and their status has one writer beside their dates.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import test from 'ava';
import { root, sourcesOf } from './sources.ts';

/** The files that write a table, and how many statements of each kind they have. */
const writers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // What people give has one writer; the status by hand is changed as an entity.
  customer: {
    'db/queries/ageing/standings.ts': ['update'],
    'db/queries/customers/save.ts': ['insert into'],
    // Which version of its party holds, and the locale of those of before.
    'db/queries/parties/parties.ts': ['update', 'update'],
    'operations/billing/customers.ts': ['update', 'update'],
    // The day of its erasure; what is emptied follows from the entities.
    'operations/customers/erase.ts': ['update'],
  },
  contact: {
    'db/queries/customers/save.ts': ['insert into', 'update', 'delete from'],
    'db/queries/imports/rows.ts': ['update'],
  },
  invoice: {
    'db/queries/billing/write.ts': ['insert into'],
    'db/queries/imports/invoices.ts': ['insert into'],
    'db/queries/invoices/invoices.ts': ['update'],
    // The parties of documents of before.
    'db/queries/parties/parties.ts': ['update'],
  },
  // People change it as an entity.
  subscription_order: {
    // What was announced of it.
    'db/queries/due/notices.ts': ['update'],
    'db/queries/orders/write.ts': ['insert into', 'delete from'],
    'db/queries/payments/charge-credits.ts': ['update'],
    // The status, with the dates, and without them.
    'db/queries/standing/advance.ts': ['update', 'update', 'update', 'update'],
    'db/queries/standing/changes.ts': ['update', 'update', 'update', 'update'],
    'operations/signups/steps.ts': ['update'],
    'operations/standing/reschedule-orders.ts': ['update'],
  },
  payment: {
    'db/queries/parties/parties.ts': ['update'],
    'db/queries/payments/carry-over.ts': ['update', 'update'],
    'db/queries/payments/new-payments.ts': ['insert into'],
    // The last ones: the number of a confirmation, and what a payment is to put on file.
    'db/queries/payments/payments.ts': ['update', 'update', 'update', 'update', 'update'],
  },
  collection_attempt: {
    'db/queries/collection/attempts.ts': ['update', 'insert into', 'insert into', 'update'],
  },
  // People change it as an entity.
  payment_plan: { 'operations/collection/mark-plans.ts': ['update'] },
};

const sources = sourcesOf(
  'api',
  'activities',
  'cli',
  'db/queries',
  'domain',
  'operations',
  'providers',
);

/** Also as `into: 'table'`, or its entity, of an insertion that is built from its columns. */
function statementsOf(text: string, table: string): string[] {
  const pattern = new RegExp(
    `\\b(insert\\s+into|update|delete\\s+from|merge\\s+into|truncate)\\s+(?:only\\s+)?"?${table}\\b|into:\\s*('${table}|${entityOf(table)})\\b`,
    'gi',
  );
  const found = [...text.matchAll(pattern)];
  return found.map(([, verb, built]) => (built === undefined ? (verb ?? '') : 'insert into'));
}

/** `payment_plan` → `PaymentPlan`. */
const entityOf = (table: string): string =>
  table.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

for (const [table, expected] of Object.entries(writers)) {
  test(`only the writers of ${table} have statements that write it`, (t) => {
    const found = sources.flatMap((path) => {
      const statements = statementsOf(readFileSync(path, 'utf8'), table);
      return statements.length === 0 ? [] : [[relative(root, path), statements] as const];
    });
    t.deepEqual(Object.fromEntries(found), expected);
  });
}

test('no statement has a status of orders or invoices in its text', (t) => {
  const set =
    /update (?:subscription_order|invoice)\b[^`]*?\bset\b(?:(?!\b(?:from|where)\b)[^`])*?\bstatus = '/gi;
  for (const path of sources) {
    t.deepEqual(readFileSync(path, 'utf8').match(set), null, relative(root, path));
  }
});

test('a statement that writes a table is seen however it is written', (t) => {
  const written = [
    'update payment set a = 1',
    'update payment p set a = 1',
    'insert into payment (id) values (1)',
    'delete from payment where id = 1',
    `inserting('x', { into: 'payment', columns })`,
    `inserting('x', { into: Payment, columns })`,
  ];
  for (const text of written) t.is(statementsOf(text, 'payment').length, 1, text);
  const others = [
    'update payment_plan set a = 1',
    'insert into payment_method (id)',
    `inserting('x', { into: PaymentPlan, columns })`,
    'from payment',
  ];
  for (const text of others) t.is(statementsOf(text, 'payment').length, 0, text);
});

/** What carries a consequence of a transition out, and where it is called. */
const carriers: Readonly<Record<string, string>> = {
  writePayments: 'carry-out.ts',
  enterTransitions: 'carry-out.ts',
  applyUnapplied: 'carry-out.ts',
  reverseApplied: 'carry-out.ts',
  markPlans: 'attempt-consequences.ts',
  callNext: 'carry-out.ts',
  notifyPage: 'carry-out.ts',
  endRetriesOfClosed: 'invoice-consequences.ts',
  settleCommissions: 'invoice-consequences.ts',
  creditCommissions: 'invoice-consequences.ts',
  voidTaxRecord: 'invoice-consequences.ts',
  leaveCredits: 'invoice-consequences.ts',
};

test('what follows from a transition is called by carryOut alone', (t) => {
  for (const [name, file] of Object.entries(carriers)) {
    const call = new RegExp(`(?<!function )\\b${name}\\(`);
    const callers = sources.filter(
      (path) => path.includes('/operations/') && call.test(readFileSync(path, 'utf8')),
    );
    t.deepEqual(
      callers.map((path) => relative(root, path)),
      [`operations/collection/${file}`],
      name,
    );
  }
});
