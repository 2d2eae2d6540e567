import type { Actor } from '@annals/kernel/domain';
import { nullable, t, words } from '@annals/kernel/domain';
import { READING_REASONS } from '@annals/messages';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { ReadLife } from '../../application/read-life';
import { STATES } from '../../read/life/things';
import { entryShape } from '../trail/shapes';
import {
  AudienceParams,
  ChannelLifeParams,
  GroupLifeParams,
  MessageLifeParams,
  TopicLifeParams,
  UserLifeParams,
} from './life.params';

const life = (summary: string) =>
  ({
    audience: 'anyone',
    section: 'audit 3',
    summary,
    returns: t.Object({
      subject: t.String(),
      state: words(...STATES),
      events: t.Array(entryShape),
      next_cursor: nullable(t.String()),
    }),
  }) as const;

/** All events about one thing, oldest first (contract/audit.md section 3). */
@Controller()
export class LifeController {
  constructor(private readonly life: ReadLife) {}

  @Endpoint('GET', 'audit/messages/:message_id', life('The life of a message'))
  message(@By() by: Actor, @Params(MessageLifeParams) params: MessageLifeParams) {
    return this.life.page(by, { kind: 'message', id: params.message_id }, params);
  }

  @Endpoint('GET', 'audit/messages/:message_id/audience', {
    audience: 'anyone',
    section: 'audit 3',
    summary: 'Who could read a message at a moment',
    returns: t.Object({
      readers: t.Array(t.Object({ user_id: t.Integer(), because: words(...READING_REASONS) })),
      as_of_position: t.Integer(),
    }),
  })
  async audience(@By() by: Actor, @Params(AudienceParams) { message_id: id, as_of }: AudienceParams) {
    const { readers, position } = await this.life.audience(by, id, as_of);
    return {
      readers: readers.map(({ userId, because }) => ({ user_id: userId, because })),
      as_of_position: position,
    };
  }

  @Endpoint('GET', 'audit/topics/:topic_id', life('The life of a topic'))
  topic(@By() by: Actor, @Params(TopicLifeParams) params: TopicLifeParams) {
    return this.life.page(by, { kind: 'topic', id: params.topic_id }, params);
  }

  @Endpoint('GET', 'audit/channels/:channel_id', life('The life of a channel'))
  channel(@By() by: Actor, @Params(ChannelLifeParams) params: ChannelLifeParams) {
    return this.life.page(by, { kind: 'channel', id: params.channel_id }, params);
  }

  @Endpoint('GET', 'audit/users/:user_id', life('The life of an account'))
  user(@By() by: Actor, @Params(UserLifeParams) params: UserLifeParams) {
    return this.life.page(by, { kind: 'user', id: params.user_id }, params);
  }

  @Endpoint('GET', 'audit/groups/:group_id', life('The life of a group'))
  group(@By() by: Actor, @Params(GroupLifeParams) params: GroupLifeParams) {
    return this.life.page(by, { kind: 'group', id: params.group_id }, params);
  }
}
