import type { Params } from '../../server/caller';
import type { Role, Twin } from '../twin';

/** An endpoint that writes, and a request to it. */
export interface Write {
  /** Left out: who the endpoint is for. */
  readonly by?: Role;
  readonly form?: (twin: Twin) => Params;
  readonly json?: (twin: Twin) => unknown;
  readonly isPicture?: true;
  /** Instead of the path with the ids of `places.ts`. */
  readonly path?: (twin: Twin) => string;
  /** The code of the refusal, where a request that is granted would need another system. */
  readonly refused?: string;
}

/** By method and path, in the order in which they are sent: what ends something comes last. */
export type Writes = Readonly<Record<string, Write>>;
