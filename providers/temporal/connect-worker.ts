/** The connection of a worker, apart from those of clients: its SDK takes 30 MB. */
import { NativeConnection } from '@temporalio/worker';
import { transportOf, type TemporalServer } from './connect.ts';

export const connectWorker = (server: TemporalServer): Promise<NativeConnection> =>
  NativeConnection.connect(transportOf(server));
