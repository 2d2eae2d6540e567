import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { ensure, normalGroupSetting } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { AUDIT_SETTINGS, mayGiveAuditRights } from '../domain/audit-rights';
import { METHODS, chooseMethods, methodsAggregate } from '../domain/authentication/authentication-methods';
import type { RealmEvent } from '../domain/events';
import type { SettingsPatch } from '../domain/realm';
import { changeSettings, realmAggregate } from '../domain/realm';
import type { RealmSettings } from '../domain/settings';
import { CHANNEL_SETTING_NAMES, GROUP_SETTING_NAMES, SETTINGS } from '../domain/settings';
import { ensureOneGroup } from '../domain/group-values';
import type { SystemGroups } from '../domain/system-groups';
import { organization } from './organization';
import type { ChangedAuditRight } from './setting-notices';
import { SettingNotices } from './setting-notices';
import { SettingReferences } from './setting-references';
import { RealmFacts } from '../read/realm-facts';
import { ServerFeatures } from '../server-features';

/** Changes settings of the organization, all of them or none. */
export class ChangeSettings extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly input: SettingsPatch,
    /** Ways to log in that shall be on or off. */
    readonly methods: Readonly<Record<string, boolean>> | null = null,
  ) {
    super();
  }
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly references: SettingReferences,
    private readonly notices: SettingNotices,
    private readonly realms: RealmFacts,
    private readonly features: ServerFeatures,
  ) {}

  async execute({ by, input, methods }: ChangeSettings): Promise<void> {
    await this.work.run(by, async (work) => {
      const { settings, systemGroups } = await organization(work);
      ensure(mayGiveAuditRights(work.actor, input.settings));
      await this.ensureReferences(work, input.settings, systemGroups);
      const present = GROUP_SETTING_NAMES.map((name) => settings[name]);
      const isExpected = await this.references.expectation(work, present);
      const events = await work.decide(realmAggregate, 'realm', (realm) => {
        if (!realm) throw new Error('an organization without a beginning');
        return changeSettings(realm, input, work.actor, isExpected);
      });
      const changes = events.flatMap((event) => changedAuditRights(event));
      if (changes.length > 0) await this.notices.auditRightsChanged(work, changes);
      if (methods) await this.chooseMethods(work, methods);
    });
  }

  private async chooseMethods(work: Work, wanted: Readonly<Record<string, boolean>>): Promise<void> {
    const { subdomain } = await this.realms.of(work.realmId);
    const offered = this.features.signIn.methodsOf(subdomain);
    await work.decide(methodsAggregate, METHODS, (state) => chooseMethods(state, wanted, offered, work.actor));
  }

  private async ensureReferences(
    work: Work,
    settings: Partial<RealmSettings>,
    { nobody }: SystemGroups,
  ): Promise<void> {
    for (const name of GROUP_SETTING_NAMES) {
      const requested = settings[name];
      if (requested === undefined) continue;
      const value = normalGroupSetting(requested, nobody);
      ensureOneGroup(name, value, SETTINGS[name].rule);
      await this.references.ensureGroupValue(work, value);
    }
    for (const name of CHANNEL_SETTING_NAMES) {
      const channel = settings[name] ?? null;
      if (channel !== null) await this.references.ensureChannel(work, channel);
    }
  }
}

function changedAuditRights({ data }: RealmEvent): ChangedAuditRight[] {
  if (!('previous' in data)) return [];
  return AUDIT_SETTINGS.flatMap((setting) => {
    const [before, after] = [data.previous[setting], data.settings[setting]];
    return before === undefined || after === undefined ? [] : [{ setting, before, after }];
  });
}
