import type { Named } from '../organizations/named';

/** An opened installation, and where a command prints. */
export type OperatorRun = Pick<Named, 'kernel' | 'settings' | 'print'>;

/** An account, as the operator names it. */
export interface AccountChoice {
  readonly email: string;
  /** Left out: the first one. */
  readonly organization?: string | undefined;
}
