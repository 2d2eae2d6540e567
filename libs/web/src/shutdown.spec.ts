import { once } from 'node:events';
import { connect } from 'node:net';
import { polls } from '../testing/polls';
import { startToyApp } from '../testing/toy-app';

/** Whether a new connection is accepted. */
const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

describe('shutting down', () => {
  it('accepts no new connections, answers waiting requests, lets running ones finish, and ends', async () => {
    const toy = await startToyApp();
    const arrived = polls.arrival();
    const poll = toy.ask('GET', '/api/v1/events?queue_id=1');
    await arrived;
    expect(await accepts(toy.port)).toBe(true);

    const acceptedMeanwhile: Promise<boolean>[] = [];
    polls.onShutdown = () => void acceptedMeanwhile.push(accepts(toy.port));
    await toy.close();

    expect(await Promise.all(acceptedMeanwhile)).toEqual([false]);
    const { status, json } = await poll;
    expect([status, json]).toEqual([200, { result: 'success', msg: '', events: [] }]);
    expect(await accepts(toy.port)).toBe(false);
  });

  it('ends at once when nothing is running, also with idle connections', async () => {
    const toy = await startToyApp();
    await toy.ask('POST', '/api/v1/empty');
    const idle = connect(toy.port, '127.0.0.1').on('error', () => undefined);
    await once(idle, 'connect');
    const closed = once(idle, 'close');
    await toy.close();
    await closed;
  });
});
