import type { WireGroupSetting } from '@annals/kernel/domain';
import type { Answer } from '../server/caller';
import type { Person } from '../server/organization';
import type { Act, Stage } from './stage';

const SETTINGS = ['can_delete_any_message_group', 'can_delete_own_message_group'] as const;
type Setting = (typeof SETTINGS)[number];

/** Deletes one's own message or that of the keeper, in a channel that one is subscribed to. */
async function remove(stage: Stage, setting: Setting, by: Person, channel: Record<string, unknown>): Promise<Answer> {
  const { id } = await stage.channel({ subscribers: stage.present([by, stage.keeper]), ...channel });
  const author = setting === 'can_delete_own_message_group' ? by : stage.keeper;
  const message = { type: 'channel', to: id, topic: 'lunch', content: 'may I?' };
  const sent = await author.post<{ id: number }>('/messages', message);
  // A deactivated user cannot send messages either.
  return sent.status === 200 ? by.delete(`/messages/${sent.body.id}`) : sent;
}

/** Lets the organization's settings be this and that of `setting` another. */
const organization = (stage: Stage, setting: Setting | null, value: WireGroupSetting | undefined) =>
  stage.organization(
    Object.fromEntries(SETTINGS.map((name) => [name, name === setting ? value : stage.groups['nobody']])),
  );

/** The acts that the organization's permissions to delete allow (contract/messages.md section 6.1). */
export const ORGANIZATION_DELETIONS: readonly Act[] = SETTINGS.map((setting) => ({
  setting,
  what: 'deleting a message',
  async attempt(stage, value, by) {
    await organization(stage, setting, value);
    return remove(stage, setting, by, {});
  },
}));

/** The acts that those of a channel allow. */
export const CHANNEL_DELETIONS: readonly Act[] = SETTINGS.map((setting) => ({
  setting,
  what: 'deleting a message',
  async attempt(stage, value, by) {
    await organization(stage, null, undefined);
    return remove(stage, setting, by, { [setting]: value });
  },
}));
