/** Change orders: a new order replaces the current one; a preview shows the invoices of that day. */
import { z } from 'zod';
import { changeOrder, priceChange } from '../../../operations/orders/change.ts';
import type { ChangeRequest } from '../../../operations/orders/current.ts';
import { readOrder } from '../../../operations/orders/read.ts';
import type { NumberedAddress } from '../../../operations/context/locks.ts';
import { xmlAnswer } from '../../calls/answer.ts';
import { RequestError } from '../../calls/errors.ts';
import { HeavyCall } from '../../calls/route-types.ts';
import { objectId, orderNumberOf } from '../../calls/queries.ts';
import { type Route, writeRoute } from '../../calls/route.ts';
import { type RouteDependencies, found } from '../../calls/services.ts';
import { ORDER_DATE_LAST, boolean, date, text } from '../../xml/types.ts';
import { previewDocument } from '../invoices/mapping.ts';
import { changePreview } from '../invoices/schema.ts';
import { orderDocument, orderInput } from './mapping.ts';
import { orderCodec, orderRequest } from './schema.ts';

const query = z.object({
  currentOrderId: objectId().optional(),
  currentOrderNumber: text().optional(),
  effectiveDate: date(ORDER_DATE_LAST).optional(),
  deleteCurrentOrder: boolean().default(false),
  keepPrices: boolean().default(false),
  generateInvoice: boolean().default(false),
  preview: boolean().default(false),
});

export function changeRoutes(dependencies: RouteDependencies): Route[] {
  return [
    writeRoute(dependencies, {
      method: 'POST',
      path: '/changeOrder',
      summary: 'Replace an order by a new one, on a day or at once, or preview the invoices of it',
      audited: 'subscriptionOrder',
      right: 'write',
      status: 201,
      otherStatus: 200,
      parameterErrors: [
        'field.invalid',
        'order.billed',
        'order.changePending',
        'order.notChangeable',
      ],
      query,
      request: orderRequest,
      response: { ...orderCodec, others: [{ ...changePreview, status: 200 }] },
      async handler({ tenant, query: parameters, body, write, isHeavy }) {
        const { address, named } = addressOf(parameters);
        const { effectiveDate, deleteCurrentOrder, generateInvoice, preview } = parameters;
        const { keepPrices: keepsPrices } = parameters;
        const request = {
          input: orderInput(body),
          effectiveDate: effectiveDate ?? null,
          deletesCurrent: deleteCurrentOrder,
          bills: generateInvoice,
          keepsPrices,
          named,
        };
        if (preview) {
          if (!isHeavy) throw new HeavyCall();
          const { invoices, quoteHash } = await priceChange(dependencies, tenant, address, request);
          const document = { quoteHash, invoice: invoices.map(previewDocument) };
          return xmlAnswer(200, changePreview.encode(document), document);
        }
        return write(async (context) => {
          const id = await changeOrder(dependencies, context, address, request);
          return orderDocument(
            found('order', await readOrder(context.finalQuery, context.tenant, { id }), { id }),
          );
        });
      },
    }),
  ];
}

/** The current order, by exactly one of its parameters. */
function addressOf({
  currentOrderId,
  currentOrderNumber,
}: Pick<z.output<typeof query>, 'currentOrderId' | 'currentOrderNumber'>): {
  readonly address: NumberedAddress;
  readonly named: ChangeRequest['named'];
} {
  if (currentOrderId !== undefined && currentOrderNumber !== undefined) {
    const message = 'currentOrderId and currentOrderNumber both name an order: give one';
    const value = currentOrderNumber;
    throw new RequestError(400, {
      code: 'field.invalid',
      message,
      path: 'currentOrderNumber',
      value,
    });
  }
  if (currentOrderId !== undefined) {
    const named = { path: 'currentOrderId', value: String(currentOrderId) };
    return { address: { id: currentOrderId }, named };
  }
  if (currentOrderNumber !== undefined) {
    const number = orderNumberOf(currentOrderNumber);
    return {
      address: { number },
      named: { path: 'currentOrderNumber', value: currentOrderNumber },
    };
  }
  const message = 'currentOrderId or currentOrderNumber names the order to change';
  throw new RequestError(400, { code: 'field.required', message, path: 'currentOrderId' });
}
