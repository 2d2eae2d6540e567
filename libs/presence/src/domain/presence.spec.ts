import type { Instant } from '@annals/kernel/domain';
import { latest, ping } from './presence';

const JOINED = 1_000 as Instant;
const NOW = 10_000_000 as Instant;
const ago = (seconds: number) => (NOW - seconds * 1_000) as Instant;
const known = (active: number, connected: number) => ({ activeAt: ago(active), connectedAt: ago(connected) });

describe('a ping', () => {
  it('brings a new user online, who was active when they joined if they are idle', () => {
    expect(ping(undefined, 'active', NOW, JOINED)).toEqual({
      presence: { activeAt: NOW, connectedAt: NOW },
      cameOnline: true,
    });
    expect(ping(undefined, 'idle', NOW, JOINED)).toEqual({
      presence: { activeAt: JOINED, connectedAt: NOW },
      cameOnline: true,
    });
  });

  it('changes nothing within 55 seconds of another one', () => {
    for (const status of ['active', 'idle'] as const) {
      expect(ping(known(55, 55), status, NOW, JOINED)).toEqual({ presence: null, cameOnline: false });
    }
    expect(ping(known(-60, -60), 'active', NOW, JOINED)).toEqual({ presence: null, cameOnline: false });
  });

  it('is a sign of activity only if the user is active', () => {
    expect(ping(known(60, 60), 'active', NOW, JOINED).presence).toEqual(known(0, 0));
    expect(ping(known(60, 60), 'idle', NOW, JOINED).presence).toEqual(known(60, 0));
  });

  it('never leaves a connection that is older than the activity', () => {
    expect(ping(known(60, 10), 'active', NOW, JOINED).presence).toEqual(known(0, 0));
    expect(ping(known(60, -10), 'active', NOW, JOINED).presence).toEqual(known(0, -10));
  });

  it('brings back online a user who was not active for 200 seconds, and an idle one never', () => {
    expect(ping(known(201, 201), 'active', NOW, JOINED).cameOnline).toBe(true);
    expect(ping(known(201, 10), 'active', NOW, JOINED).cameOnline).toBe(true);
    expect(ping(known(200, 200), 'active', NOW, JOINED).cameOnline).toBe(false);
    expect(ping(known(5_000, 5_000), 'idle', NOW, JOINED).cameOnline).toBe(false);
  });

  it('never moves a presence back', () => {
    expect(latest(known(10, 90), known(20, 80))).toEqual(known(10, 80));
  });
});
