import { ChannelFacts, seesContent } from '@annals/channels';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId, Instant, UserId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import { cutTopic, sentContent } from '@annals/messages';
import { UserAccess, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { DraftBody } from '../domain/draft';
import type { DraftDestination } from '../domain/events';
import { reject } from '../domain/rejections';

/** A draft as a request has it. */
export interface DraftInput {
  /** Empty for a draft without a destination. */
  readonly type: '' | 'private' | 'stream';
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** When the client last changed it. Left out for now. */
  readonly editedAt?: Instant;
}

/** Checks drafts: a destination is a channel that the actor can read, or users whom the actor can see. */
@Injectable()
export class DraftBodies {
  constructor(
    private readonly channels: ChannelFacts,
    private readonly users: UserFacts,
    private readonly access: UserAccess,
  ) {}

  /** @throws Rejected BAD_REQUEST for a blank text and for an unknown destination */
  async of({ actor, at }: Work, { type, to, topic, content, editedAt = at }: DraftInput): Promise<DraftBody> {
    const text = sentContent(content);
    if (type === 'stream') {
      const target = await this.channel(actor, to);
      return { target, topic: cutTopic(topic), content: text, editedAt };
    }
    const target = type === 'private' ? await this.people(actor, to) : null;
    return { target, topic: '', content: text, editedAt };
  }

  private async channel({ realmId, ...actor }: Actor, to: readonly number[]): Promise<DraftDestination> {
    const [id, ...others] = to as readonly ChannelId[];
    if (id === undefined || others.length > 0) throw reject.notOneChannel();
    const channel = await this.channels.byId(realmId, id);
    const own = await this.channels.subscribedBy(realmId, actor.userId);
    if (!channel || channel.isArchived || !seesContent(channel, actor, own.has(id))) throw reject.unknownChannel();
    return { channelId: id };
  }

  private async people(actor: Actor, to: readonly number[]): Promise<DraftDestination> {
    const ids = ascending(new Set(to as readonly UserId[]));
    if (ids.length === 0) return null;
    const accounts = await this.users.accounts(actor.realmId, ids);
    const hidden = await this.access.inaccessibleAmong(actor, ids);
    for (const id of ids) {
      const account = accounts.get(id);
      if (!account || hidden.has(id)) throw reject.unknownPerson({ id });
      if (!account.isActive) throw reject.deactivatedPerson({ id });
    }
    const others = ids.filter((id) => id !== actor.userId);
    return { userIds: others.length === 0 ? ids : others };
  }
}
