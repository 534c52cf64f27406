/** Mails to customers that a caller asks for. */
import { requestMail, type MailRequest } from '../../../operations/mail/request.ts';
import { writeRoute, type Route } from '../../calls/route.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { mailAnswerCodec, sendEmailCodec, type SendEmail } from './schema.ts';

export function notificationRoutes(dependencies: RouteDependencies): Route[] {
  return [
    writeRoute(dependencies, {
      method: 'POST',
      path: '/customers/notification',
      summary: 'Send a mail to a customer',
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
