import type { Role, UserId } from '@annals/kernel/domain';

/** A person as the directory describes them. */
export interface DescribedPerson {
  readonly dn: string;
  /** Names the entry for good: `id:` with its unique id, or `dn:` with its name if it has none. */
  readonly subject: string;
  readonly email: string;
  readonly fullName: string;
  readonly isDeactivated: boolean;
  /** Null: the directory has no picture of the person. */
  readonly pictureDigest: string | null;
  /** Null: the directory gives no roles. */
  readonly role: Role | null;
  /** Names of mapped user groups that the person belongs to. */
  readonly userGroups: ReadonlySet<string>;
  /** Values of mapped profile fields by their names. Empty: the field has no value. */
  readonly profile: ReadonlyMap<string, string>;
}

/** An account of a person, as far as a directory is concerned. */
export interface KnownAccount {
  readonly userId: UserId;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** The entry of the directory that it belongs to. Null: none. */
  readonly subject: string | null;
  /** The directory deactivated it, and nobody reactivated it since. */
  readonly isSuspended: boolean;
  /** Of the picture that was last taken from the directory. Null: none was. */
  readonly pictureDigest: string | null;
  /** Names of mapped user groups that it is directly in. */
  readonly userGroups: ReadonlySet<string>;
  /** Values of mapped profile fields by their names. A field without a value is left out. */
  readonly profile: ReadonlyMap<string, string>;
}

/** Why the directory deactivates an account. */
export type Suspension = 'disabled' | 'missing';

/** All that changes with one account. A part that is left out does not change. */
export interface DirectoryChange {
  readonly userId: UserId;
  readonly email: string;
  /** Null: no entry describes the account any more. */
  readonly dn: string | null;
  /** It belongs to this entry from now on. */
  readonly subject?: string;
  readonly suspended?: Suspension;
  readonly isRestored?: true;
  readonly fullName?: string;
  readonly role?: Role;
  readonly joins: readonly string[];
  readonly leaves: readonly string[];
  /** Null: the value is removed. */
  readonly profile: readonly (readonly [field: string, value: string | null])[];
  readonly pictureDigest?: string;
}

/** Something that a run cannot do, with the reason, for the operator. */
export interface DirectoryProblem {
  /** The entry or the email that it is about. */
  readonly about: string;
  readonly reason: string;
}

/** What a run would do. */
export interface DirectoryPlan {
  /** In the order in which they must be made. */
  readonly changes: readonly DirectoryChange[];
  readonly problems: readonly DirectoryProblem[];
  /** Active accounts that belong to entries of the directory, those that this run would link included. */
  readonly linked: number;
  readonly suspensions: number;
}
