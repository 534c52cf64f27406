/** Mails to customers that a caller asks for. */
import { type MailRequest, requestMail } from '../../../operations/mail/request.ts';
import { type Route, writeRoute } from '../../calls/route.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { z } from 'zod';
import { requestableMailKinds } from '../../../domain/mail/kinds.ts';
import { compile } from '../../xml/codec.ts';
import {
  ID_MAX,
  REFERENCE_LENGTH_MAX,
  boolean,
  enumeration,
  integer,
  root,
  text,
} from '../../xml/types.ts';

export function notificationRoutes(dependencies: RouteDependencies): Route[] {
  return [
    writeRoute(dependencies, {
      method: 'POST',
      path: '/customers/notification',
      summary: 'Send a mail to a customer',
      audited: 'customer',
      right: 'write',
      request: sendEmailCodec,
      response: mailAnswerCodec,
      handler: ({ body, write }) => write((context) => requestMail(context, requestOf(body))),
    }),
  ];
}

/** The schema has made sure that one of each pair is there. */
function requestOf(body: SendEmail): MailRequest {
  const { eventType: kind, objectId, objectRef, customerId, customerRef } = body;
  return {
    kind,
    object: objectId == null ? { ref: objectRef ?? '' } : { id: objectId },
    customer: customerId == null ? { extCustomerRef: customerRef ?? '' } : { id: customerId },
  };
}

/* The document that asks for a mail, and its answer. */

const objectId = () => integer(1, ID_MAX).nullish();

/** One of the two elements, and not both. */
function exactlyOne(
  value: Readonly<Record<string, unknown>>,
  [id, ref]: readonly [string, string],
  context: z.RefinementCtx,
): void {
  const given = [id, ref].filter((name) => value[name] != null).length;
  if (given === 1) return;
  const code = 'custom';
  if (given === 2) {
    context.addIssue({ code, path: [ref], message: `${id} and ${ref} exclude each other` });
  } else {
    const params = { code: 'field.required' };
    context.addIssue({ code, path: [id], message: `${id} or ${ref} is required`, params });
  }
}

const sendEmailSchema = z
  .strictObject({
    eventType: enumeration(requestableMailKinds),
    objectId: objectId(),
    objectRef: text().nullish(),
    customerId: objectId(),
    customerRef: text(REFERENCE_LENGTH_MAX).nullish(),
  })
  .superRefine((value, context) => {
    exactlyOne(value, ['objectId', 'objectRef'], context);
    exactlyOne(value, ['customerId', 'customerRef'], context);
  });
type SendEmail = z.output<typeof sendEmailSchema>;

const sendEmailCodec = compile(root('sendEmail', sendEmailSchema));

const mailAnswerCodec = compile(
  root('response', z.strictObject({ success: boolean(), message: text() })),
);
