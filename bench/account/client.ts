/**
 * Entry: the customers at their accounts, in a separate process. Reads measurements to run as JSON
 * lines from its input, and prints the result of each.
 */
import { createInterface } from 'node:readline';
import { type PageAnswer, type PagesTarget } from '../pages/browser.ts';
import { figuresOf, run } from '../pages/figures.ts';
import { openAccount, pay, statements, visitHome, type Account } from './holder.ts';

export type AccountStep = 'home' | 'statements' | 'pay';

export interface AccountAssignment {
  readonly step: AccountStep;
  readonly target: PagesTarget;
  /** Whose accounts; of `pay` one open invoice each, so that each pays once. */
  readonly customers: readonly number[];
  readonly connections: number;
  readonly warmMs: number;
  readonly measureMs: number;
}

const perform: Readonly<
  Record<AccountStep, (target: PagesTarget, account: Account) => Promise<PageAnswer>>
> = { home: visitHome, statements, pay };

async function measure(assignment: AccountAssignment) {
  const { step, target, customers, connections, warmMs, measureMs } = assignment;
  const accounts: Account[] = [];
  for (const customerId of customers) accounts.push(await openAccount(target, customerId));
  let next = 0;
  const once = (): Promise<PageAnswer> => {
    const account = accounts[(next += 1) % accounts.length];
    if (account === undefined) throw new Error('there is no account');
    if (step === 'pay' && next >= accounts.length) throw new Error('all invoices are paid');
    return perform[step](target, account);
  };
  await run(once, connections, warmMs);
  const began = performance.now();
  const answers = await run(once, connections, measureMs);
  return figuresOf(answers, performance.now() - began);
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await measure(JSON.parse(line)))}\n`);
}
