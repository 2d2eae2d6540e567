import { setTimeout as pause } from 'node:timers/promises';
import { picture } from '../../support/requests/pictures';
import { uploadFile } from '../../support/requests/uploads';
import type { AppProcess, ProcessServer } from '../../support/processes/processes';
import { startProcesses } from '../../support/processes/processes';

const LOOK_MS = 10;
/** So many processes may die of an image. */
const DEATHS = 3;
/** Decoding so many pixels of a PNG takes much longer than a look and a kill. */
const LARGE = { width: 7_900, height: 7_900 };

let server: ProcessServer;
beforeAll(async () => {
  server = await startProcesses({ workers: 0 });
});
afterAll(() => server.close());

const pool = () => server.kernel.database.pool;
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(LOOK_MS);
}
const attempts = async () => {
  const { rows } = await pool().query<{ attempts: number }>('SELECT attempts FROM image_attempts');
  return rows.map((row) => row.attempts);
};
const state = async () => (await pool().query<{ state: string }>('SELECT state FROM view.file_images')).rows;
/** Dead processes have had their leases long enough. */
const timeIsUp = () => pool().query('UPDATE image_attempts SET leased_until = 0');

it('an image during whose decoding workers die is tried a few times, and then refused', async () => {
  await uploadFile(server.owner, await picture('png', LARGE), { name: 'large.png', type: 'image/png' });
  for (let death = 1; death <= DEATHS; death += 1) {
    const worker: AppProcess = await server.startWorker();
    await until(async () => (await attempts()).includes(death));
    await server.kill(worker);
    expect(await attempts()).toEqual([death]);
    expect(await state()).toEqual([{ state: 'awaited' }]);
    await timeIsUp();
  }
  await server.startWorker();
  await until(async () => (await state()).some((image) => image.state !== 'awaited'));
  expect([await state(), await attempts()]).toEqual([[{ state: 'refused' }], []]);
  await uploadFile(server.owner, await picture('png'), { name: 'small.png', type: 'image/png' });
  await until(async () => (await state()).some((image) => image.state === 'ready'));
});
