import { lockDataDir } from '../../../apps/standalone/src/data-dir-lock';

/** Claims a folder at a given moment, and reports whether it got it. */
async function claim({ folder, startAt }: { folder: string; startAt: number }): Promise<void> {
  while (Date.now() < startAt);
  const claiming = lockDataDir(folder, () => undefined);
  const answer = await claiming.then(
    () => 'claimed',
    () => 'refused',
  );
  process.send?.(answer);
}

process.on('message', (request: { folder: string; startAt: number }) => void claim(request));
process.send?.('ready');
