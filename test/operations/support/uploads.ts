/** Uploads usage records as the interface does, and reads what became of them. */
import {
  tenantInfo,
  tenantTimeOf,
  type OperationContext,
} from '../../../operations/context/context.ts';
import { listActivities } from '../../../operations/usage/read.ts';
import { removeActivity, type RecordAddress } from '../../../operations/usage/remove.ts';
import { uploadActivities, type UploadedActivity } from '../../../operations/usage/upload.ts';
import type { ActivityView } from '../../../operations/usage/view.ts';
import type { UsageRecord } from '../../../domain/usage/records.ts';
import type { Books } from './books.ts';

const empty: UsageRecord = {
  extRefId: null,
  extCustomerRef: null,
  customerId: null,
  orderNumber: null,
  orderId: null,
  lineId: null,
  priceCode: null,
  quantity: null,
  amount: null,
  unitPrice: null,
  chargeDate: null,
  chargeEndDate: null,
  invoiceText: null,
  correctsExtRefId: null,
};

export interface UploadHow {
  /** The order that the call names. */
  readonly orderId?: number;
  readonly skipsDuplicates?: boolean;
}

/** Returns the records of the answer, in the order sent. */
export const upload = (
  books: Books,
  records: readonly Partial<UsageRecord>[],
  how: UploadHow = {},
): Promise<UploadedActivity[]> => books.work((its) => uploadIn(its, records, how));

/** The same in a transaction of the caller. */
export function uploadIn(
  its: OperationContext,
  records: readonly Partial<UsageRecord>[],
  { orderId, skipsDuplicates = false }: UploadHow = {},
): Promise<UploadedActivity[]> {
  const ofCall = orderId === undefined ? null : { id: orderId };
  const whole = records.map((record) => ({ ...empty, ...record }));
  return uploadActivities(its, { records: whole, ofCall, skipsDuplicates });
}

export const remove = (books: Books, address: RecordAddress): Promise<void> =>
  books.work((its) => removeActivity(its, address));

/** All records, by day, then id. */
export async function activitiesOf(books: Books): Promise<ActivityView[]> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  return books.read(async (tx) =>
    listActivities(tx, tenant, {
      ...(await tenantTimeOf(books.dependencies, tenant, tx, 'none')),
      offset: 0,
      max: 100_000,
      customerId: null,
      extCustomerRef: null,
      orderNumber: undefined,
      invoiceNumber: undefined,
      priceCode: null,
      beginDate: null,
      endDate: null,
    }),
  );
}
