import { Kernel } from '@annals/kernel';
import type { MessageId, Position, RealmId, Recorded } from '@annals/kernel/domain';
import { readDeletions } from '@annals/messages';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';

/** What has a life of its own in the history (contract/audit.md section 3). */
export const THINGS = ['message', 'topic', 'channel', 'user', 'group'] as const;
export type ThingKind = (typeof THINGS)[number];

/** What a thing is now. `erased`: it is deleted, and what people wrote of it is gone from the log. */
export const STATES = ['exists', 'deleted', 'erased'] as const;
export type ThingState = (typeof STATES)[number];

export interface Thing {
  readonly kind: ThingKind;
  readonly id: number;
}

/** The event with which a thing begins, and the one with which it ends, if any. All are in the stream of the thing. */
const BOUNDS: Readonly<Record<ThingKind, { readonly begins: readonly string[]; readonly ends: readonly string[] }>> = {
  message: { begins: ['messages.MessageSent'], ends: [] },
  topic: { begins: ['messages.TopicStarted'], ends: ['messages.TopicEnded'] },
  channel: { begins: ['channels.ChannelCreated'], ends: [] },
  user: { begins: ['users.AccountCreated'], ends: ['users.ProfileDeleted'] },
  group: { begins: ['groups.GroupCreated', 'groups.SystemGroupCreated'], ends: [] },
};

/** Finds out what has become of things. */
@Injectable()
export class Things {
  constructor(private readonly kernel: Kernel) {}

  /**
   * The state of a thing, and the position of its deletion; null for one that exists.
   *
   * @throws Rejected BAD_REQUEST for a thing that never existed
   */
  async find(realmId: RealmId, thing: Thing): Promise<{ state: ThingState; deletedAt: Position | null }> {
    const { begins, ends } = BOUNDS[thing.kind];
    const asked = { position: Number.MAX_SAFE_INTEGER as Position, types: [...begins, ...ends], lasting: [] };
    const events = await this.kernel.events.streamsUpTo(realmId, [`${thing.kind}-${thing.id}`], asked);
    const first = events.find(({ type }) => begins.includes(type));
    if (!first) throw reject.noSuchThing(thing);
    const end = events.findLast(({ type }) => ends.includes(type))?.position ?? null;
    const deletedAt = thing.kind === 'message' ? await this.deletionOf(realmId, thing.id as MessageId) : end;
    return { state: deletedAt === null ? 'exists' : isErased(first) ? 'erased' : 'deleted', deletedAt };
  }

  private async deletionOf(realmId: RealmId, id: MessageId): Promise<Position | null> {
    return (await readDeletions(this.kernel.database.pool, realmId, [id])).get(id) ?? null;
  }
}

const isErased = ({ sealed }: Recorded): boolean => sealed === 'erased';
