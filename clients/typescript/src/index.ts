/** A typed client of Sundial's REST interface. */
export { Sundial, type CallName, type DownloadedFile } from './core/client.ts';
export type { Answer, CallOptions, SundialOptions } from './core/options.ts';
export {
  AccessDenied,
  Conflict,
  InvalidRequest,
  type Mistake,
  NoAnswer,
  NotFound,
  ObjectChanged,
  Refusal,
  SavedWithFaults,
  ServiceFailure,
  SundialError,
  TooManyRequests,
  UnexpectedAnswer,
} from './core/errors.ts';
export {
  type Callback,
  type CallbackDocument,
  type CallbackHeaders,
  type CallbackOptions,
  ForgedCallback,
  SeenCallbacks,
  verifyCallback,
} from './core/callbacks.ts';
export type * from './generated/types.ts';
