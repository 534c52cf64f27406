/** Orders of which one replaces the other. */
import { valueOf, type TenantApi } from '../tenant-api.ts';

export interface Pair {
  readonly current: string;
  readonly next: string;
}

/** 1001 is to be replaced by 1002 on 10 January; C1 is their customer. */
export const pendingPair = (own: TenantApi): Promise<Pair> => pairOf(own, '2027-01-10');

/** 1002 replaces 1001 at once, on the day on which it began. */
export const changedPair = (own: TenantApi): Promise<Pair> => pairOf(own, '2027-01-01');

async function pairOf(own: TenantApi, effectiveDate: string): Promise<Pair> {
  await own.post(
    '/customers',
    '<customer><extCustomerRef>C1</extCustomerRef><billingContact><firstName>Ada</firstName>' +
      '</billingContact></customer>',
  );
  const gold = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  const idOf = async (path: string) => {
    const made = await own.post(path, gold);
    if (made.status !== 201) throw new Error(made.body);
    return valueOf(made.body, 'subscriptionOrder@id') ?? '';
  };
  const current = await idOf('/orders?extCustomerRef=C1');
  const path = `/changeOrder?currentOrderId=${current}&effectiveDate=${effectiveDate}`;
  return { current, next: await idOf(path) };
}
