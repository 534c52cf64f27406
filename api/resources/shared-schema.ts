/** Schemas that several resources share. */
import { billingPeriods, termUnits } from '../../domain/model.ts';
import { enumeration, text } from '../xml/types.ts';

export const unitsOfTerms = () => enumeration(termUnits);
export const billingPeriod = () => enumeration(billingPeriods);

/** A brand, as long as any text, and the last digits. */
const CONTEXT_LENGTH_MAX = 300;
export const paymentMethodContext = () => text(CONTEXT_LENGTH_MAX);
