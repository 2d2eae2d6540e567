import { t } from '@annals/kernel/domain';
import { BooleanParam, CustomParam, IntegerParam, PathText } from '@annals/web';
import type { PresenceQuery } from '../application/presence-lists';
import { HISTORY_DAYS } from '../application/presence-lists';
import type { PresenceStatus } from '../domain/presence';
import { PRESENCE_STATUSES } from '../domain/presence';
import { reject } from '../domain/rejections';

function decodeStatus(status: string): PresenceStatus {
  const known = PRESENCE_STATUSES.find((one) => one === status);
  if (!known) throw reject.invalidStatus({ status });
  return known;
}

/** contract/realtime.md section 8 */
export class UpdatePresenceParams {
  @CustomParam(t.Union(PRESENCE_STATUSES.map((one) => t.Literal(one))), 'raw', decodeStatus) status: PresenceStatus;
  @BooleanParam({ about: 'The answer has no presences.' }) ping_only = false;
  @BooleanParam({ noEffect: true }) new_user_input = false;
  @BooleanParam({ about: 'Presences by user id.' }) slim_presence = false;
  @IntegerParam({ optional: true, min: -1, about: 'Only presences that changed since; -1 for all. By user id.' })
  last_update_id?: number;
  @IntegerParam({ min: 0 }) history_limit_days = HISTORY_DAYS;
}

export const queryOf = (p: UpdatePresenceParams): PresenceQuery => ({
  form: p.slim_presence || p.last_update_id !== undefined ? 'modern' : 'legacy',
  since: p.last_update_id ?? -1,
  historyDays: p.history_limit_days,
});

export class GetPresenceParams {
  @PathText({ min: 1 }) user_id_or_email: string;
}
