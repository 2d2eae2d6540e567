import type { Work } from '@annals/kernel';
import type { GroupSetting } from '@annals/kernel/domain';
import type { AuditSettingName } from '../domain/audit-rights';

/** A setting of the organization that decides who may audit. */
export interface ChangedAuditRight {
  readonly setting: AuditSettingName;
  readonly before: GroupSetting;
  readonly after: GroupSetting;
}

/**
 * Messages of the notification bot about settings. They are part of the append of the change. This context knows no
 * messages, so the one that does provides it.
 */
export abstract class SettingNotices {
  /** Writes to all owners, also to the one who changed them. To be called after the decision. */
  abstract auditRightsChanged(work: Work, changes: readonly ChangedAuditRight[]): Promise<void>;
}
