import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventRegistry, Kernel, StoredEvent } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { format } from 'prettier';
import { ReferenceBouncer } from '../support/push/bouncer';
import globalSetup from '../support/global-setup';
import globalTeardown from '../support/global-teardown';
import type { Golden } from './golden';
import { GOLDEN, decodeGolden, goldenName } from './golden';
import { startGoldenServer } from './golden-server';
import { everythingHappens } from './scenario';
import { SENTENCES, sentencesOf } from './sentences';
import { UNTRANSLATED, untranslated } from './untranslated';

/**
 * `npm run golden`: writes the golden files that are missing, from the first event of each type in a log in which
 * everything happens. Existing files are never written again: they show how events were stored. It writes anew what the
 * audit trail says about the events of that log, and the list of texts without a translation.
 */
async function main(): Promise<void> {
  writeFileSync(UNTRANSLATED, untranslated());
  await globalSetup();
  try {
    const bouncer = await ReferenceBouncer.start();
    const server = await startGoldenServer(bouncer);
    try {
      await everythingHappens(server, bouncer);
      await writeMissing(server.kernel);
      writeFileSync(SENTENCES, await sentencesOf(server.kernel));
    } finally {
      await server.end();
      await bouncer.stop();
    }
  } finally {
    await globalTeardown();
  }
}

async function writeMissing({ registry, events }: Kernel): Promise<void> {
  const missing = new Set(missingFiles(registry));
  for (const event of await events.storedPage(1 as RealmId, 0, 100_000)) {
    const name = goldenName(event.type, event.v);
    if (!missing.delete(name)) continue;
    const text = await format(JSON.stringify(goldenOf(registry, event)), { parser: 'json', printWidth: 120 });
    writeFileSync(join(GOLDEN, name), text, { flag: 'wx' });
    console.log(`wrote ${name}`);
  }
  if (missing.size > 0) throw new Error(`nothing in the scenario makes ${[...missing].join(', ')}`);
}

const missingFiles = (registry: EventRegistry) =>
  registry.types
    .map((type) => goldenName(type, registry.definition(type).v))
    .filter((name) => !existsSync(join(GOLDEN, name)));

function goldenOf(registry: EventRegistry, { type, v, dataText, sealedText }: StoredEvent): Golden {
  const { words = null } = JSON.parse(sealedText ?? '{}') as { words?: unknown };
  const stored = { data: JSON.parse(dataText) as unknown, sealed: words };
  return { stored, current: decodeGolden(registry, type, v, { stored }) };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
