import { longWork } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import { htmlOf } from '@annals/messages';
import type { ScheduledId } from '../domain/events';
import { othersIn } from '../domain/people';
import { ERASED_QUOTE } from '../domain/reminder';
import type { Planned } from './scheduled-row';

/** The facts for the record of a scheduled message or reminder. */
export interface Shown {
  readonly id: ScheduledId;
  readonly failed: boolean;
  readonly planned: Planned;
}

interface RecordFormat {
  readonly realmId: RealmId;
  readonly imagePreviews: boolean;
}

/** contract/scheduling.md section 1 */
export function presentScheduledMessage({ id, failed, planned }: Shown, look: RecordFormat) {
  const { target, userId, words } = planned;
  if (!target) throw new Error(`${id} is a reminder`);
  return {
    scheduled_message_id: id,
    ...('channelId' in target
      ? { type: 'stream', to: target.channelId, topic: words?.topic ?? '' }
      : { type: 'private', to: othersIn(target.userIds, userId) }),
    ...text(planned, look),
    scheduled_delivery_timestamp: unixSeconds(planned.dueAt),
    failed,
  };
}

/** contract/scheduling.md section 8 */
export const presentReminder = ({ id, failed, planned }: Shown, look: RecordFormat) => ({
  reminder_id: id,
  type: 'private',
  to: [planned.userId],
  ...text(planned, look),
  scheduled_delivery_timestamp: unixSeconds(planned.dueAt),
  failed,
  reminder_target_message_id: planned.messageId,
});

/**
 * The records of what is scheduled, in order. There may be many with long texts, so other long work runs in between.
 *
 * @param asker the user whose work it is
 */
export async function presentAll<Record>(
  shown: readonly Shown[],
  asker: string,
  present: (one: Shown) => Record,
): Promise<Record[]> {
  const records: Record[] = [];
  for (const one of shown) records.push((await longWork.run(asker, () => present(one))).result);
  return records;
}

function text({ position, words, messageId }: Planned, { realmId, imagePreviews }: RecordFormat) {
  const names = words?.names === undefined ? null : JSON.stringify(words.names);
  const content = words?.content ?? (messageId === null ? null : ERASED_QUOTE);
  return {
    content: content ?? '',
    rendered_content: htmlOf(realmId, { position, content, names }, imagePreviews),
  };
}
