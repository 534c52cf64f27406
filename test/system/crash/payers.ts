/** Customers whose payments wait for them, and the pages and calls that end this. */
import type { Database } from '../../../db/connection/database.ts';
import { idOf } from '../../api/payments/bodies.ts';
import { keyIn } from '../../api/signups/page-calls.ts';
import { send, type Received } from '../../api/support.ts';
import { valueOf } from '../../api/tenant-api.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import type { Parts } from './parts.ts';
import { ASKING } from './scenes.ts';
import { openTill } from './till.ts';

/** By what becomes of their payments. */
const names = ['once', 'twice', 'gone', 'deleted', 'abandoned'] as const;

/** Each owes 10.00, and a card that asks is to pay it until 00:00 of 4 January 2027. */
export async function openPayers(parts: Parts, db: Database) {
  const till = await openTill(parts, db, {
    label: `payers-${suffix()}`,
    testClock: '2027-01-01T12:00:00Z',
    file: { gateway: { type: 'sandbox', actionDays: 3 } },
  });
  const port = Number(new URL(parts.apiUrl).port);
  const page = { host: `${till.label}.localhost`, auth: null };
  const payments = new Map<number, string>();
  const pages = new Map<number, string>();
  const ids = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => {
        const id = await till.customer();
        const paymentId = idOf(await till.payInvoice(id, ASKING));
        const { body } = await till.call('GET', `/payment/${paymentId}/actionLink`);
        payments.set(id, paymentId);
        pages.set(id, new URL(valueOf(body, 'url') ?? body).pathname);
        return [name, id];
      }),
    ),
  ) as Readonly<Record<(typeof names)[number], number>>;

  const pathOf = (id: number): string => pages.get(id) ?? '';
  const visit = (path: string): Promise<Received> => send(port, { path, ...page });
  const post = (path: string, fields: Readonly<Record<string, string>>): Promise<Received> => {
    const body = new URLSearchParams(fields).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return send(port, { method: 'POST', path, headers, body, ...page });
  };
  return {
    ...till,
    ids,
    /** Presses the button of the link's page; null if no answer came. */
    async confirms(id: number): Promise<Received | null> {
      const formKey = keyIn(await visit(pathOf(id)));
      return post(pathOf(id), { formKey }).catch(() => null);
    },
    /** Confirms on the page of the sandbox to which the answer leads. */
    async answers(led: Received | null): Promise<void> {
      const { pathname } = new URL(String(led?.headers.location));
      const formKey = keyIn(await visit(pathname));
      await post(pathname, { formKey, answer: 'confirm' });
    },
    comesBack: (id: number): Promise<Received | null> => visit(pathOf(id)).catch(() => null),
    deletes: (id: number): Promise<Received | null> =>
      till.call('DELETE', `/payment/${payments.get(id)}`).catch(() => null),
    async advance(to: string): Promise<void> {
      await till.call('POST', `/testClock?advanceTo=${to}`);
      await until('the clock is Ready', async () => {
        const ready = await till.read(`select from test_clock where status = 'Ready'`);
        return ready.length === 1;
      });
    },
  };
}
