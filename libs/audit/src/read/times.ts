import type { Instant } from '@annals/kernel/domain';

/** A time as the audit interface writes it: RFC 3339, UTC, with milliseconds. */
export const rfc3339 = (at: Instant): string => new Date(at).toISOString();
