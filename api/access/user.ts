/** The user of a call, whose credentials were verified. */

export interface User {
  readonly id: number;
  readonly username: string;
  readonly roles: readonly string[];
  /** Of the stored password, for whoever checks later that it is still the same. */
  readonly mark?: string;
}
