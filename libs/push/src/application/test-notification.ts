import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../domain/rejections';
import { readActiveDevices, readLegacyTokens } from '../read/devices';
import { Bouncer, BouncerFailure } from './bouncer';
import { encryptedFor } from './encryption';
import { Registrations } from './registrations';

/** INTERFACE.md 4.21 */
export class SendTestNotification extends Command<void> {
  constructor(
    readonly by: Actor,
    /** Null for all devices of the account. */
    readonly deviceId: number | null,
  ) {
    super();
  }
}

@CommandHandler(SendTestNotification)
export class SendTestNotificationHandler implements ICommandHandler<SendTestNotification> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly bouncer: Bouncer,
    private readonly registrations: Registrations,
  ) {}

  async execute({ by, deviceId }: SendTestNotification): Promise<void> {
    const { realmId, userId } = by;
    const devices = this.bouncer.isConfigured
      ? await readActiveDevices(this.kernel.database.pool, realmId, [userId], deviceId)
      : [];
    if (devices.length === 0) throw reject.noActiveDevice();
    const { uuid, ...realm } = await this.realms.of(realmId);
    const payload = testPayload(by, this.address, realm, unixSeconds(this.kernel.clock.now()));
    const requests = devices.map((device) => encryptedFor(device, payload, 'rings'));
    const expired = await answered(() => this.bouncer.notify(uuid, requests));
    const gone = devices.filter(({ serviceDeviceId }) => expired.has(serviceDeviceId));
    await this.registrations.forget(realmId, gone);
    if (gone.length === devices.length) throw reject.noActiveDevice();
  }
}

/** contract/push.md section 5 */
export class SendLegacyTestNotification extends Command<void> {
  constructor(
    readonly by: Actor,
    /** Null for all tokens of the account. */
    readonly token: string | null,
  ) {
    super();
  }
}

@CommandHandler(SendLegacyTestNotification)
export class SendLegacyTestNotificationHandler implements ICommandHandler<SendLegacyTestNotification> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly bouncer: Bouncer,
  ) {}

  async execute({ by, token }: SendLegacyTestNotification): Promise<void> {
    const { realmId, userId } = by;
    const known = await readLegacyTokens(this.kernel.database.pool, realmId, userId);
    const asked = token === null ? known : known.filter((one) => one.token === token);
    if (token !== null && asked.length === 0) throw reject.unknownTestToken();
    const { uuid, ...realm } = await this.realms.of(realmId);
    if (realm.settings.require_e2ee_push_notifications) return;
    const payload = testPayload(by, this.address, realm, unixSeconds(this.kernel.clock.now()));
    for (const { kind, token: to } of asked) {
      await answered(() => this.bouncer.testLegacy(uuid, { userId, kind, token: to }, payload));
    }
  }
}

/** contract/push.md section 3 */
const testPayload = (
  { userId }: Actor,
  address: ServerAddress,
  { subdomain, texts }: { readonly subdomain: string; readonly texts: { readonly name: string } },
  time: number,
) => ({ type: 'test', realm_url: address.urlOf(subdomain), realm_name: texts.name, user_id: userId, time });

/** @throws Rejected with one of the codes of contract/push.md section 4 */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof BouncerFailure)) throw error;
    switch (error.trouble) {
      case 'away':
        throw reject.serviceAway();
      case 'broken':
        throw reject.serviceBroken();
      case 'administrator':
        throw reject.administratorNeeded();
      case 'refused':
        throw reject.refusedByService();
    }
  }
}
