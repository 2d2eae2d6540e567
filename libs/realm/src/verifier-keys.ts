import type { RealmId } from '@annals/kernel/domain';

/** The key that verifies the checkpoints of an organization's log. The context that signs them provides it. */
export abstract class VerifierKeys {
  /** As a verifier string of a C2SP signed note. Null before the first checkpoint */
  abstract of(realmId: RealmId): Promise<string | null>;
}
