/** Makes the payment that a page's form agrees to, and waits for it: the one way from there to a charge. */
import type { OperationContext } from '../../../operations/context/context.ts';
import { type PageCharge, payByPage } from '../../../operations/self-service/pay.ts';
import { type PaymentView, readLastAttempt } from '../../../operations/payments/read.ts';
import type { LedElsewhere } from '../../calls/answer.ts';
import { found, type RouteDependencies } from '../../calls/services.ts';
import { takesNewMethods } from '../../pages/new-method.ts';
import type { AskedPage, PageWriteOptions } from '../page-writes.ts';
import { sealedPage } from '../payer-action/place.ts';

interface PayingVisit {
  readonly dependencies: RouteDependencies;
  readonly call: AskedPage;
}

export interface PagePaying {
  /** One transaction of the page's form. */
  readonly store: <Result>(
    operation: (context: OperationContext) => Promise<Result>,
    options: PageWriteOptions,
  ) => Promise<Result>;
  /** Of the page that shows what became of the payment, and to which its payer comes back. */
  readonly addressOf: (paymentId: number) => string;
}

/** Throws PayRefused, card.tooManyDeclines, or paymentMethod.unknown, and then stores nothing. */
export async function payOnPage(
  visit: PayingVisit,
  charge: Omit<PageCharge, 'returnSealed'>,
  { store, addressOf }: PagePaying,
): Promise<LedElsewhere> {
  const { dependencies, call } = visit;
  const { tenant } = call;
  // Without a script of the gateway nobody can be asked on a page: the payer is as good as absent.
  const returnSealed = (id: number): string | null =>
    takesNewMethods(tenant) ? sealedPage(dependencies, tenant, addressOf(id)) : null;
  const isAwaited = dependencies.paymentWaitSeconds > 0;
  const { paymentId, made } = await store(
    async (context) => {
      const { paymentId, isRepeat } = await payByPage(dependencies, context, {
        ...charge,
        returnSealed,
      });
      if (isRepeat) return { paymentId, made: null };
      const view = await readLastAttempt(context.finalQuery, context.tenant, paymentId);
      return { paymentId, made: found('payment', view, { id: paymentId }) };
    },
    { isAwaited },
  );
  const to = addressOf(paymentId);
  return made === null || !isAwaited ? { to } : { to, awaits: () => awaited(visit, made) };
}

/** Starts the workflow of the payment, which charges whether anybody waits or not. */
async function awaited(
  { dependencies, call }: PayingVisit,
  { cascadeId, gateway, paymentType: type, customerId, ...made }: PaymentView,
): Promise<void> {
  if (gateway === null) return;
  const { customerRef, amount, currency } = made;
  const payment = { cascadeId, type, gateway, customerId, customerRef, amount, currency };
  const { awaitPayment, paymentWaitSeconds } = dependencies;
  await awaitPayment(call.tenant, payment, paymentWaitSeconds * 1_000);
}
