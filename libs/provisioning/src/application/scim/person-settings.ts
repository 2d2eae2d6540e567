import type { Work } from '@annals/kernel';
import type { Language, UserId } from '@annals/kernel/domain';
import { LANGUAGE_CODES } from '@annals/kernel/domain';
import { changeOwnSettings, isTimezone, ownSettingsAggregate } from '@annals/users';
import type { UserDescription } from '../../domain/scim/resource/user-state';

/**
 * Language and time zone that a directory says become settings, when they are new and Annals knows them. What the person
 * chooses later stays until the directory says something else.
 */
export async function followDirectory(
  work: Work,
  userId: UserId,
  before: UserDescription,
  { locale, timezone }: UserDescription,
): Promise<void> {
  const language = locale === before.locale || locale === null ? undefined : languageOf(locale);
  const isNewZone = timezone !== null && timezone !== before.timezone && isTimezone(timezone);
  if (language === undefined && !isNewZone) return;
  const wanted = { ...(language !== undefined && { default_language: language }), ...(isNewZone && { timezone }) };
  await work.decide(ownSettingsAggregate, userId, (state) => changeOwnSettings(state, userId, wanted));
}

/** `de-CH` is `de` if there is no `de-ch`. */
function languageOf(locale: string): Language | undefined {
  const code = locale.toLowerCase().replaceAll('_', '-');
  const [base = ''] = code.split('-');
  return LANGUAGE_CODES.find((one) => one === code) ?? LANGUAGE_CODES.find((one) => one === base);
}
