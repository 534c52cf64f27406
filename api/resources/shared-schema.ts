/** Schemas that several resources share. */
import { z } from 'zod';
import {
  COPIES_LENGTH_MAX,
  COPIES_MAX,
  MAIL_ADDRESS_LENGTH_MAX,
  copyAddresses,
  isMailAddress,
} from '../../domain/mail/kinds.ts';
import { billingPeriods } from '../../domain/calendar/calendar.ts';
import { termUnits } from '../../domain/calendar/terms.ts';
import { compare, isDecimal } from '../../domain/money/money.ts';
import { decimal, enumeration, text } from '../xml/types.ts';

export const unitsOfTerms = () => enumeration(termUnits);
export const billingPeriod = () => enumeration(billingPeriods);

const PURCHASE_ORDER_LENGTH_MAX = 100;
export const purchaseOrder = () => text(PURCHASE_ORDER_LENGTH_MAX);

/** A brand, as long as any text, and the last digits. */
const CONTEXT_LENGTH_MAX = 300;
export const paymentMethodContext = () => text(CONTEXT_LENGTH_MAX);

export const aboveZero = () =>
  decimal()
    .refine((value) => !isDecimal(value) || compare(value, '0') > 0, {
      params: { expected: 'a decimal above 0, for example 2 or 0.5' },
    })
    .meta({ format: 'decimal' });

const AN_ADDRESS = 'an e-mail address';

/** The pattern is what the documents can express of the rule. */
export const mailAddress = () =>
  z
    .string()
    .max(MAIL_ADDRESS_LENGTH_MAX, { abort: true })
    .regex(/^[^@\s]+@[^@\s]+$/, { abort: true })
    .refine(isMailAddress, { params: { expected: AN_ADDRESS } })
    .meta({ 'x-expected': AN_ADDRESS });

const SOME_ADDRESSES = `up to ${COPIES_MAX} e-mail addresses with commas between them`;

export const mailAddresses = () =>
  z
    .string()
    .max(COPIES_LENGTH_MAX, { abort: true })
    .refine((value) => copyAddresses(value) !== null, { params: { expected: SOME_ADDRESSES } })
    .meta({ 'x-expected': SOME_ADDRESSES });
