/** What operations of batches are handed besides what every operation is. */
import type { FileStorage } from '../../providers/storage/storage.ts';
import type { Dependencies } from '../context/context.ts';

export interface ImportDependencies extends Dependencies {
  /** Where the uploads and the results are. */
  readonly storage: FileStorage;
}
