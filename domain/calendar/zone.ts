/** Converts between instants and days of a time zone; no other rule uses time zones. */
import type { IsoDate } from './calendar.ts';

/** Whether a name is an IANA time zone (not a mere offset). @example isTimezone('Europe/Berlin') */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The day that an instant, in milliseconds since 1970 UTC, falls on.
 *
 * @example dateIn('America/New_York', Date.UTC(2027, 0, 1, 4, 59)) // '2026-12-31'
 */
export function dateIn(timezone: string, instantMs: number): IsoDate {
  return Temporal.Instant.fromEpochMilliseconds(instantMs)
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toString();
}

/**
 * When a day begins: at 00:00, or if clocks skip that, at its first instant. Milliseconds since
 * 1970 UTC.
 *
 * @example startOfDay('Europe/Berlin', '2027-07-01') // Date.UTC(2027, 5, 30, 22)
 */
export function startOfDay(timezone: string, date: IsoDate): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds;
}
