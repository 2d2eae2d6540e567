import type { AddressInfo } from 'node:net';
import type { Kernel } from '@annals/kernel';
import { JsonLog } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { SingleOrganizationAddress, subdomainOf } from '@annals/realm';
import type { HttpAppOptions } from '@annals/web';
import { createHttpApp } from '@annals/web';
import type { INestApplication } from '@nestjs/common';
import { defaultAddressOf } from '../../shared/src/open-kernel';
import type { Settings } from '../../shared/src/settings';
import { ApiModule } from './api.module';

export interface RunningPast {
  /** `close()` answers waiting polls, lets running requests finish and closes the kernel of the past. */
  readonly app: INestApplication;
  /** `http://host:port` it listens on. */
  readonly url: string;
}

export interface PastKernels {
  readonly past: Kernel;
  /** Of the present, for logins. It stays open. */
  readonly live: Kernel;
}

/**
 * Serves a past on the settings' host and port: every endpoint that reads, for one organization, whatever name of the
 * host a client uses. `ANNALS_URL` is the address for clients. Without it, that is where it listens.
 *
 * @throws Error when there was no organization yet
 */
export async function startPast(
  { past, live }: PastKernels,
  realmId: RealmId,
  settings: Settings,
  log: HttpAppOptions['log'] = new JsonLog(settings.ANNALS_LOG_LEVEL),
): Promise<RunningPast> {
  const subdomain = await subdomainOf(past, realmId);
  if (subdomain === undefined) throw new Error('There was no organization at that moment.');
  const address = new SingleOrganizationAddress(defaultAddressOf(settings), subdomain);
  const app = await createHttpApp(ApiModule.ofPast({ kernel: past, settings, address }, live), {
    log,
    trustedProxies: settings.ANNALS_TRUSTED_PROXIES,
  });
  try {
    await app.listen(settings.PORT, settings.HOST);
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = defaultAddressOf({ HOST: settings.HOST, PORT: port });
  if (settings.ANNALS_URL === undefined) address.url = url;
  return { app, url };
}
