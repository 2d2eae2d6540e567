import { Kernel, UnitOfWork, readSecret, systemActor } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Position, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { Devices } from '../domain/devices';
import {
  acceptRegistration,
  devicesAggregate,
  endRegistrations,
  expireToken,
  failRegistration,
} from '../domain/devices';
import type { DevicesEvent, RegistrationAsked } from '../domain/events';
import type { ActiveDevice } from '../read/devices';
import { pushKeySecret, legacySecret, registrationSecret } from '../read/devices';
import { Bouncer, BouncerFailure } from './bouncer';
import { unpacked } from './register-push';

/** Age in ms at which a registration expires if the push service could not be reached. */
export const REGISTRATION_MS = DAY_MS;

/** The registrations of this server's devices with the push service. */
@Injectable()
export class Registrations {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly realms: RealmFacts,
    private readonly bouncer: Bouncer,
  ) {}

  /**
   * Sends the request of a `push.RegistrationAsked` to the push service, unless it was answered or replaced since.
   *
   * @throws BouncerFailure when it is worth another try later
   */
  async apply(realmId: RealmId, position: Position): Promise<void> {
    const [event] = (await this.kernel.events.at(realmId, [position])) as Recorded<RegistrationAsked>[];
    if (!event) return;
    const { userId, deviceId, tokenId } = event.data;
    await this.kernel.fence.reach(realmId);
    const asked = { deviceId, since: position };
    const secret = await readSecret(this.kernel.database.pool, realmId, registrationSecret(deviceId));
    const { devices } = await this.present(realmId, userId);
    const device = devices.find(({ id }) => id === deviceId);
    if (device?.pending?.since !== position || device.error !== null || !secret) return;
    try {
      const { uuid: realmUuid } = await this.realms.of(realmId);
      const id = await this.bouncer.register({ realmUuid, tokenId, ...unpacked(secret) });
      await this.settle(realmId, userId, (state) => acceptRegistration(state, userId, asked, id));
    } catch (error) {
      if (!(error instanceof BouncerFailure)) throw error;
      const isTooOld = this.kernel.clock.now() - event.at >= REGISTRATION_MS;
      if (error.isTransient && !isTooOld) throw error;
      const code = error.isTransient ? 'REQUEST_EXPIRED' : error.code;
      await this.settle(realmId, userId, (state) => failRegistration(state, userId, asked, code));
    }
  }

  /** Deletes tokens that have expired, according to the push service. */
  async forget(realmId: RealmId, expired: readonly ActiveDevice[]): Promise<void> {
    for (const { userId, deviceId, serviceDeviceId, kind, tokenId: id } of expired) {
      await this.settle(realmId, userId, (state) =>
        expireToken(state, userId, { deviceId, serviceDeviceId, kind, id }),
      );
    }
  }

  private present(realmId: RealmId, userId: UserId): Promise<Devices> {
    return this.work.run(systemActor(realmId), (work) => work.read(devicesAggregate, userId));
  }

  private async settle(
    realmId: RealmId,
    userId: UserId,
    decision: (state: Devices) => readonly DevicesEvent[],
  ): Promise<void> {
    await this.work.run(systemActor(realmId), async (work) => {
      const facts = await work.decide(devicesAggregate, userId, decision);
      for (const secret of facts.flatMap(usedUp)) work.secret({ drop: secret });
    });
  }
}

/** Ends all registrations of an account within a unit of work, together with their secrets. */
export async function endAll(work: Work, userId: UserId): Promise<void> {
  const facts = await work.decide(devicesAggregate, userId, (state) => endRegistrations(state, userId));
  for (const secret of facts.flatMap(usedUp)) work.secret({ drop: secret });
}

/** Deletes the secrets of an account's devices. `users.ProfileDeleted` deletes the devices themselves. */
export async function dropSecrets(work: Work, userId: UserId): Promise<void> {
  const { devices, legacy } = await work.read(devicesAggregate, userId);
  const ofDevices = devices.flatMap(({ id }) => [pushKeySecret(id), registrationSecret(id)]);
  for (const secret of [...ofDevices, ...legacy.map(({ tokenId }) => legacySecret(tokenId))])
    work.secret({ drop: secret });
}

/**
 * Secrets that are of no use after an event, for example the part that only the push service can read, after its
 * answer.
 */
function usedUp(fact: DevicesEvent): readonly string[] {
  switch (fact.type) {
    case 'push.RegistrationAccepted':
    case 'push.RegistrationFailed':
      return [registrationSecret(fact.data.deviceId)];
    case 'push.RegistrationEnded':
      return [pushKeySecret(fact.data.deviceId), registrationSecret(fact.data.deviceId)];
    case 'push.LegacyTokenRemoved':
      return [legacySecret(fact.data.legacyTokenId)];
    default:
      return [];
  }
}
