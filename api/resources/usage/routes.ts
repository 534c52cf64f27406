/** Usage records: upload, list, delete. */
import { z } from 'zod';
import type { OrderName } from '../../../domain/usage/lines.ts';
import type { NumberedAddress } from '../../../operations/context/locks.ts';
import { removeActivity } from '../../../operations/usage/remove.ts';
import { listActivities } from '../../../operations/usage/read.ts';
import { uploadActivities } from '../../../operations/usage/upload.ts';
import { tenantTimeOf } from '../../../operations/context/context.ts';
import { PAGE_DEFAULT } from '../../../operations/context/listing.ts';
import { addressed } from '../../calls/addressed.ts';
import type { Answer } from '../../calls/answer.ts';
import type { Write } from '../../calls/call.ts';
import { badRequest } from '../../calls/errors.ts';
import { byCustomer, customerFilterOf, page } from '../../calls/queries.ts';
import { type Route, route, writeRoute } from '../../calls/route.ts';
import { type RouteDependencies, readingMore } from '../../calls/services.ts';
import { statusCodec } from '../../calls/status-schema.ts';
import { date, enumeration, integer, text } from '../../xml/types.ts';
import {
  type ActivityDocument,
  type ActivityRequest,
  activityList,
  activityUpload,
} from './schema.ts';
import type { UsageRecord } from '../../../domain/usage/records.ts';
import type { ActivityView } from '../../../operations/usage/view.ts';

const PAGE_MAX = 100;

export function usageRoutes(dependencies: RouteDependencies): Route[] {
  return [listRoute(dependencies), ...uploadRoutes(dependencies), ...removeRoutes(dependencies)];
}

function listRoute(dependencies: RouteDependencies): Route {
  return route({
    method: 'GET',
    path: '/activities',
    summary: 'Usage records by chargeDate',
    right: 'read',
    query: z.object({
      offset: page.offset,
      max: integer(0, PAGE_MAX).default(PAGE_DEFAULT),
      ...byCustomer(),
      orderNumber: text().optional(),
      invoiceNumber: text().optional(),
      priceCode: text().optional(),
      beginDate: date().optional(),
      endDate: date().optional().meta({ description: 'The last day.' }),
    }),
    response: activityList,
    async handler({ tenant, query, noteMiss }) {
      const { offset, max, priceCode = null, beginDate = null, endDate = null } = query;
      if (beginDate !== null && endDate !== null && endDate < beginDate) {
        throw badRequest('query.invalid', 'endDate is before beginDate', 'endDate', endDate);
      }
      const customer = customerFilterOf(query);
      const { invoiceNumber } = query;
      const numbers = { orderNumber: numberIn(query.orderNumber), invoiceNumber };
      const filter = { offset, max, ...customer, ...numbers, priceCode, beginDate, endDate };
      const list = await readingMore(dependencies, tenant, async (tx) => {
        const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
        return listActivities(tx, tenant, { ...filter, today });
      });
      if (list.length === 0 && customer.customerId !== null) {
        noteMiss('customer', customer.customerId);
      }
      return list.map((each) => activityDocument(each));
    },
  });
}

/** Text that is no number is the number of nothing. */
function numberIn(number: string | undefined): number | undefined {
  if (number === undefined) return undefined;
  return /^[1-9]\d{0,14}$/.test(number) ? Number(number) : 0;
}

const onDuplicate = { onDuplicate: enumeration(['skip']).optional() };

interface UploadCall {
  readonly query: { readonly onDuplicate?: 'skip' | undefined };
  readonly body: readonly ActivityRequest[];
  readonly write: Write<ActivityDocument[]>;
}

function uploadRoutes(dependencies: RouteDependencies): Route[] {
  const upload = (
    { query, body, write }: UploadCall,
    ofCall: OrderName | null,
  ): Promise<Answer> => {
    const skipsDuplicates = query.onDuplicate === 'skip';
    const records = body.map(usageRecord);
    return write(async (context) => {
      const stored = await uploadActivities(context, { records, ofCall, skipsDuplicates });
      return stored.map(({ isDuplicate, ...view }) => activityDocument(view, isDuplicate));
    });
  };
  const shared = {
    method: 'POST',
    status: 201,
    request: activityUpload,
    response: activityList,
  } as const;
  return [
    writeRoute(dependencies, {
      ...shared,
      path: '/activities',
      summary: 'Upload usage records: all are stored, or none',
      audited: null,
      right: 'write',
      query: z.object(onDuplicate),
      handler: (call) => upload(call, null),
    }),
    ...addressed('order', dependencies).writes({
      ...shared,
      below: '/activities',
      summary: 'Upload usage records of one order',
      right: 'write',
      query: onDuplicate,
      isUnversioned: true,
      handler: (call) => upload(call, nameOf(call.address)),
    }),
  ];
}

/** Records name orders by the text of their number. */
const nameOf = (address: NumberedAddress): OrderName =>
  'id' in address ? address : { number: String(address.number) };

function removeRoutes(dependencies: RouteDependencies): Route[] {
  return addressed('activity', dependencies).writes({
    method: 'DELETE',
    summary: 'Delete a usage record that is not billed',
    right: 'write',
    response: statusCodec,
    handler: ({ write, address }) =>
      write(async (context) => {
        await removeActivity(context, address);
        return { success: true, message: 'The usage record is deleted' };
      }),
  });
}

/* Usage records between their documents and the operations. */

function usageRecord(body: ActivityRequest): UsageRecord {
  return {
    extRefId: body.extRefId ?? null,
    extCustomerRef: body.extCustomerRef ?? null,
    customerId: body.customer?.id ?? null,
    orderNumber: body.orderNumber ?? null,
    orderId: body.order?.id ?? null,
    lineId: body.orderLineItem?.id ?? null,
    priceCode: body.priceCode ?? null,
    quantity: body.quantity ?? null,
    amount: body.amount ?? null,
    unitPrice: body.unitPrice ?? null,
    chargeDate: body.chargeDate ?? null,
    chargeEndDate: body.chargeEndDate ?? null,
    invoiceText: body.invoiceText ?? null,
    correctsExtRefId: body.correctsExtRefId ?? null,
  };
}

/** @param isDuplicate it was stored before, and is shown in place of an uploaded one */
export function activityDocument(view: ActivityView, isDuplicate = false): ActivityDocument {
  const { customerId, orderId, orderLineItemId, activityBatchId, ...record } = view;
  return {
    ...record,
    ...(isDuplicate ? { duplicate: true } : {}),
    customer: { id: customerId },
    order: { id: orderId },
    orderLineItem: { id: orderLineItemId },
    activityBatch: { id: activityBatchId },
  };
}
