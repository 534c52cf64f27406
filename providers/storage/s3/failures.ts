/** What an error of the SDK means; its texts, which name keys and quote what was signed, stay here. */
import { plainCode, StorageError } from '../storage.ts';

interface SdkError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: unknown };
}

/** A StorageError stays itself. */
export function failureOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const { name, code, $metadata } = (error ?? {}) as SdkError;
  if (name === 'NoSuchKey' || name === 'NotFound') return new StorageError('missing');
  if (name === 'TimeoutError') return new StorageError('failed', 'timeout');
  const status = $metadata?.httpStatusCode;
  const http = typeof status === 'number' ? `http_${status}` : null;
  // An answer without a body has no name of its own.
  const own = name === 'Unknown' || name === 'UnknownError' ? null : name;
  return new StorageError('failed', plainCode(code, own, http));
}

/** Whether a range begins beyond the end of its file. */
export function isUnsatisfiable(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as SdkError;
  return name === 'InvalidRange' || $metadata?.httpStatusCode === 416;
}
