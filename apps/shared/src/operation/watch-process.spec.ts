import { Registry } from 'prom-client';
import { watchProcess } from './watch-process';

it('figures of Node show what a process uses, and how busy and late its event loop is', async () => {
  const registry = new Registry();
  watchProcess(registry);
  const until = performance.now() + 20;
  while (performance.now() < until) continue;
  const text = await registry.metrics();
  expect(text).toContain('process_cpu_user_seconds_total');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).not.toContain('nodejs_eventloop_lag_p99_seconds');
  const utilization = Number(/^nodejs_eventloop_utilization (.*)$/m.exec(text)?.[1]);
  expect(utilization).toBeGreaterThan(0);
  expect(utilization).toBeLessThanOrEqual(1);
});
