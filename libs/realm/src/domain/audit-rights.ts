import type { Actor, Verdict } from '@annals/kernel/domain';
import { allowedIf, isBot, permits } from '@annals/kernel/domain';
import { reject } from './rejections';
import type { RealmSettings } from './settings';

/** The settings that decide who may read the history, and who may hold and erase parts of it. */
export const AUDIT_SETTINGS = ['can_audit_group', 'can_audit_content_group', 'can_manage_holds_group'] as const;
export type AuditSettingName = (typeof AUDIT_SETTINGS)[number];

type Who = Pick<Actor, 'userId' | 'role' | 'groups'>;

/** Whether an account may read the history of the organization, without what people wrote (contract/audit.md section 1). */
export const mayAudit = (actor: Who, settings: RealmSettings): Verdict =>
  allowedIf(permits(settings.can_audit_group, actor, { guests: false }), reject.mayNotAudit);

/** Whether an account may also read texts, names of topics and of private channels, and addresses in it. */
export const mayAuditContent = (actor: Who, settings: RealmSettings): Verdict =>
  allowedIf(permits(settings.can_audit_content_group, actor, { guests: false }), reject.mayNotAudit);

/** Owners give the rights of these settings, but not through a bot (contract/audit.md section 1). */
export const mayGiveAuditRights = (actor: Pick<Actor, 'botType'>, settings: Partial<RealmSettings>): Verdict =>
  allowedIf(!isBot(actor) || AUDIT_SETTINGS.every((name) => settings[name] === undefined), reject.peopleOnly);
