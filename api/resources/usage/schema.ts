/** The documents of usage records: the list that is read, and the list that is uploaded. */
import { z } from 'zod';
import { formFaults } from '../../../domain/usage/records.ts';
import { compile } from '../../xml/codec.ts';
import {
  ORDER_DATE_LAST,
  REFERENCE_LENGTH_MAX,
  accepting,
  attribute,
  boolean,
  date,
  decimal,
  enumeration,
  id,
  listOf,
  longText,
  reference,
  root,
  sum,
  text,
} from '../../xml/types.ts';

/** The most records of an upload. */
export const RECORDS_MAX = 1_000;

export const activitySchema = z.strictObject({
  id: id(),
  duplicate: attribute(boolean()).optional(),
  status: enumeration(['Unbilled', 'Processed']),
  extRefId: text().nullable(),
  extCustomerRef: text(REFERENCE_LENGTH_MAX).nullable(),
  customer: reference(),
  orderNumber: text(),
  order: reference(),
  orderLineItem: reference(),
  priceCode: text(),
  quantity: decimal(),
  amount: sum().nullable(),
  unitPrice: decimal().nullable(),
  chargeDate: date(),
  chargeEndDate: date().nullable(),
  invoiceText: longText().nullable(),
  correctsExtRefId: text().nullable(),
  invoiceNumber: text().nullable(),
  activityBatch: reference(),
  dateCreated: date(),
});
export type ActivityDocument = z.output<typeof activitySchema>;

const fields = accepting(activitySchema, {
  extRefId: text().nullish(),
  extCustomerRef: text(REFERENCE_LENGTH_MAX).nullish(),
  customer: reference().nullish(),
  orderNumber: text().nullish(),
  order: reference().nullish(),
  orderLineItem: reference().nullish(),
  priceCode: text().nullish(),
  quantity: decimal().nullish(),
  amount: decimal().nullish(),
  unitPrice: decimal().nullish(),
  chargeDate: date(ORDER_DATE_LAST).nullish(),
  chargeEndDate: date(ORDER_DATE_LAST).nullish(),
  invoiceText: longText().nullish(),
  correctsExtRefId: text().nullish(),
});
export type ActivityRequest = z.output<typeof fields>;

const activityInput = fields.superRefine((activity, context) => {
  const { quantity = null, amount = null, unitPrice = null } = activity;
  const { chargeDate = null, chargeEndDate = null, correctsExtRefId = null } = activity;
  const form = { quantity, amount, unitPrice, chargeDate, chargeEndDate, correctsExtRefId };
  for (const { code, element, message } of formFaults(form)) {
    context.addIssue({ code: 'custom', path: [element], message, params: { code } });
  }
});

const uploadSchema = listOf('activity', activityInput).superRefine((list, context) => {
  if (list.length === 0) {
    const message = 'the list has no activity';
    context.addIssue({ code: 'custom', message, params: { code: 'field.required' } });
  } else if (list.length > RECORDS_MAX) {
    const message = `a list has at most ${RECORDS_MAX} activities, not ${list.length}`;
    context.addIssue({ code: 'custom', message, params: { code: 'activity.tooMany' } });
  }
});

export const activityList = compile(root('list', listOf('activity', activitySchema)));
export const activityUpload = compile(root('list', uploadSchema));
