import { rmSync } from 'node:fs';
import './global-setup';

/** Stops what the set-up started and removes its files. */
export default async function globalTeardown(): Promise<void> {
  const services = globalThis.annalsTestServices;
  if (!services) return;
  await services.redis?.stop();
  await services.postgres.stop();
  rmSync(services.folder, { recursive: true, force: true });
}
