/** The refusal of a whole import file: the job that was to read it fails with the message. */

export type FileFaultReason =
  | 'noRows'
  | 'binary'
  | 'notUtf8'
  | 'header'
  | 'unknownColumn'
  | 'repeatedColumn'
  | 'noKeyColumn'
  | 'tooLarge';

/**
 * A file of which no row can be imported. The message is for the tenant, in plain English.
 *
 * @example throw new ImportFileFault('noRows', 'The file is empty.')
 */
export class ImportFileFault extends Error {
  readonly reason: FileFaultReason;

  constructor(reason: FileFaultReason, message: string) {
    super(message);
    this.name = 'ImportFileFault';
    this.reason = reason;
  }
}
