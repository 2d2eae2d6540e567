import type { WireGroupSetting } from '@annals/kernel/domain';
import type { Answer, Params } from '../server/caller';
import { granted } from '../server/caller';
import { addEmoji } from '../requests/emoji';
import type { Person } from '../server/organization';
import { ORGANIZATION_DELETIONS } from './deletion-acts';
import { MANAGING_ALL } from './group-acts';
import { ORGANIZATION_MOVES } from './moving-acts';
import type { Act, Stage } from './stage';
import { KINDS } from './stage';

const ADMINISTRATORS = ['owner', 'administrator'] as const;
const BOTS = ['bot', 'bot of an administrator'] as const;
const NON_GUESTS = KINDS.filter((kind) => kind !== 'guest');
const DELETING = ['can_delete_any_message_group', 'can_delete_own_message_group'] as const;
const NOT_ADMINISTERED = 'CANNOT_ADMINISTER_CHANNEL';

/** An act that depends on the organization's setting alone, or also on others. */
const act = (
  setting: string,
  what: string,
  does: (stage: Stage, by: Person) => Promise<Answer>,
  more: Partial<Act> = {},
): Act => ({
  ...more,
  setting,
  what,
  async attempt(stage, value: WireGroupSetting, by) {
    await stage.organization({ [setting]: value });
    return does(stage, by);
  },
});

const creating =
  (input: Params) =>
  (stage: Stage, by: Person): Promise<Answer> =>
    by.post('/channels/create', { name: stage.word(), subscribers: [], ...input });

const subscribing =
  (input: Params) =>
  (stage: Stage, by: Person): Promise<Answer> =>
    by.post('/users/me/subscriptions', { subscriptions: [{ name: stage.word() }], ...input });

/** Changing a channel that all members administer, with the caller as its only subscriber. */
const changing = (input: Params, before: Params = {}) =>
  async function change(stage: Stage, by: Person) {
    const administered = { can_administer_channel_group: stage.groups['members'] };
    const { id } = await stage.channel({ subscribers: stage.present([by]), ...administered, ...before });
    return by.patch(`/streams/${id}`, input);
  };

const PRIVATE = { invite_only: true, history_public_to_subscribers: true };

/** A channel with more subscribers, all of whom wrote in one topic, than may be mentioned without permission. */
const crowd = (stage: Stage) => stage.once('crowd', () => gather(stage));

async function gather(stage: Stage): Promise<number> {
  const bots: Person[] = [];
  while (bots.length < 16) bots.push(await stage.server.bot(stage.keeper));
  const { id } = await stage.channel({ subscribers: [...stage.present(), ...bots.map((bot) => bot.id)] });
  for (const bot of bots) granted(await send(bot, id, 'here'));
  return id;
}

const send = (by: Person, to: number, content: string) =>
  by.post('/messages', { type: 'channel', to, topic: 'many', content });

const write = (by: Person, to: readonly Person[]) =>
  by.post('/messages', { type: 'direct', to: to.map(({ id }) => id), content: 'may I?' });

const makeBot = (stage: Stage, by: Person, bot_type: number) =>
  by.post('/bots', { full_name: 'Made', short_name: stage.word(), bot_type });

/** The words of the newest event, for a caller who may audit. */
async function wordsOf(stage: Stage, by: Person): Promise<Answer> {
  await stage.organization({ can_audit_group: stage.groups['members'] });
  const answer = await by.get<{ events?: { words_state: string }[] }>('/audit/events', {
    types: ['users.AccountCreated'],
    limit: 1,
  });
  if (answer.body.events?.[0]?.words_state !== 'withheld') return answer;
  const body = { result: 'error', msg: 'the words are withheld', code: 'UNAUTHORIZED_AUDIT' };
  return { ...answer, status: 403, body };
}

/** The act that each permission of the organization allows (contract/permissions.md section 5). */
export const ORGANIZATION_ACTS: readonly Act[] = [
  // All others see all users, with any value; the bystander shares nothing with the callers.
  act('can_access_all_users_group', 'looking somebody up', (stage, by) => by.get(`/users/${stage.bystander.id}`), {
    always: NON_GUESTS,
  }),
  act(
    'can_access_all_users_group',
    'writing to somebody for the first time',
    (stage, by) => write(by, [stage.bystander]),
    {
      always: NON_GUESTS,
    },
  ),

  act(
    'can_add_subscribers_group',
    'adding somebody to a channel',
    async (stage, by) => {
      const { name } = await stage.channel({ subscribers: stage.present([by]) });
      return by.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [stage.bystander.id] });
    },
    { always: ADMINISTRATORS },
  ),

  act('can_create_public_channel_group', 'creating one', creating({})),
  act('can_create_public_channel_group', 'subscribing to one that is new', subscribing({})),
  act('can_create_public_channel_group', 'making one public', changing({ is_private: false }, PRIVATE), {
    codeForGuests: NOT_ADMINISTERED,
  }),

  act('can_create_private_channel_group', 'creating one', creating(PRIVATE)),
  act('can_create_private_channel_group', 'subscribing to one that is new', subscribing(PRIVATE)),
  act('can_create_private_channel_group', 'making one private', changing({ is_private: true }), {
    codeForGuests: NOT_ADMINISTERED,
  }),

  act('can_create_web_public_channel_group', 'creating one', creating({ is_web_public: true })),
  act('can_create_web_public_channel_group', 'subscribing to one that is new', subscribing({ is_web_public: true })),
  act('can_create_web_public_channel_group', 'opening one', changing({ is_web_public: true }), {
    codeForGuests: NOT_ADMINISTERED,
  }),

  act('can_audit_group', 'reading the history', (_, by) => by.get('/audit/events', { limit: 1 }), {
    code: 'UNAUTHORIZED_AUDIT',
  }),
  act('can_audit_content_group', 'reading what people wrote', wordsOf, { code: 'UNAUTHORIZED_AUDIT' }),

  act('can_create_groups', 'creating one', (stage, by) =>
    by.post('/user_groups/create', { name: stage.word(), description: '', members: [] }),
  ),
  ...MANAGING_ALL,

  act('can_set_delete_message_policy_group', 'giving a permission to delete in a new channel', (stage, by) =>
    creating({ can_delete_any_message_group: stage.groups['members'] })(stage, by),
  ),
  ...DELETING.map((name) =>
    act(
      'can_set_delete_message_policy_group',
      `changing ${name} of a channel`,
      (stage, by) => changing({ [name]: { new: stage.groups['members'] } })(stage, by),
      { codeForGuests: NOT_ADMINISTERED },
    ),
  ),

  ...DELETING.map((name) => ({
    setting: 'can_set_delete_message_policy_group',
    what: `taking ${name} of a channel from all`,
    inTurn: true,
    always: NON_GUESTS,
    codeForGuests: NOT_ADMINISTERED,
    async attempt(stage: Stage, value: WireGroupSetting, by: Person) {
      const { members, nobody } = stage.groups;
      await stage.organization({ can_set_delete_message_policy_group: members });
      const input = { can_administer_channel_group: members, [name]: members };
      const { id } = await stage.channel({ subscribers: stage.present([by]), ...input });
      await stage.organization({ can_set_delete_message_policy_group: value });
      return by.patch(`/streams/${id}`, { [name]: { new: nobody } });
    },
  })),

  // Guests neither create channels nor administer them.
  act('can_set_topics_policy_group', 'creating a channel', creating({ topics_policy: 'allow_empty_topic' }), {
    never: ['guest'],
  }),
  act('can_set_topics_policy_group', 'changing a channel', changing({ topics_policy: 'disable_empty_topic' }), {
    never: ['guest'],
    codeForGuests: NOT_ADMINISTERED,
  }),

  {
    setting: 'can_set_topics_policy_group',
    what: 'going back to the policy of the organization',
    inTurn: true,
    always: NON_GUESTS,
    never: ['guest'],
    codeForGuests: NOT_ADMINISTERED,
    async attempt(stage, value, by) {
      const { members } = stage.groups;
      await stage.organization({ can_set_topics_policy_group: members });
      const input = { can_administer_channel_group: members, topics_policy: 'allow_empty_topic' };
      const { id } = await stage.channel({ subscribers: stage.present([by]), ...input });
      await stage.organization({ can_set_topics_policy_group: value });
      return by.patch(`/streams/${id}`, { topics_policy: 'inherit' });
    },
  },

  act(
    'can_mention_many_users_group',
    'calling a channel',
    async (stage, by) => send(by, await crowd(stage), '@**all**'),
    { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' },
  ),
  act(
    'can_mention_many_users_group',
    'calling a topic',
    async (stage, by) => send(by, await crowd(stage), '@**topic**'),
    { code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' },
  ),

  {
    setting: 'direct_message_initiator_group',
    what: 'beginning a conversation',
    always: BOTS,
    async attempt(stage, value, by) {
      await stage.organization({ direct_message_initiator_group: value });
      const newcomer = () => stage.server.person({ role: 'guest' });
      return write(by, [await stage.once(`newcomer for ${JSON.stringify(value)}`, newcomer)]);
    },
  },
  // None of the values contains the bystander, except one that includes everybody.
  act(
    'direct_message_permission_group',
    'writing to somebody without it',
    (stage, by) => write(by, [stage.bystander]),
    {
      always: BOTS,
    },
  ),

  act('can_invite_users_group', 'the permission in POST /register', async (_, by) => {
    const answer = await by.post('/register', { event_types: ['realm_user'] });
    if (answer.body['can_invite_others_to_realm']) return answer;
    return { ...answer, status: 400, body: { result: 'error', msg: '', code: 'BAD_REQUEST' } };
  }),
  act(
    'can_invite_users_group',
    'inviting somebody by mail',
    (stage, by) => by.post('/invites', { invitee_emails: `${stage.word()}@example.com`, stream_ids: [] }),
    { never: BOTS },
  ),
  act('create_multiuse_invite_group', 'creating a link', (_, by) => by.post('/invites/multiuse'), { never: BOTS }),
  act('can_create_bots_group', 'making one', (stage, by) => makeBot(stage, by, 1), { never: BOTS }),
  act(
    'can_create_bots_group',
    'making one for incoming webhooks',
    async (stage, by) => {
      await stage.organization({ can_create_write_only_bots_group: stage.groups['nobody'] });
      return makeBot(stage, by, 2);
    },
    { never: BOTS },
  ),
  act(
    'can_create_write_only_bots_group',
    'making one for incoming webhooks',
    async (stage, by) => {
      await stage.organization({ can_create_bots_group: stage.groups['nobody'] });
      return makeBot(stage, by, 2);
    },
    { never: BOTS },
  ),
  act('can_add_custom_emoji_group', 'adding an emoji', (stage, by) => addEmoji(by, stage.word())),
  ...ORGANIZATION_DELETIONS,
  ...ORGANIZATION_MOVES,
];
