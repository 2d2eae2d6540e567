import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { DeviceAdded, PushKeyChanged, RegistrationAccepted } from '../../libs/push/src/domain/events';
import type { DeviceId } from '../../libs/push/src/domain/events';
import type { Bench } from '../harness';

const REALM = 1 as RealmId;
const origin = { client: 'ZulipMobile', correlation: '00000000-0000-4000-8000-000000000005', address: null };
const KEY_BYTES = 33;

/** A push service that accepts everything and reads nothing. */
export interface Service {
  /** The settings of a server for it. */
  readonly env: Readonly<Record<string, string>>;
  /** Notifications that came since it started. */
  readonly count: () => number;
}

export async function startService(bench: Bench): Promise<Service> {
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const fields = new URLSearchParams(Buffer.concat(chunks).toString());
      count += (JSON.parse(fields.get('push_requests') ?? '[]') as unknown[]).length;
      response.setHeader('content-type', 'application/json');
      response.end('{"result":"success","msg":""}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bench.after(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = {
    ANNALS_PUSH_BOUNCER_URL: `http://127.0.0.1:${port}`,
    ANNALS_PUSH_ORG_ID: 'a',
    ANNALS_PUSH_ORG_KEY: 'b',
  };
  return { env, count: () => count };
}

/** Adds a device for each of these users that is registered with the push service. */
export async function givePhones(kernel: Kernel, people: readonly UserId[]): Promise<void> {
  const devices: [UserId, DeviceId][] = [];
  for (const userId of people) devices.push([userId, await kernel.ids.next(REALM, 'device')]);
  await kernel.work.run({ realmId: REALM, userId: null, origin }, async (work) => {
    for (const [userId, deviceId] of devices) {
      const of = { userId, deviceId };
      const token = { tokenKind: 'fcm', tokenId: randomBytes(8).toString('base64') } as const;
      work.append(`devices-${userId}`, [
        fact(DeviceAdded, of),
        fact(PushKeyChanged, { ...of, pushKeyId: deviceId }),
        fact(RegistrationAccepted, { ...of, ...token, serviceDeviceId: deviceId }),
      ]);
      const value = Buffer.concat([Buffer.of(0x31), randomBytes(KEY_BYTES - 1)]);
      work.secret({ put: `push-key-${deviceId}`, kind: 'push-key', value });
    }
  });
}
