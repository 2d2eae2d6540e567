import type { Role, Subject, UserId } from '@annals/kernel/domain';

/** Which words of the log a reader of the trail may see (contract/audit.md section 1). */
export interface TrailRights {
  /** Of all events, of none, or of what one user wrote and what is about their person (`/audit/me`). */
  readonly words: 'all' | 'none' | { readonly ownOf: UserId };
  /** Private channels that the reader is in. Their names are shown without the right to words. */
  readonly channels: ReadonlySet<number>;
}

/** An account as it was when it acted. */
export interface TrailActor {
  readonly user_id: number;
  readonly full_name: string;
  readonly role: Role;
  readonly is_bot: boolean;
}

/** An event as the trail shows it (contract/audit.md section 2.1). */
export interface TrailEntry {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  /** Of the shape of `data` and `words`. */
  readonly version: number;
  readonly at: string;
  /** Null for the system itself. */
  readonly actor: TrailActor | null;
  readonly sentence: string;
  readonly subjects: readonly { readonly kind: Subject[0]; readonly id: Subject[1] }[];
  readonly data: unknown;
  /** Null unless they are shown. */
  readonly words: unknown;
  readonly words_state: 'shown' | 'withheld' | 'erased' | 'none';
  /** Values that are withheld, erased or unknown are null. */
  readonly changes: readonly { readonly property: string; readonly before: unknown; readonly after: unknown }[];
  readonly request: { readonly id: string; readonly client: string; readonly address: string | null };
}
