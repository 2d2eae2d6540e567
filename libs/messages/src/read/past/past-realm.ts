import { foldRealm, readRealm, realmAggregate } from '@annals/realm';
import type { RealmSettings } from '@annals/realm';
import type { HistoryPolicy } from '../content/read-changes';
import type { PastReading } from './past-reading';

/** What the organization says about messages. */
export interface PastRealm {
  readonly subdomain: string;
  readonly imagePreviews: boolean;
  /** Which changes of messages are shown: those that were shown then, and are today if that counts. */
  readonly policy: HistoryPolicy;
  /** What is shown today. `all` where that does not count. */
  readonly policyToday: HistoryPolicy;
}

/** From the one that shows nothing. */
const POLICIES: readonly HistoryPolicy[] = ['none', 'moves', 'all'];

/** Reads the settings of the organization as they were, from its stream. */
export async function readPastRealm({ reader, position, today }: PastReading): Promise<PastRealm> {
  const realm = await readRealm(reader.client, reader.realmId);
  if (!realm) throw new Error(`realm ${reader.realmId} does not exist`);
  const then = foldRealm(await reader.stream(realmAggregate.stream('realm')), position);
  const settings: RealmSettings = then?.settings ?? realm.settings;
  const policyToday = today === null ? 'all' : realm.settings.message_edit_history_visibility_policy;
  const both = [settings.message_edit_history_visibility_policy, policyToday];
  return {
    subdomain: realm.subdomain,
    imagePreviews: settings.inline_image_preview,
    policy: POLICIES.find((one) => both.includes(one)) ?? 'none',
    policyToday,
  };
}
