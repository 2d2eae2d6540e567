import type { RealmId } from '@annals/kernel/domain';
import { Registry } from 'prom-client';
import { registerRealmRequests } from './realm-requests';

it('the requests of each organization with any are metrics', async () => {
  let all = [{ key: 2 as RealmId, inProgress: 32, waiting: 7 }];
  const registry = new Registry();
  const figures = { inProgress: 0, waiting: 0, ofOwners: () => all };
  registerRealmRequests(figures, registry);
  const series = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('annals_'));
  const expected = ['annals_realm_requests_in_progress{realm="2"} 32', 'annals_realm_requests_waiting{realm="2"} 7'];
  expect(await series()).toEqual(expected);
  all = [];
  expect(await series()).toEqual([]);
});
