import type { FactCache, Verifier } from '@annals/kernel';
import { Kernel, parseVerifier } from '@annals/kernel';
import type { RealmId, Recorded } from '@annals/kernel/domain';
import { VerifierKeys } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { SigningKeyChanged } from '../domain/events';
import { signingKeyAggregate } from '../domain/signing-key';

/** The key of a log since a position. */
export interface KeyPeriod {
  readonly since: number;
  readonly verifier: Verifier;
  readonly event: Recorded<SigningKeyChanged>;
}

/** All keys of a log, the oldest first. */
export async function readSigningKeys(
  { events: log }: Pick<Kernel, 'events'>,
  realmId: RealmId,
  client?: ClientBase,
): Promise<KeyPeriod[]> {
  const stream = signingKeyAggregate.stream('signing-key');
  const events = (await log.stream(realmId, stream, 0, client)) as Recorded<SigningKeyChanged>[];
  return events.flatMap((event) => {
    const verifier = parseVerifier(event.data.verifier);
    return verifier ? [{ since: event.position, verifier, event }] : [];
  });
}

/** The key that signs the log at a size. */
export const keyAt = (keys: readonly KeyPeriod[], size: number): KeyPeriod | null =>
  keys.findLast(({ since }) => since <= size) ?? null;

/** The key of each organization, cached in the process. Exact after the fence. */
@Injectable()
export class SigningKeyFacts extends VerifierKeys {
  private readonly keys: FactCache<string>;

  constructor(kernel: Kernel) {
    super();
    this.keys = kernel.facts<string>({
      touched: ({ type }) => (type === 'audit.SigningKeyChanged' ? ['key'] : []),
      load: async (realmId) => {
        const newest = (await readSigningKeys(kernel, realmId)).at(-1);
        return new Map(newest ? [['key', newest.event.data.verifier]] : []);
      },
    });
  }

  override async of(realmId: RealmId): Promise<string | null> {
    return (await this.keys.get(realmId, 'key')) ?? null;
  }
}
