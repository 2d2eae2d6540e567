import type { SentencePart } from '@annals/kernel';
import { listed, thing } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import type { Place } from '../domain/events';

/** " in the topic “plan” of #general", or " in the conversation with Ada and Bob". @param without a user who is not named */
export function inPlace(place: Place, without?: UserId): SentencePart[] {
  if ('topicId' in place) return [' in ', thing.topic(place.topicId), ' of ', thing.channel(place.channelId)];
  return [' in the conversation ', ...withOthers(place.userIds, without)];
}

/** "with Ada and Bob", or "with themselves". */
export function withOthers(userIds: readonly UserId[], without?: UserId): SentencePart[] {
  const others = userIds.filter((id) => id !== without);
  return ['with ', ...(others.length === 0 ? ['themselves'] : listed(others.map((id) => thing.user(id))))];
}
