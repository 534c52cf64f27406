/** The storage of processes whose calls use no files: each use fails. */
import { StorageError } from './storage.ts';
import type { FileStorage } from './storage.ts';

const fail = (): Promise<never> => Promise.reject(new StorageError('failed', 'no_storage'));

export const noStorage: FileStorage = {
  place: 'nowhere',
  check: () => Promise.resolve('no_storage'),
  put: fail,
  get: fail,
  head: fail,
  delete: fail,
  address: fail,
  verify: null,
};
