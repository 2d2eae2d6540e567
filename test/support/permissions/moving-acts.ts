import type { WireGroupSetting } from '@annals/kernel/domain';
import type { Answer, Params } from '../server/caller';
import type { Person } from '../server/organization';
import type { Act, Stage } from './stage';

const ADMINISTRATORS = ['owner', 'administrator'] as const;

/** Settings of the organization, each with that of a channel beside it (contract/messages.md section 5.1). */
const RULES = {
  can_move_messages_between_topics_group: {
    ofChannel: 'can_move_messages_within_channel_group',
    what: 'moving a message to another topic',
    request: { topic: 'dinner' },
    always: ADMINISTRATORS,
  },
  can_move_messages_between_channels_group: {
    ofChannel: 'can_move_messages_out_of_channel_group',
    what: 'moving a message to another channel',
    request: {},
    always: ADMINISTRATORS,
  },
  can_resolve_topics_group: {
    ofChannel: 'can_resolve_topics_group',
    what: 'resolving a topic',
    request: { topic: '✔ lunch', propagate_mode: 'change_all' },
    always: [],
  },
} as const satisfies Record<string, { ofChannel: string; what: string; request: Params; always: readonly unknown[] }>;
type Setting = keyof typeof RULES;
const NAMES = Object.keys(RULES) as Setting[];

/** Moves a message of the keeper out of a channel that one is subscribed to, or within it. */
async function move(stage: Stage, setting: Setting, by: Person, settings: Params): Promise<Answer> {
  const subscribers = stage.present([by, stage.keeper]);
  const { id } = await stage.channel({ subscribers, ...settings });
  const message = { type: 'channel', to: id, topic: 'lunch', content: 'here' };
  const sent = await stage.keeper.post<{ id: number }>('/messages', message);
  const isBetween = setting === 'can_move_messages_between_channels_group';
  const elsewhere = isBetween ? { stream_id: (await stage.channel({ subscribers })).id } : {};
  return by.patch(`/messages/${sent.body.id}`, { ...RULES[setting].request, ...elsewhere });
}

/** Lets the organization's settings be this and that of `setting` another. */
const organization = (stage: Stage, setting: Setting | null, value: WireGroupSetting | undefined) =>
  stage.organization(
    Object.fromEntries(NAMES.map((name) => [name, name === setting ? value : stage.groups['nobody']])),
  );

/** The acts that the organization's permissions to move allow. */
export const ORGANIZATION_MOVES: readonly Act[] = NAMES.map((setting) => ({
  setting,
  what: RULES[setting].what,
  always: RULES[setting].always,
  async attempt(stage, value, by) {
    await organization(stage, setting, value);
    return move(stage, setting, by, {});
  },
}));

/** The acts that those of a channel allow. */
export const CHANNEL_MOVES: readonly Act[] = NAMES.map((setting) => ({
  setting: RULES[setting].ofChannel,
  what: RULES[setting].what,
  always: RULES[setting].always,
  async attempt(stage, value, by) {
    await organization(stage, null, undefined);
    return move(stage, setting, by, { [RULES[setting].ofChannel]: value });
  },
}));
