import type { Guard } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';

const PAIRS = `SELECT k.ord FROM (
  SELECT realm_id, split_part(key, ':', 1)::int4 AS channel_id, split_part(key, ':', 2)::int4 AS user_id, ord
  FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)) AS k`;
const MEMBERSHIP = `SELECT FROM view.memberships AS m WHERE m.realm_id = k.realm_id
  AND m.channel_id = k.channel_id AND m.user_id = k.user_id AND m.to_position IS NULL`;

/** Key of one person in one channel. */
export const memberKey = (channel: ChannelId, user: UserId): string => `${channel}:${user}`;

/** The person is subscribed; key `channel:user`. Whoever unsubscribes people declares it as changed. */
export const stillMember: Guard = {
  name: 'still-member',
  failing: `${PAIRS} WHERE NOT EXISTS (${MEMBERSHIP})`,
};

/** The person is not subscribed; key `channel:user`. Whoever subscribes people declares it as changed. */
export const notYetMember: Guard = {
  name: 'not-yet-member',
  failing: `${PAIRS} WHERE EXISTS (${MEMBERSHIP})`,
};

/** The channel no longer counts as recently active; key is its id. Whoever lets it count again declares it as changed. */
export const stillDormant: Guard = {
  name: 'still-dormant',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE NOT EXISTS (SELECT FROM view.channel_activity AS a WHERE a.realm_id = k.realm_id
      AND a.channel_id = k.key::int4 AND NOT a.is_recently_active)`,
};

/** No channel has this name, archived ones included; key is the name in lower case (`nameKey`). */
export const channelNameFree: Guard = {
  name: 'channel-name-free',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.channels AS c WHERE c.realm_id = k.realm_id AND c.name_key = k.key)`,
};

const CHANNELS = `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)`;

/** No channel is in this folder, archived ones included; key is the folder's id. Whoever chooses a folder declares it. */
export const folderEmpty: Guard = {
  name: 'folder-empty',
  failing: `${CHANNELS} WHERE EXISTS (SELECT FROM view.channels AS c
    WHERE c.realm_id = k.realm_id AND c.folder_id = k.key::int4)`,
};

/** Somebody is subscribed; key is the channel's id. Whoever unsubscribes people declares it. */
export const hasSubscribers: Guard = {
  name: 'has-subscribers',
  failing: `${CHANNELS} WHERE NOT EXISTS (SELECT FROM view.memberships AS m
    WHERE m.realm_id = k.realm_id AND m.channel_id = k.key::int4 AND m.to_position IS NULL)`,
};

/** No topic but the empty one has been begun; key is the channel's id. Whoever begins one declares it. */
export const noNamedTopics: Guard = {
  name: 'no-named-topics',
  failing: `${CHANNELS} WHERE EXISTS (SELECT FROM view.channels_with_topics AS t
    WHERE t.realm_id = k.realm_id AND t.channel_id = k.key::int4)`,
};
