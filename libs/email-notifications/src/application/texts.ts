import type { Language } from '@annals/kernel/domain';
import type { TextKey, Translate } from '@annals/languages';
import type { NotificationReason } from '@annals/push';

/** Names in a list that are written out. */
const MOST_NAMES = 3;

/** Some names as one text: `A, B and C`, or `A, B, C and 4 other people`. @param unnamed people who are counted without a name */
export function listedNames(names: readonly string[], language: Language, t: Translate, unnamed = 0): string {
  const shown = names.slice(0, MOST_NAMES);
  const rest = names.length - shown.length + unnamed;
  if (rest > 0) return t('emailNotifications.namesAndOthers', { names: shown.join(', '), count: rest });
  return new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(shown);
}

/** The codes of the interface, as JavaScript knows them. English where it knows none. */
export function localeOf(language: Language): string {
  return Intl.ListFormat.supportedLocalesOf(language).length > 0 ? language : 'en';
}

const REASONS: Readonly<Record<NotificationReason['trigger'], TextKey>> = {
  'direct message': 'emailNotifications.becauseDirect',
  mention: 'emailNotifications.becauseMention',
  'topic wildcard in followed topic': 'emailNotifications.becauseTopicWildcard',
  'channel wildcard in followed topic': 'emailNotifications.becauseChannelWildcard',
  'topic wildcard': 'emailNotifications.becauseTopicWildcard',
  'channel wildcard': 'emailNotifications.becauseChannelWildcard',
  'followed topic': 'emailNotifications.becauseFollowed',
  channel: 'emailNotifications.becauseChannel',
};

/** The strongest reasons are first. */
const ORDER = Object.keys(REASONS) as NotificationReason['trigger'][];

/** Why a user receives a mail about several messages: the strongest reason of any of them. */
export function reasonText(reasons: readonly NotificationReason[], t: Translate): string {
  const [strongest] = [...reasons].sort((a, b) => rankOf(a) - rankOf(b));
  if (!strongest) return '';
  const { trigger, mentionedBy } = strongest;
  if (mentionedBy) return t('emailNotifications.becauseGroup', { group: mentionedBy.name });
  return t(REASONS[trigger]);
}

/** A mention by name is stronger than one by a group. */
const rankOf = ({ trigger, mentionedBy }: NotificationReason): number =>
  ORDER.indexOf(trigger) + (mentionedBy === null ? 0 : 0.5);
