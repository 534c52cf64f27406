/** The document that asks for a mail, and its answer. */
import { z } from 'zod';
import { requestableMailKinds } from '../../../domain/mail/kinds.ts';
import { compile } from '../../xml/codec.ts';
import {
  boolean,
  enumeration,
  ID_MAX,
  integer,
  REFERENCE_LENGTH_MAX,
  root,
  text,
} from '../../xml/types.ts';

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
export type SendEmail = z.output<typeof sendEmailSchema>;

export const sendEmailCodec = compile(root('sendEmail', sendEmailSchema));

export const mailAnswerCodec = compile(
  root('response', z.strictObject({ success: boolean(), message: text() })),
);
