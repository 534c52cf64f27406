/** A link of a hosted sign-up, and its forms, as the API stores them. */
import { createHash } from 'node:crypto';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { enqueue } from '../../../operations/outbox/enqueue.ts';
import { storeTry, takeTry, type TakenForm } from '../../../operations/signups/take.ts';
import type { Books } from '../harness.ts';
import { readSignup } from '../../../operations/signups/signup-row.ts';
import type { Card, Till } from '../payments/till.ts';

export const signupNudge = (objectId: number): Nudge => ({ kind: 'signup', objectId });

let forms = 0;
const tokenHash = (id: number): Buffer => createHash('sha256').update(`token ${id}`).digest();

/** GOLD without tax, of Ada: 78.95 are due today. Its workflow is started. */
export async function openLink(
  books: Books,
  { minutes = 30 }: { readonly minutes?: number } = {},
): Promise<number> {
  const id = await books.work(async (context) => {
    const { tx, time, realNow } = context;
    const [made] = await tx.query<{ id: number }>(`select nextval('id_seq') as id`);
    const id = made?.id ?? 0;
    await tx.query(
      `insert into signup (tenant_id, id, tracking, token_hash, status, success_url, fail_url,
         css_url, hide_customer_fields, hide_order_fields, display_amount, link_has_password,
         quantity, has_details, first_name, last_name, email, contract_code, created_at,
         updated_at, expires_at)
       values ($1, $2, $3, $4, 'DRAFT', 'https://shop.example/ok', 'https://shop.example/no',
         '/css/signup.css', false, false, 'allCharges', false, 1, true, 'Ada', 'Lovelace',
         'ada@example.org', 'GOLD', $5, $5, $6)`,
      [
        tx.tenantId,
        id,
        `tracking ${id}`,
        tokenHash(id),
        time.now,
        new Date(realNow.getTime() + minutes * 60_000),
      ],
    );
    enqueue(context, [signupNudge(id)]);
    return id;
  });
  await books.deliver(signupNudge(id));
  return id;
}

/** Takes a form and stores its card; nobody is nudged yet. Returns the try. */
export async function submitForm(
  books: Books,
  till: Till,
  { id, card, ...more }: { readonly id: number; readonly card: Card } & Partial<TakenForm>,
): Promise<number> {
  const row = await books.read((tx) => readSignup(tx, { id }));
  const form = {
    quoteHash: null,
    startDate: null,
    taxBasis: null,
    version: row?.version ?? 0,
    tokenHash: tokenHash(id),
    formKey: `form ${(forms += 1)}`,
    network: '192.0.2.1',
    shownAmount: '78.95',
    hasCard: true,
    cardholderName: 'Ada Lovelace',
    savePaymentMethod: false,
    tosAccepted: true,
    locale: 'en',
    ...more,
  };
  const taken = await books.work((context) => takeTry(context, form));
  if (taken.kind !== 'taken') throw new Error(`the form is ${taken.kind}`);
  const method = await till.vaulted(card);
  await books.work((context) => storeTry(context, { tryId: taken.tryId, method }));
  return taken.tryId;
}
