import type { Html, PageVisit } from '@annals/web';
import { choices } from '@annals/web';

/** Name of the parameter with the groups of default channels that somebody chooses when they join. */
export const CHANNEL_GROUPS = 'default_stream_group';

/** A group of default channels as forms for joining offer it. */
export interface OfferedGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** The question of a form for joining which groups of default channels somebody wants. Nothing where there are none. */
export const channelQuestion = (
  { t }: PageVisit,
  groups: readonly OfferedGroup[],
  ticked: readonly number[] = [],
): Html | null =>
  groups.length === 0
    ? null
    : choices({
        name: CHANNEL_GROUPS,
        label: t('invitations.interests'),
        hint: t('invitations.interestsHint'),
        choices: groups.map(({ id, name, description }) => ({ id, label: name, hint: description })),
        ticked,
      });
