import { Kernel } from '@annals/kernel';
import type { ConversationId, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { MailedConversation } from '@annals/mail';
import { MailOptions, readReply, replyText } from '@annals/mail';
import type { Destination } from '@annals/messages';
import { readUsers } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { MailTokens } from './mail-tokens';

/** How long an address takes answers. */
const VALID_DAYS = 5;

/** A topic, or users who exchange direct messages. */
export type RepliedConversation = { readonly topicId: TopicId } | { readonly conversationId: ConversationId };

/** Who answers by mail, and where the answer belongs. */
export interface ReplyTarget {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** Where the conversation is now. */
  readonly to: Destination;
}

/**
 * Addresses for answers to mails about messages. Each is for one user and one conversation, and expires. Whoever has it answers as that
 * user, so it is in no log.
 */
@Injectable()
export class ReplyAddresses {
  constructor(
    private readonly kernel: Kernel,
    private readonly options: MailOptions,
    private readonly tokens: MailTokens,
  ) {}

  /** A new address. Null if this server receives no mail. */
  async of(realmId: RealmId, userId: UserId, conversation: RepliedConversation): Promise<string | null> {
    if (this.options.pattern === null) return null;
    const expiresAt = Math.ceil((this.kernel.clock.now() + VALID_DAYS * DAY_MS) / 1_000);
    const named =
      'topicId' in conversation
        ? ({ kind: 'topic', id: conversation.topicId } as const)
        : ({ kind: 'direct', id: conversation.conversationId } as const);
    return this.options.incoming(await this.tokens.sign(realmId, replyText({ realmId, userId, ...named, expiresAt })));
  }

  /**
   * What an address stands for. The message is sent by the rules for any other message of the user.
   *
   * @param token the part of the address that tells it apart
   * @returns null for a token that is no such address, or too old, and when the user or the conversation is gone
   */
  async resolve(token: string): Promise<ReplyTarget | null> {
    const named = readReply(token);
    if (named === null) return null;
    const { realmId, userId } = named;
    if (!(await this.exists(realmId)) || (await this.tokens.textOf(realmId, token)) === null) return null;
    if (named.expiresAt * 1_000 <= this.kernel.clock.now()) return null;
    await this.kernel.fence.reach(realmId);
    const [account] = await readUsers(this.kernel.database.pool, realmId, [userId]);
    const to = await this.destination(realmId, named);
    return account?.isActive && account.botType === null && to ? { realmId, userId, to } : null;
  }

  private async exists(realmId: RealmId): Promise<boolean> {
    const { rowCount } = await this.kernel.database.pool.query({
      name: 'email-realm-exists',
      text: 'SELECT FROM realm_heads WHERE realm_id = $1',
      values: [realmId],
    });
    return rowCount === 1;
  }

  private async destination(realmId: RealmId, { kind, id }: MailedConversation): Promise<Destination | null> {
    const { pool } = this.kernel.database;
    if (kind === 'topic') {
      const { rows } = await pool.query<{ channel: number; topic: string }>({
        name: 'email-topic-place',
        text: 'SELECT channel_id AS channel, name AS topic FROM view.topics WHERE realm_id = $1 AND topic_id = $2',
        values: [realmId, id],
      });
      return rows[0] ?? null;
    }
    const { rows } = await pool.query<{ people: (string | number)[] }>({
      name: 'email-conversation-people',
      text: 'SELECT user_ids AS people FROM view.conversations WHERE realm_id = $1 AND conversation_id = $2',
      values: [realmId, id],
    });
    return rows[0] ? { people: rows[0].people.map(Number) } : null;
  }
}
