/** Query parameters that many calls share: pages, time windows, business keys. */
import { z } from 'zod';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import { isPauseEnd } from '../../domain/standing/pause.ts';
import {
  type ByCustomer,
  PAGE_DEFAULT,
  type TimeWindow,
  type TimeWindows,
} from '../../operations/context/listing.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import { badRequest } from './errors.ts';
import { ID_MAX, REFERENCE_LENGTH_MAX, date, formed, integer, text } from '../xml/types.ts';

export const PAGE_MAX = 1000;

export const page = {
  offset: z.int().min(0).max(ID_MAX).default(0),
  max: integer(0, PAGE_MAX).default(PAGE_DEFAULT),
};

const minuteForm = /^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d$/;
const minute = () => formed(minuteForm, 'a minute that exists, as YYYYMMDDHHmm').optional();

export const windows = {
  createStartTime: minute(),
  createEndTime: minute(),
  updateStartTime: minute(),
  updateEndTime: minute(),
};

/** Both filter a list; a caller may name the customer by either. */
export const byCustomer = () => ({
  customerId: objectId().optional(),
  extCustomerRef: extCustomerRef().optional(),
});

/** The first day that bills again after a pause. */
export const until = () => date().optional();

export function pauseEndOf(day: string | undefined, today: IsoDate): IsoDate | null {
  if (day === undefined || isPauseEnd(day, today)) return day ?? null;
  const message = 'until is a day after today, at most five years ahead';
  throw badRequest('query.invalid', message, 'until', day);
}

export const extCustomerRef = () => text(REFERENCE_LENGTH_MAX);
export const objectId = () => z.int().min(1).max(ID_MAX);

type CustomerQuery = z.output<z.ZodObject<ReturnType<typeof byCustomer>>>;

export function customerFilterOf(query: CustomerQuery): ByCustomer {
  const { customerId = null, extCustomerRef: reference = null } = query;
  return { customerId, extCustomerRef: reference };
}

type WindowQuery = { readonly [Key in keyof typeof windows]?: string | undefined };

/**
 * Minutes in the tenant's zone; the end minute belongs to the window. Without an end the window
 * stays open, because no object is newer than now.
 */
export function windowsOf(query: WindowQuery, { timezone }: TenantInfo): TimeWindows {
  const window = (start: keyof WindowQuery, end: keyof WindowQuery): TimeWindow => {
    const from = instantOf(query[start], start, timezone);
    const last = instantOf(query[end], end, timezone);
    if (from !== null && last !== null && last.getTime() < from.getTime()) {
      throw badRequest('query.invalid', `${end} is before ${start}`, end, query[end]);
    }
    return { from, before: last === null ? null : new Date(last.getTime() + 60_000) };
  };
  return {
    created: window('createStartTime', 'createEndTime'),
    updated: window('updateStartTime', 'updateEndTime'),
  };
}

function instantOf(minutes: string | undefined, path: string, timezone: string): Date | null {
  if (minutes === undefined) return null;
  const [, year, month, day, hour, min] =
    /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(minutes) ?? [];
  try {
    const local = Temporal.PlainDateTime.from(`${year}-${month}-${day}T${hour}:${min}`);
    return new Date(local.toZonedDateTime(timezone).epochMilliseconds);
  } catch {
    const message = `${path} must be a minute that exists, as YYYYMMDDHHmm, not "${minutes}"`;
    throw badRequest('query.invalid', message, path, minutes);
  }
}

/** The number of an order, written exactly as assigned; other text is an unknown number. */
export function orderNumberOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  const message = `there is no order with orderNumber ${text}`;
  throw new DomainError('order.unknown', message, { value: text });
}
