/** Tests the check of locks itself, because nobody would notice what it misses. */
import test from 'ava';
import { Holding } from './lock-order.ts';

const CLOCK = 'select now from test_clock where tenant_id = $1 for share';
const CUSTOMER = 'select id, status from customer where id = $1 for no key update';
const ORDER_NUMBER = `update counter set next = next + 1 where kind = 'order'`;
const INVOICE_NUMBER = 'insert into counter select 1 on conflict do update set next = 2';

type Step = string | readonly [statement: string, ...customerIds: number[]];

function wrongOf(steps: readonly Step[]): string[] {
  const wrong: string[] = [];
  const holding = new Holding((what) => void wrong.push(what.replace(/:.*/, '')));
  for (const step of steps) {
    const [text, ...ids] = typeof step === 'string' ? [step] : step;
    holding.take(text)?.(ids);
  }
  return wrong;
}

const rightOnes: readonly (readonly Step[])[] = [
  [],
  [CLOCK, [CUSTOMER, 1], 'update invoice set x = 1', ORDER_NUMBER, INVOICE_NUMBER],
  [[CUSTOMER, 1], CLOCK.replace(' for share', '')],
  [CLOCK, [CUSTOMER, 1, 2], [CUSTOMER, 3], [CUSTOMER, 2], [CUSTOMER, 1]],
  [CLOCK, [CUSTOMER, 1], ORDER_NUMBER, [CUSTOMER, 1], INVOICE_NUMBER],
  [CLOCK, [CUSTOMER, 1], CLOCK],
];
for (const [index, steps] of rightOnes.entries()) {
  test(`locks in the right order are accepted: ${index}`, (t) => {
    t.deepEqual(wrongOf(steps), []);
  });
}

const wrongOnes: readonly (readonly [wrong: string, steps: readonly Step[]])[] = [
  ['clock after customers', [[CUSTOMER, 1], CLOCK]],
  ['clock after order numbers', [ORDER_NUMBER, CLOCK]],
  ['a customer after order numbers', [CLOCK, ORDER_NUMBER, [CUSTOMER, 1]]],
  ['a customer after invoice numbers', [[CUSTOMER, 1], INVOICE_NUMBER, [CUSTOMER, 2]]],
  [
    'a customer after one of a higher id',
    [
      [CUSTOMER, 2],
      [CUSTOMER, 1],
    ],
  ],
  ['order numbers after invoice numbers', [[CUSTOMER, 1], INVOICE_NUMBER, ORDER_NUMBER]],
];
for (const [wrong, steps] of wrongOnes) {
  test(`locks out of order are reported: ${wrong}`, (t) => {
    t.deepEqual(wrongOf(steps), [wrong]);
  });
}
