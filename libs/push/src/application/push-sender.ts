import type { RealmId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { ActiveDevice } from '../read/devices';
import type { PushRequest } from './bouncer';
import { Bouncer } from './bouncer';
import type { Home } from './payloads';
import { Registrations } from './registrations';

/** An organization in notifications and for the push service. */
export interface PushOrganization extends Home {
  readonly realmId: RealmId;
  readonly uuid: string;
}

/** Sends encrypted notifications to the push service. */
@Injectable()
export class PushSender {
  constructor(
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly bouncer: Bouncer,
    private readonly registrations: Registrations,
  ) {}

  /** The organization with its present name and address. */
  async organization(realmId: RealmId): Promise<PushOrganization> {
    const { uuid, subdomain, texts } = await this.realms.of(realmId);
    return { realmId, uuid, url: this.address.urlOf(subdomain), name: texts.name };
  }

  /** Sends one request for each device, and deletes tokens that have expired. @throws BouncerFailure */
  async send(
    { realmId, uuid }: PushOrganization,
    devices: readonly ActiveDevice[],
    requests: readonly PushRequest[],
  ): Promise<void> {
    if (requests.length === 0) return;
    const expired = await this.bouncer.notify(uuid, requests);
    await this.registrations.forget(
      realmId,
      devices.filter(({ serviceDeviceId }) => expired.has(serviceDeviceId)),
    );
  }
}
