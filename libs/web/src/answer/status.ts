import type { Rejected } from '@annals/kernel/domain';

/** HTTP status by error code. Every other code has status 400 (contract/conventions.md section 4). */
const STATUS: Readonly<Record<string, number>> = {
  UNAUTHORIZED: 401,
  UNAUTHENTICATED_USER: 401,
  INVALID_API_KEY: 401,
  USER_DEACTIVATED: 401,
  REALM_DEACTIVATED: 401,
  AUTHENTICATION_FAILED: 401,
  PASSWORD_AUTH_DISABLED: 401,
  PASSWORD_RESET_REQUIRED: 401,
  TWO_FACTOR_CODE_REQUIRED: 401,
  REALM_UPLOAD_QUOTA: 403,
  REALM_LOG_QUOTA: 403,
  ADMIN_ACTION_REQUIRED: 403,
  UNAUTHORIZED_AUDIT: 403,
  NOT_FOUND: 404,
  NONEXISTENT_SUBDOMAIN: 404,
  CHANNEL_ALREADY_EXISTS: 409,
  CONSUMER_EXISTS: 409,
  UNIQUENESS: 409,
  PRECONDITION_FAILED: 412,
  NOT_LEASED: 409,
  RATE_LIMIT_HIT: 429,
  FAILED_TO_CONNECT_BOUNCER: 502,
  INTERNAL_SERVER_ERROR_ON_BOUNCER: 502,
};

/** The status of a refusal. */
export function statusOf({
  code,
  notFound,
  forbidden,
}: Pick<Rejected, 'code' | 'notFound'> & Partial<Pick<Rejected, 'forbidden'>>): number {
  if (forbidden) return 403;
  return notFound ? 404 : (STATUS[code] ?? 400);
}
