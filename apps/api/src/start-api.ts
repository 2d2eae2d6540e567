import type { AddressInfo } from 'node:net';
import type { Kernel } from '@annals/kernel';
import { HealthChecks, JsonLog } from '@annals/kernel';
import { ServerAddress } from '@annals/realm';
import type { HttpAppOptions } from '@annals/web';
import { createHttpApp } from '@annals/web';
import type { INestApplication } from '@nestjs/common';
import { defaultAddressOf } from '../../shared/src/open-kernel';
import type { Settings } from '../../shared/src/settings';
import { ApiModule } from './api.module';

export interface RunningApi {
  /** `close()` answers waiting polls, lets running requests finish, writes what is waiting and closes the kernel. */
  readonly app: INestApplication;
  /** `http://host:port` it listens on. */
  readonly url: string;
  /**
   * Makes health report that it is about to end, and lets connections end with their answers. Requests are still
   * accepted.
   */
  readonly announceEnd: () => void;
}

/** Serves HTTP on the settings' address. Port 0 takes a free one. The kernel is closed with the application. */
export async function startApi(
  kernel: Kernel,
  settings: Settings,
  log: HttpAppOptions['log'] = new JsonLog(settings.ANNALS_LOG_LEVEL),
): Promise<RunningApi> {
  await kernel.announce('api');
  const address = new ServerAddress(defaultAddressOf(settings));
  const app = await createHttpApp(ApiModule.of({ kernel, settings, address }), {
    log,
    trustedProxies: settings.ANNALS_TRUSTED_PROXIES,
  });
  await app.listen(settings.PORT, settings.HOST);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = defaultAddressOf({ HOST: settings.HOST, PORT: port });
  if (settings.ANNALS_URL === undefined) address.url = url;
  const announceEnd = () => {
    app.get(HealthChecks).endsSoon();
    app.getHttpAdapter().endConnections();
  };
  return { app, url, announceEnd };
}
