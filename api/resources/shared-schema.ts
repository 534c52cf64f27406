/** Words that several resources share. */
import { billingPeriods, termUnits } from '../../domain/model.ts';
import { enumeration, text } from '../xml/types.ts';

export const unitsOfTerms = () => enumeration(termUnits);
export const billingPeriod = () => enumeration(billingPeriods);

/** A brand, which is as long as any text, and its last digits. */
const CONTEXT_LENGTH_MAX = 300;
export const paymentMethodContext = () => text(CONTEXT_LENGTH_MAX);
