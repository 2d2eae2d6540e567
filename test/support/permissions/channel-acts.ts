import type { WireGroupSetting } from '@annals/kernel/domain';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import { CHANNEL_DELETIONS } from './deletion-acts';
import { CHANNEL_MOVES } from './moving-acts';
import type { Act, Stage } from './stage';

const ADMINISTRATORS = ['owner', 'administrator'] as const;

type Setting = Readonly<Record<string, WireGroupSetting>>;

/** A public channel whose only subscriber is the caller. */
const open = (stage: Stage, setting: Setting, by: Person) =>
  stage.channel({ subscribers: stage.present([by]), ...setting });

/** A private channel without subscribers. */
const closed = (stage: Stage, setting: Setting) =>
  stage.channel({ invite_only: true, history_public_to_subscribers: true, ...setting });

const post = (by: Person, to: number, topic: string) =>
  by.post('/messages', { type: 'channel', to, topic, content: 'may I?' });

const subscribe = (by: Person, name: string, people: readonly Person[] = []) =>
  by.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: people.map(({ id }) => id) });

/** Takes the organization's permission to add others away, so that only that of the channel counts. */
const withoutOrganization = (stage: Stage) => stage.organization({ can_add_subscribers_group: stage.groups['nobody'] });

/** The act that each permission of a channel allows (contract/permissions.md section 4). */
export const CHANNEL_ACTS: readonly Act[] = [
  {
    setting: 'can_send_message_group',
    what: 'posting in a topic that is there',
    lendsToBots: true,
    async attempt(stage, value, by) {
      const { id } = await open(stage, {}, by);
      granted(await post(stage.keeper, id, 'old'));
      granted(await stage.keeper.patch(`/streams/${id}`, { can_send_message_group: { new: value } }));
      return post(by, id, 'old');
    },
  },
  {
    setting: 'can_create_topic_group',
    what: 'beginning a topic',
    lendsToBots: true,
    async attempt(stage, value, by) {
      const { id } = await open(stage, { can_create_topic_group: value }, by);
      return post(by, id, 'new');
    },
  },
  {
    setting: 'can_subscribe_group',
    what: 'subscribing to a private channel',
    attempt: async (stage, value, by) => subscribe(by, (await closed(stage, { can_subscribe_group: value })).name),
  },
  {
    setting: 'can_add_subscribers_group',
    what: 'subscribing to a private channel',
    attempt: async (stage, value, by) =>
      subscribe(by, (await closed(stage, { can_add_subscribers_group: value })).name),
  },
  {
    setting: 'can_add_subscribers_group',
    what: 'adding somebody to a private channel from outside',
    async attempt(stage, value, by) {
      await withoutOrganization(stage);
      return subscribe(by, (await closed(stage, { can_add_subscribers_group: value })).name, [stage.bystander]);
    },
  },
  {
    setting: 'can_add_subscribers_group',
    what: 'adding somebody to a public channel',
    always: ADMINISTRATORS,
    async attempt(stage, value, by) {
      await withoutOrganization(stage);
      return subscribe(by, (await open(stage, { can_add_subscribers_group: value }, by)).name, [stage.bystander]);
    },
  },
  {
    setting: 'can_remove_subscribers_group',
    what: 'taking somebody out',
    always: ADMINISTRATORS,
    async attempt(stage, value, by) {
      const subscribers = stage.present([by, stage.bystander]);
      const { name } = await stage.channel({ subscribers, can_remove_subscribers_group: value });
      return by.delete('/users/me/subscriptions', { subscriptions: [name], principals: [stage.bystander.id] });
    },
  },
  {
    setting: 'can_administer_channel_group',
    what: 'describing it',
    always: ADMINISTRATORS,
    code: 'CANNOT_ADMINISTER_CHANNEL',
    async attempt(stage, value, by) {
      const { id } = await open(stage, { can_administer_channel_group: value }, by);
      return by.patch(`/streams/${id}`, { description: 'changed' });
    },
  },
  {
    setting: 'can_administer_channel_group',
    what: 'giving a permission of a private channel from outside',
    always: ADMINISTRATORS,
    async attempt(stage, value, by) {
      const { id } = await closed(stage, { can_administer_channel_group: value });
      return by.patch(`/streams/${id}`, { can_send_message_group: { new: stage.groups['members'] } });
    },
  },
  {
    setting: 'can_administer_channel_group',
    what: 'archiving it',
    always: ADMINISTRATORS,
    code: 'CANNOT_ADMINISTER_CHANNEL',
    attempt: async (stage, value, by) =>
      by.delete(`/streams/${(await open(stage, { can_administer_channel_group: value }, by)).id}`),
  },
  {
    setting: 'can_administer_channel_group',
    what: 'adding somebody to it',
    always: ADMINISTRATORS,
    async attempt(stage, value, by) {
      await withoutOrganization(stage);
      return subscribe(by, (await open(stage, { can_administer_channel_group: value }, by)).name, [stage.bystander]);
    },
  },
  ...CHANNEL_DELETIONS,
  ...CHANNEL_MOVES,
];
