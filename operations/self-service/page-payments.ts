/** The payments that pages of self-service made: which session did, by which form, for what. */
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Decimal } from '../../domain/money/money.ts';
import type { OperationContext } from '../context/context.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import { SelfServicePayment } from '../../db/entities/hosted-pages.ts';

export interface PagePayment {
  /** The first of its cascade. */
  readonly paymentId: number;
  readonly sessionId: number;
  readonly formKey: string;
  readonly network: string;
  /** No more is charged. */
  readonly shownAmount: Decimal;
}

const insertPagePayment = insertingOne('note-page-payment', {
  into: SelfServicePayment,
  columns: ['paymentId', 'sessionId', 'formKey', 'network', 'shownAmount', 'createdAt'],
});

export function notePagePayment(
  { tx, realNow }: Pick<OperationContext, 'tx' | 'realNow'>,
  payment: PagePayment,
): void {
  insertPagePayment(tx, { ...payment, createdAt: realNow });
}

/** The payment that a form has made before; undefined if it has made none. */
export async function paymentOfForm(tx: Tx, formKey: string): Promise<number | undefined> {
  const [made] = await tx.query<{ id: number }>(
    'select payment_id as id from self_service_payment where tenant_id = $1 and form_key = $2',
    [tx.tenantId, formKey],
    'page-payment-of-form',
  );
  return made?.id;
}

/** Whether the session itself made the payment, which it then shows in any case. */
export async function isOfSession(
  tx: Tx,
  { sessionId, paymentId }: Pick<PagePayment, 'sessionId' | 'paymentId'>,
): Promise<boolean> {
  const made = await tx.query(
    `select from self_service_payment where tenant_id = $1 and payment_id = $2 and session_id = $3`,
    [tx.tenantId, paymentId, sessionId],
    'page-payment-of-session',
  );
  return made.length > 0;
}
