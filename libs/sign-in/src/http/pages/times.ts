import type { Language } from '@annals/kernel/domain';

/** Writes times in a language. @param timezone IANA identifier of the reader. Empty for UTC, which is then written too */
export function timesIn(language: Language, timezone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone === '' ? 'UTC' : timezone,
    ...(timezone === '' && { timeZoneName: 'short' as const }),
  });
  return (ms) => format.format(ms);
}
