import { Module } from '@nestjs/common';
import { PeopleModule } from '../testing/toy-accounts';
import { ToyModule, startApp } from '../testing/toy-app';
import { WebModule } from './web.module';

const LIMITED = Symbol('whether callers are limited');

describe('the web module with options from other providers', () => {
  it.each([
    [true, '100'],
    [false, null],
  ])('uses their values: limits %s', async (limited, header) => {
    @Module({ providers: [{ provide: LIMITED, useValue: limited }], exports: [LIMITED] })
    class SettingsModule {}
    const web = WebModule.forRootAsync({
      imports: [SettingsModule, PeopleModule],
      inject: [LIMITED],
      useFactory: (rateLimits: boolean) => Promise.resolve({ rateLimits }),
    });
    const toy = await startApp(ToyModule.within(web));
    const open = await toy.ask('GET', '/api/v1/server_settings', { as: null });
    expect([open.status, open.headers.get('x-ratelimit-limit')]).toEqual([200, header]);
    const known = await toy.ask('GET', '/api/v1/things/5?name=x');
    expect([known.status, (known.json['params'] as { name: string }).name]).toEqual([200, 'x']);
    expect((await toy.ask('GET', '/api/v1/things/5?name=x', { as: 'nobody' })).json['code']).toBe('INVALID_API_KEY');
    expect((await toy.ask('GET', '/api/v1/nowhere')).json).toMatchObject({ result: 'error', msg: 'Not found' });
    await toy.close();
  });

  it('does not start when they cannot be read', async () => {
    const web = WebModule.forRootAsync({
      imports: [PeopleModule],
      useFactory: () => Promise.reject(new Error('the settings are nowhere')),
    });
    await expect(startApp(ToyModule.within(web))).rejects.toThrow('the settings are nowhere');
  });
});
