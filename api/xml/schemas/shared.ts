/** Words that several resources share. */
import { billingPeriods, termUnits } from '../../../domain/model.ts';
import { enumeration } from '../types.ts';

export const unitsOfTerms = () => enumeration(termUnits);
export const billingPeriod = () => enumeration(billingPeriods);
