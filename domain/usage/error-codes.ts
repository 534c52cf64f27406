/** The part of the catalogue of errors that is about usage records. */

/** @example usageErrors['activity.unknown'].kind // 'notFound' */
export const usageErrors = {
  'activity.tooMany': { kind: 'invalid', meaning: 'A list has at most 1,000 usage records.' },
  'activity.reference': {
    kind: 'invalid',
    meaning:
      'The customer, order or order line that a usage record names is unknown, or contradicts another ' +
      'of its names.',
  },
  'activity.noMatch': { kind: 'invalid', meaning: 'No order line fits the usage record.' },
  'activity.severalMatches': {
    kind: 'invalid',
    meaning: 'Several order lines fit the usage record; orderLineItem names one.',
  },
  'activity.notTaken': {
    kind: 'invalid',
    meaning:
      'The order of the usage record is a Draft or Provisioning, or its line is inactive or no ' +
      'UsageCharge.',
  },
  'activity.outsideTerm': {
    kind: 'invalid',
    meaning: 'The chargeDate is outside of the days of the order line.',
  },
  'activity.refTaken': {
    kind: 'invalid',
    meaning:
      'Another usage record has the extRefId; the parameter onDuplicate passes over such records.',
  },
  'activity.correction': {
    kind: 'invalid',
    meaning:
      'The corrected usage record is unknown, of another order line or itself a correction, or its ' +
      'corrections exceed it.',
  },
  'activity.billed': { kind: 'invalid', meaning: 'A Processed usage record cannot be deleted.' },
  'activity.corrected': {
    kind: 'invalid',
    meaning: 'A usage record with a correction cannot be deleted before the correction.',
  },
  'activity.unknown': { kind: 'notFound', meaning: 'There is no such usage record.' },
} as const;
