/** Of a random test whose cases take long: no shrinking, and the error that ava would not show. */
export const costly = { endOnFailure: true, includeErrorInReport: true } as const;
