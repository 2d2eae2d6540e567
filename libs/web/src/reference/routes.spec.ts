import { Controller, Get, Module } from '@nestjs/common';
import { ToyModule, silent } from '../../testing/toy-app';
import { createHttpApp } from '../http-app';
import { Routes } from './routes';

describe('the table of routes', () => {
  it('contains every endpoint with its audience and command', async () => {
    const app = await createHttpApp(ToyModule.with({ rateLimits: false }), { log: silent() });
    await app.init();
    const table = app.get(Routes).table().split('\n');
    expect(table).toContain('POST /api/v1/things/:thing_id anyone ChangeThing');
    expect(table).toContain('GET /api/v1/views/*fragment anyone -');
    expect(table).toContain('GET /api/v1/server_settings public -');
    expect(table).toEqual([...table].sort());
    expect(table).toHaveLength(new Set(table).size);
    await app.close();
  });

  it('does not let an application start with a route in the API without an audience', async () => {
    @Controller()
    class Careless {
      @Get('api/v1/secrets')
      read(): void {}
    }
    @Module({ imports: [ToyModule.with({ rateLimits: false })], controllers: [Careless] })
    class CarelessModule {}
    const app = await createHttpApp(CarelessModule, { log: silent() });
    await expect(app.init()).rejects.toThrow('GET /api/v1/secrets has no audience: declare it with @Endpoint()');
  });
});
