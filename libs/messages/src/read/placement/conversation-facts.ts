import { createHash } from 'node:crypto';
import { Kernel } from '@annals/kernel';
import type { Aggregate, ConversationId, MessageId, RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Conversation } from '../../domain/conversation';
import { conversationAggregate, conversationKey } from '../../domain/conversation';
import type { ConversationEvent } from '../../domain/events';

/** The aggregate store looks up by the name of the stream, so the type of the key does not matter. */
const ANY_KEY = conversationAggregate as Aggregate<Conversation | null, ConversationEvent>;

/** Key of the conversation of some users. @param people distinct, ascending */
export const keyOfConversation = (people: readonly UserId[]): string =>
  conversationKey(people, (ids) => createHash('sha256').update(ids).digest('hex'));

/** Conversations by their users, from the cache of aggregates. */
@Injectable()
export class ConversationFacts {
  constructor(private readonly kernel: Kernel) {}

  /** @returns undefined when these users have no conversation */
  async between(realmId: RealmId, people: readonly UserId[]): Promise<ConversationId | undefined> {
    const stream = conversationAggregate.stream(keyOfConversation(people));
    const { state } = await this.kernel.aggregates.load(realmId, ANY_KEY, stream);
    return state?.id;
  }
}

/** The newest message of a conversation; undefined when it has none. */
export async function newestInConversation(
  pool: Pool,
  realmId: RealmId,
  conversation: ConversationId,
): Promise<MessageId | undefined> {
  const { rows } = await pool.query<{ id: MessageId }>({
    name: 'messages-newest-in-conversation',
    text: `SELECT m.message_id AS id FROM view.messages AS m WHERE m.realm_id = $1 AND m.conversation_id = $2::int4
      ORDER BY m.conversation_id DESC, m.message_id DESC LIMIT 1`,
    values: [realmId, conversation],
  });
  return rows[0]?.id;
}
