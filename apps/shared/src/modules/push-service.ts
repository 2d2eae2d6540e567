import type { BouncerAccess } from '@annals/push';
import type { Settings } from '../settings';

export type PushServiceSettings = Pick<
  Settings,
  'ANNALS_PUSH_BOUNCER_URL' | 'ANNALS_PUSH_ORG_ID' | 'ANNALS_PUSH_ORG_KEY'
>;

/** How the push service of the settings is reached; null where there is none. */
export function pushServiceOf(settings: PushServiceSettings): BouncerAccess | null {
  const { ANNALS_PUSH_BOUNCER_URL: url, ANNALS_PUSH_ORG_ID: orgId, ANNALS_PUSH_ORG_KEY: orgKey } = settings;
  return url === undefined || orgId === undefined || orgKey === undefined ? null : { url, orgId, orgKey };
}
